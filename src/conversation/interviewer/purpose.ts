// The objective of a task as one thing to say. Rewrites only what is surely safe to rewrite; everything else is said in the
// client's own words, as theirs. Adds nothing, and says nothing that is redacted.

/** Longest statement, in code points: what a listener can take in. The rest of a long objective is for the questions. */
const STATEMENT_LIMIT = 320;

const REDACTED = /\[REDACTED:[a-z0-9_]+\]/g;

/** Orders that read well behind "I am calling to". */
const ORDERS =
  'ask|inquire|enquire|find out|check|confirm|verify|see|learn|request|book|reserve|schedule|arrange|make|place|order|cancel|reschedule|move|change|get|obtain|collect|tell|let|inform|report|remind|leave|follow up|thank|invite|discuss|negotiate|clarify|determine|establish|make sure|renew|return|track|update|notify|set up|sign up';
const ORDER = new RegExp(`^(?:${ORDERS})\\b`, 'i');

/** "Call the clinic and ask ...": whom we call is known to the one who answers. */
const CALL_AND = new RegExp(
  `^(?:please )?(?:call|phone|ring|contact|telephone|give)\\b[^.?!;:]{0,80}?(?:,? and(?: then)?|,? to|,)(?: please)? (?=(?:${ORDERS})\\b)`,
  'i',
);

/** "ask them whether they ...": "they" can be no one but the listener when it is the first word of the question. */
const ASK_THEM = new RegExp(
  `^(ask|inquire|enquire|find out|check|confirm|verify|see|learn|clarify|determine|establish|make sure)(?: with| from)?(?: (?:them|the [\\p{L}'-]+(?: [\\p{L}'-]+)?))? (whether|if|that|what(?: time| hours| days)?|when|where|how(?: much| many| long| late| early| soon)?|which(?: [\\p{L}'-]+)?|who|why|do|until when|at what time) (they|their|they're|they've|they'll|they'd)\\b`,
  'iu',
);

/** Words that show that the text speaks in the client's name; the assistant is not the client. */
const FIRST_PERSON = /\b(?:I|I'm|I'd|I've|I'll|me|my|mine|we|our|us|we're|we'd)\b/;

/** @returns one statement, at most about 330 code points, that asks nothing and ends with a full stop or a quotation mark */
export function purposeOf(objective: string): string {
  const text = clipped(speakable(objective));
  if (text === '') return 'I have a few questions.';
  const plain = text.replace(CALL_AND, '').replace(/^please /i, '');
  const own = /^(?:you are|you're|you will be) calling (to|about|because|for|on behalf)\b(.*)$/is.exec(plain);
  if (own !== null) return stopped(`I am calling ${own[1] ?? ''}${own[2] ?? ''}`);
  if (FIRST_PERSON.test(plain)) return `This is the request in my client's own words: "${text}"`;
  if (ORDER.test(plain) && !plain.includes('?')) return stopped(`I am calling to ${lowerFirst(addressed(plain))}`);
  return stopped(`The reason for my call: ${text.replace(/\?+$/, '')}`);
}

/** "ask whether they take walk-ins" -> "ask whether you take walk-ins", where "they" is surely the listener. */
function addressed(order: string): string {
  const match = ASK_THEM.exec(order);
  if (match === null || /[.;!]\s+\S/.test(order)) return order;
  const [whole, verb = '', word = '', they = ''] = match;
  const rest = order.slice(whole.length);
  return `${verb} ${word} ${secondPerson(they)}${rest.replaceAll(/\b(?:they're|they've|they'll|they'd|they|theirs|their|themselves|them)\b/gi, secondPerson)}`;
}

function secondPerson(word: string): string {
  const forms: Readonly<Record<string, string>> = {
    they: 'you',
    "they're": "you're",
    "they've": "you've",
    "they'll": "you'll",
    "they'd": "you'd",
    their: 'your',
    theirs: 'yours',
    them: 'you',
    themselves: 'yourselves',
  };
  return forms[word.toLowerCase()] ?? word;
}

function speakable(objective: string): string {
  return objective
    .normalize('NFC')
    .replaceAll(REDACTED, '(a private detail)')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[*_#`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?=\s|$)/g, '')
    .replaceAll('’', "'")
    .trim();
}

/** Whole sentences up to the limit; one that is longer by itself is cut between words. */
function clipped(text: string): string {
  if (Array.from(text).length <= STATEMENT_LIMIT) return text;
  const sentences = text.match(/[^.!?]+(?:[.!?]+(?=\s|$)|$)/g) ?? [text];
  let kept = '';
  for (const sentence of sentences) {
    if (Array.from(kept + sentence).length > STATEMENT_LIMIT) break;
    kept += sentence;
  }
  if (kept.trim() !== '') return kept.trim();
  const start = Array.from(text).slice(0, STATEMENT_LIMIT).join('');
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), 1)).replace(/[\s,;:]+$/, '')} ...`;
}

function stopped(text: string): string {
  const sentence = text.replace(/\s+/g, ' ').trim();
  return /[.!?"]$/.test(sentence) ? sentence : `${sentence}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
