// Which kind of answer a schema without choices asks for: by type and format first, by its words where those leave it open.
import { RE2JS } from 're2js';
import type { LeafKind } from './leaf.ts';
import { listOf, typesOf } from './schema-view.ts';
import type { SchemaView } from './schema-view.ts';

const BY_FORMAT: ReadonlyMap<string, LeafKind> = new Map([
  ['date', 'date'],
  ['time', 'time'],
  ['iso-time', 'time'],
  ['date-time', 'date_time'],
  ['iso-date-time', 'date_time'],
  ['email', 'email'],
  ['idn-email', 'email'],
  ['uri', 'uri'],
  ['iri', 'uri'],
  ['url', 'uri'],
  ['hostname', 'uri'],
  ['phone', 'phone'],
  ['tel', 'phone'],
]);

/** Samples that a pattern for the kind would accept, and a text that it would not. */
const BY_PATTERN: readonly (readonly [LeafKind, readonly string[]])[] = [
  ['time', ['09:30', '17:45']],
  ['time', ['09:30:00', '17:45:00']],
  ['date', ['2026-11-20', '2027-03-04']],
  ['phone', ['+15550100123', '+12025550143']],
];
const ORDINARY_TEXTS = ['hello', 'B', '12', 'A1-23'];

/** Words of a name, title or description that say what a plain string holds, the surest first. */
const BY_WORDS: readonly (readonly [LeafKind, RegExp])[] = [
  ['email', /\be-?mails?(?: address)?\b/i],
  ['date_time', /\b(?:date and time|datetime|date time|iso 8601 timestamp|timestamp)\b/i],
  ['phone', /\b(?:(?:tele)?phone|mobile|cell|fax|call-?back) ?(?:number|no)\b|\bphone$|\be\.?164\b/i],
  [
    'time',
    /\bHH:MM\b|\b(?:opening|closing|start|end|arrival|departure|check-?(?:in|out)|pick-?up|appointment|delivery) time\b|\btime of day\b|\bwhat time\b|^time$/i,
  ],
  [
    'date',
    /\bYYYY-MM-DD\b|\b(?:start|end|arrival|departure|appointment|delivery|due|expiry|expiration|birth) date\b|\bdate of\b|^date$/i,
  ],
  [
    'name',
    /^(?:first|last|full|family|given|contact|person|staff|agent|doctor|manager|customer|patient|employee)? ?(?:name|surname)$|\bname of (?:the )?(?:person|contact|doctor|manager|agent|employee|staff)\b/i,
  ],
];

/** @param name the property's name in words */
export function kindOf(view: SchemaView, name: string): LeafKind {
  const types = typesOf(view);
  if (types[0] === 'boolean') return 'boolean';
  if (types[0] === 'integer') return 'integer';
  if (types[0] === 'number') return 'number';
  if (types[0] === 'array') return 'list';
  const isText = types.length === 0 || types.includes('string');
  if (!isText) return 'text';
  const byFormat = BY_FORMAT.get(textOf(view.own['format']));
  if (byFormat !== undefined) return byFormat;
  if ('minimum' in view.own || 'maximum' in view.own) return types.length === 0 ? 'number' : 'text';
  const byPattern = kindOfPattern(textOf(view.own['pattern']));
  if (byPattern !== null) return byPattern;
  return kindOfWords([name, textOf(view.own['title']), textOf(view.own['description'])], listOf(view.own['examples']));
}

function kindOfPattern(pattern: string): LeafKind | null {
  if (pattern === '') return null;
  try {
    const compiled = RE2JS.compile(pattern);
    if (ORDINARY_TEXTS.some((text) => compiled.matcher(text).find())) return null;
    return BY_PATTERN.find(([, samples]) => samples.every((sample) => compiled.matcher(sample).find()))?.[0] ?? null;
  } catch {
    return null; // admission has refused such patterns; the words decide
  }
}

function kindOfWords(texts: readonly string[], examples: readonly unknown[]): LeafKind {
  const [example] = examples;
  if (typeof example === 'string') {
    if (/^\d{4}-\d{2}-\d{2}$/.test(example)) return 'date';
    if (/^\d{1,2}:\d{2}$/.test(example)) return 'time';
    if (/^[^@\s]+@[^@\s]+$/.test(example)) return 'email';
  }
  for (const [kind, words] of BY_WORDS) {
    if (texts.some((text) => words.test(text))) return kind;
  }
  return 'text';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
