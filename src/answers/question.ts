// One speakable English question for a leaf. Pure; says nothing that the schema does not hold.
import type { Leaf } from './leaf.ts';
import { describeForm } from './accepted-form.ts';

const QUESTION_LIMIT = 600; // code points; a question that is longer than this is not one that can be heard
const SPOKEN_CHOICES = 8;
const NOTHING_SAID = 'your answer';

const QUESTION_OPENERS =
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|can|could|will|would|shall|should|may|might|have|has|had|at what|by when|for how|in what|on what|on which|to whom|until when)\b/i;
const BOOLEAN_OPENERS =
  /^(?:is|are|am|was|were|do|does|did|can|could|will|would|shall|should|may|might|have|has|had)\b/i;
const WHETHER =
  /^(?:whether|if|true if|true when|true, if|indicates whether|says whether|says if|tells whether)(?: or not)? /i;
const PRONOUNS = 'we|you|they|he|she|it|there|this|that|someone|somebody|anyone|anybody';
const AUXILIARIES = 'is|are|was|were|can|could|will|would|should|may|might|has|have|had|does|do';
const IMPERATIVE = /^(?:ask|find out|check|confirm|verify|get|obtain|record|note|capture|determine)\b/i;

/**
 * The question that asks for `leaf`.
 * @param attempt 2 is asked when the first answer was not understood: other words, and the form that is accepted
 * @returns one to three sentences, at most 600 code points, that end in a question mark or (attempt 2) name the accepted form
 */
export function questionFor(leaf: Leaf, attempt: 1 | 2): string {
  if (attempt === 1) return clipped(withChoices(leaf, plainQuestion(leaf)));
  return clipped(`Sorry, I did not quite get that. ${plainQuestion(leaf)} ${describeForm(leaf)}`);
}

/** What the leaf is about, in a few words: "closing time on Saturday", "home address, street"; "your answer" where nothing says. */
export function subjectOf(leaf: Leaf): string {
  const own =
    [leaf.title, leaf.description].map(nounPhraseOf).find((phrase) => phrase !== null) ?? properNames(leaf.name);
  const parts = [...leaf.parents, own].map((part) => lowerFirst(withoutStop(part))).filter((part) => part !== '');
  return parts.length === 0 ? NOTHING_SAID : parts.join(', ');
}

/** The choices as they are said: "phone, e-mail or letter". */
export function spokenChoices(leaf: Leaf): string {
  const labels = choicesHolder(leaf)
    .choices.slice(0, SPOKEN_CHOICES)
    .map((choice) => choice.label);
  return joined(labels);
}

function plainQuestion(leaf: Leaf): string {
  const ready = [leaf.description, leaf.title].find((text) => text !== null && isQuestion(text));
  if (ready !== undefined && ready !== null) return asQuestion(ready);
  return leaf.kind === 'boolean' ? booleanQuestion(leaf) : openQuestion(leaf);
}

function booleanQuestion(leaf: Leaf): string {
  for (const text of [leaf.description, leaf.title]) {
    if (text === null) continue;
    const first = firstSentence(text);
    const turned = turnedAround(first.replace(WHETHER, ''), WHETHER.test(first));
    if (turned !== null) return asQuestion(turned);
  }
  if (leaf.title === null && leaf.description === null && leaf.parents.length === 0) {
    const turned = questionFromName(properNames(leaf.name));
    if (turned !== null) return asQuestion(turned);
  }
  const subject = subjectOf(leaf);
  if (subject === NOTHING_SAID) return 'What is your answer, yes or no?';
  return stateQuestion(subject) ?? `About ${subject.replace(/^(?:is|has|are) /, '')}: yes or no?`;
}

/** States that a thing is in or not; what a yes-or-no name ends with or is. */
const STATES =
  'open|closed|available|booked|confirmed|possible|included|required|needed|necessary|allowed|accepted|offered|free|ready|cancelled|canceled|covered|refundable|in stock|sold out|scheduled|rescheduled|delivered|interested|permitted|accessible|reserved|working|correct|valid';
const OPEN_WHEN =
  /^open (?:(?:on|at|in|during|until|after|before|over) .+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?.*|today|tomorrow|tonight|now|late|daily|weekends)$/i;

/** `table available` -> "Is the table available?", `open on Saturday` -> "Are you open on Saturday?"; null for anything else. */
function stateQuestion(subject: string): string | null {
  if (OPEN_WHEN.test(subject)) return `Are you ${subject}?`;
  const [, thing, state] = new RegExp(`^((?:[\\p{L}'-]+ ){0,3}?)(${STATES})$`, 'iu').exec(subject) ?? [];
  if (thing === undefined || state === undefined) return null;
  const named = withoutArticle(thing.trim());
  if (named === '') return `Is it ${state}?`;
  return `${isPlural(named) ? 'Are' : 'Is'} the ${named} ${state}?`;
}

