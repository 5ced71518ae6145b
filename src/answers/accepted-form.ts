// The sentence that tells a recipient in which form an answer is understood, for the second time of asking. Pure.
import type { Leaf } from './leaf.ts';

/** @returns one sentence, e.g. "Please say yes or no." */
export function describeForm(leaf: Leaf): string {
  switch (leaf.kind) {
    case 'boolean':
      return 'Please say yes or no.';
    case 'integer':
      return `Please say a whole number${rangeOf(leaf)}.`;
    case 'number':
      return `Please say a number${rangeOf(leaf)}.`;
    case 'choice':
      return leaf.choices.length === 1
        ? `Please say yes or no: is it ${labelsOf(leaf)}?`
        : `Please say one of these: ${labelsOf(leaf)}.`;
    case 'date':
      return 'Please say the month and the day, for example March the third.';
    case 'time':
      return 'Please say the time with morning or afternoon, for example half past nine in the morning.';
    case 'date_time':
      return 'Please say the day and the time, for example March the third at ten in the morning.';
    case 'email':
      return 'Please say it piece by piece, for example john dot doe at example dot com.';
    case 'phone':
      return 'Please say it digit by digit, with the area code.';
    case 'uri':
      return 'Please say it piece by piece, for example example dot com.';
    case 'name':
      return 'Please spell it if it is unusual.';
    case 'text':
      return leaf.pattern === null ? 'A few words are enough.' : 'Please say it letter by letter or digit by digit.';
    case 'list':
      return leaf.item !== null && leaf.item.choices.length > 0
        ? `Please name those that apply: ${labelsOf(leaf.item)}.`
        : 'Please name them one after another.';
  }
}

function rangeOf(leaf: Leaf): string {
  const least = leaf.minimum ?? leaf.exclusiveMinimum;
  const most = leaf.maximum ?? leaf.exclusiveMaximum;
  if (least !== null && most !== null) return ` from ${least} to ${most}`;
  if (least !== null) return ` of ${least} or more`;
  return most === null ? '' : ` of ${most} or less`;
}

const LABELS_LIMIT = 20;

function labelsOf(leaf: Leaf): string {
  const labels = leaf.choices.slice(0, LABELS_LIMIT).map((choice) => choice.label);
  const last = labels.at(-1) ?? '';
  return labels.length < 2 ? last : `${labels.slice(0, -1).join(', ')} or ${last}`;
}