/** `has parking` -> "do you have parking"; null when the name begins with no such verb. */
function questionFromName(name: string): string | null {
  const [, verb, rest] =
    /^(is|are|has|have|can|will|does|do|accepts|offers|takes|allows|provides|sells|needs|requires|delivers) (.+)$/.exec(
      name,
    ) ?? [];
  if (verb === undefined || rest === undefined) return null;
  if (verb === 'is') return /^(?:it|there) /.test(rest) ? `is ${rest}` : `is it ${rest}`;
  if (verb === 'are') return /^(?:they|there|you) /.test(rest) ? `are ${rest}` : `are you ${rest}`;
  if (verb === 'can' || verb === 'will') return `${verb} you ${rest}`;
  if (verb === 'does' || verb === 'do') return null;
  const plain = verb === 'has' ? 'have' : verb.replace(/s$/, '');
  return `do you ${plain} ${rest}`;
}

/** "the clinic is open on Saturday" after "whether" -> "is the clinic open on Saturday"; null when no verb is where one is known. */
function turnedAround(text: string, isWhether: boolean): string | null {
  if (BOOLEAN_OPENERS.test(text) && /\s/.test(text) && isClause(text)) return text;
  if (!isWhether) return null;
  const auxiliary = new RegExp(
    `^((?:(?:the|a|an|any|your|their|our|this|that|its) )?[\\p{L}'-]+(?: [\\p{L}'-]+){0,3}?) (${AUXILIARIES}) (.+)$`,
    'iu',
  );
  const [, subject, verb, rest] = auxiliary.exec(text) ?? [];
  if (subject !== undefined && verb !== undefined && rest !== undefined)
    return `${verb.toLowerCase()} ${lowerArticle(subject)} ${rest}`;
  const plural = new RegExp(`^(you|they|we) ([a-z]+)(.*)$`, 'i').exec(text);
  if (plural !== null) return `do ${lowerFirst(text)}`;
  return null;
}

/** `is open` is a name, not a clause that can be asked as it stands; `is it open` and `are you open` are. */
function isClause(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return (
    words.length >= 3 &&
    new RegExp(`^(?:${PRONOUNS}|the|a|an|any|your|their|our|its|[A-Z][a-z]+)$`).test(words[1] ?? '')
  );
}

function openQuestion(leaf: Leaf): string {
  if (isOptionalRemark(leaf)) return 'Is there anything else I should pass on?';
  const clause = [leaf.description, leaf.title].map(clauseOf).find((found) => found !== null);
  if (clause !== undefined && clause !== null) return `Could you tell me ${clause}?`;
  const order = [leaf.description, leaf.title].map(orderOf).find((found) => found !== null);
  if (order !== undefined && order !== null) return `Could you please ${order}?`;
  const what = subjectOf(leaf);
  if (what === NOTHING_SAID) return 'What is your answer?';
  if (leaf.parents.length > 0) {
    const own = openQuestion({ ...leaf, parents: [] });
    return `About the ${withoutArticle(leaf.parents.map(lowerFirst).join(', '))}: ${lowerFirst(own)}`;
  }
  const noun = withoutArticle(what);
  const isNumber = leaf.kind === 'integer' || leaf.kind === 'number';
  if (isNumber && /^number of /i.test(noun)) return `How many ${noun.slice('number of '.length)}?`;
  const [, counted, rest] = /^([\p{L}'-]+s) (left|available|remaining|free|open|needed)$/iu.exec(noun) ?? [];
  if (isNumber && counted !== undefined) return `How many ${counted} are ${rest}?`;
  if (leaf.kind === 'integer' && isPlural(noun) && !/\s/.test(noun)) return `How many ${noun}?`;
  return leaf.kind === 'list' || isPlural(noun) ? `What are the ${noun}?` : `What is the ${noun}?`;
}

/** A free remark that nobody has to make: asked last and briefly. */
export function isOptionalRemark(leaf: Leaf): boolean {
  return (
    leaf.kind === 'text' &&
    /^(?:(?:any |other |additional |extra |further |optional )*(?:notes?|comments?|remarks?|details|information|info|anything else))$/i.test(
      leaf.name,
    )
  );
}

/** A title or description that names the thing in a few words a person would say; null when it is anything else. */
function nounPhraseOf(text: string | null): string | null {
  if (text === null || isQuestion(text) || WHETHER.test(text)) return null;
  const phrase = withoutMachineTalk(firstSentence(text));
  const isSayable = phrase !== '' && phrase.length <= 120 && !/[{}[\]<>|\\^$`"]/.test(phrase);
  if (!isSayable || IMPERATIVE.test(phrase) || clauseOf(text) !== null) return null;
  return lowerFirst(phrase);
}

/** "When the shop opens", "how many seats are left": a clause that follows "Could you tell me". */
function clauseOf(text: string | null): string | null {
  if (text === null) return null;
  const clause = withoutMachineTalk(firstSentence(text));
  return /^(?:when|where|how|what|which|who|why|at what|until when|whether) \S+ \S+/i.test(clause)
    ? lowerFirst(clause)
    : null;
}

/** "Please describe the menu": what the listener is to do. */
function orderOf(text: string | null): string | null {
  if (text === null) return null;
  const sentence = withoutMachineTalk(firstSentence(text));
  const [, asked, plain] =
    /^(?:please (\S+ .+)|((?:describe|explain|specify|provide|tell (?:me|us)) .+))$/i.exec(sentence) ?? [];
  return asked !== undefined || plain !== undefined ? lowerFirst(asked ?? plain ?? '') : null;
}

/** Forms and formats are for the machine that reads the answer: "in HH:MM (24-hour)", "as an ISO date". */
function withoutMachineTalk(text: string): string {
  return withoutStop(
    text
      .replace(/\s*\([^)]*\)/g, '')
      .replace(
        /[,;:]?\s*(?:(?:in|as|using|formatted as|format:?)\s+)?(?:an?\s+)?(?:local\s+)?(?:HH:MM(?::SS)?|YYYY-MM-DD|ISO[ -]?8601|ISO|RFC ?3339|E\.164|24[- ]?h(?:our)?)(?:\s+(?:format|date|time|form|clock|local|string|notation))*/gi,
        '',
      )
      .replace(/[,;:]?\s*(?:or )?null (?:if|when|unless)\b.*$/i, '')
      .replace(/[,;:]\s*(?:if (?:any|known|given|mentioned|available)|optional|required)$/i, ''),
  );
}

function withChoices(leaf: Leaf, question: string): string {
  const { choices } = choicesHolder(leaf);
  const [only] = choices;
  if (only === undefined || leaf.kind === 'boolean') return question;
  const isNamed = choices.every((choice) => question.toLowerCase().includes(choice.label.toLowerCase()));
  if (isNamed && choices.length > 1) return question;
  if (choices.length === 1) {
    const isAsked = leaf.title !== null || leaf.description !== null;
    return isAsked
      ? `${question.replace(/\?$/, '')}: is it ${only.label}?`
      : `About ${subjectOf(leaf)}: is it ${only.label}?`;
  }
  if (choices.length > SPOKEN_CHOICES) return `${question} For example ${spokenChoices(leaf)}.`;
  if (leaf.kind === 'list') return `${question} You can name several: ${spokenChoices(leaf)}.`;
  return `${question.replace(/\?$/, '')}: ${spokenChoices(leaf)}?`;
}

function choicesHolder(leaf: Leaf): Leaf {
  return leaf.kind === 'list' && leaf.item !== null ? leaf.item : leaf;
}

function isQuestion(text: string): boolean {
  const first = firstSentence(text);
  if (/\?\s*$/.test(first)) return true;
  if (!QUESTION_OPENERS.test(first)) return false;
  const isAuxiliary = BOOLEAN_OPENERS.test(first);
  if (isAuxiliary) return isClause(first);
  // "When the shop opens" is a statement, "When does the shop open" a question.
  return (
    new RegExp(`^(?:\\S+ ){1,6}?(?:${AUXILIARIES}|did|shall)\\b`, 'i').test(first) &&
    !/^(?:when|where|how|what|which|who) (?:the|a|an|they|we|it|you) /i.test(first)
  );
}

function firstSentence(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const end = /[.?!](?=\s+\p{Lu})/u.exec(flat);
  const sentence = end === null ? flat : flat.slice(0, end.index + 1);
  return sentence.endsWith('?') ? sentence : withoutStop(sentence);
}

const PROPER =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|april|june|july|august|september|october|november|december)\b/g;

function properNames(text: string): string {
  return text.replace(PROPER, (name) => name.charAt(0).toUpperCase() + name.slice(1));
}

function asQuestion(text: string): string {
  const sentence = firstSentence(text).replace(/[?.!\s]+$/, '');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}?`;
}

function withoutStop(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\s.;:,?!]+$/, '')
    .trim();
}

function withoutArticle(text: string): string {
  return text.replace(/^(?:the|a|an) /i, '');
}

function lowerArticle(text: string): string {
  return /^(?:The|A|An|Any|Your|Their|Our|This|That|In|On|For|At|What|How|If)\b/.test(text) ? lowerFirst(text) : text;
}

function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function isPlural(what: string): boolean {
  const head = what.split(/ (?:in|of|on|for|at|per|with|from|to|by|that|which|when) /)[0] ?? '';
  const last = head.split(' ').at(-1) ?? '';
  return /[^s]s$/i.test(last) && !/(?:address|status|business|access|process|bus|gas|us|is)$/i.test(last);
}

function joined(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

function clipped(text: string): string {
  const points = Array.from(text);
  return points.length <= QUESTION_LIMIT
    ? text
    : `${points
        .slice(0, QUESTION_LIMIT - 1)
        .join('')
        .trimEnd()}?`;
}
