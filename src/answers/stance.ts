// What a recipient does with their words apart from answering: not knowing, putting on hold, refusing, asking back, taking back.
// Pure; patterns as tables, each checked against the whole turn with its case and spaces evened out.
import { folded, sentencesOf } from './words.ts';

const any = (...patterns: readonly string[]): RegExp =>
  new RegExp(`(?:^|[^\\p{L}'])(?:${patterns.join('|')})(?![\\p{L}])`, 'giu');

const HOLD = any(
  '(?:can|could|would) you (?:please )?(?:hold|wait)(?: on)?(?: (?:a|one|for a) (?:moment|minute|second|sec))?(?: please)?',
  '(?:please )?(?:hold on|hang on|hold the line|stay on the line|bear with me|one moment|one sec(?:ond)?|one minute)(?: please)?',
  '(?:just|wait|give me|hold on|hang on)(?: for)? (?:a|one|just a|just one) (?:moment|minute|sec(?:ond)?|bit|tick)(?: please)?',
  "(?:let me|i(?:'ll| will| need to| have to|'ve got to|'m going to)|allow me to)(?: just| quickly| go)?(?: and)? (?:check|look|see|find out|ask|pull (?:that|it) up|look (?:it|that) up)(?: (?:that|it|this|on that|into (?:it|that)|with (?:my|the|our) \\p{L}+|for you|real quick|the \\p{L}+))*",
  'please (?:hold|wait)',
  'a moment please|moment please|just a sec|give me a sec',
);
const REPEAT = any(
  '(?:(?:can|could|would|will) you |please )?(?:please )?(?:say|repeat) (?:that|it|the question)(?: again)?(?: please)?',
  '(?:can|could|would|will) you (?:please )?(?:repeat|say again|speak up|speak louder)(?: please)?',
  'come again|i beg your pardon|pardon me|pardon|excuse me|say again|what was (?:that|the question)(?: again)?|what did you (?:say|ask)',
  "(?:i )?(?:did not|didn't|couldn't|could not|can't|cannot|can not|don't) (?:quite |really )?(?:catch|hear|get|understand|follow)(?: (?:that|you|it|what you said|the question|your question))?",
  'one more time|once more please|again please',
);
const REPEAT_ALONE = /^(?:sorry|what|huh|hm+|eh|hello|pardon|excuse me)\s*\?*$/i;
const FINAL_REFUSAL = any(
  '(?:stop|quit) (?:calling|bothering|phoning|ringing)(?: (?:me|us|here|this number))?',
  "(?:please )?(?:don't|do not|never) (?:ever )?(?:call|phone|ring|contact)(?: (?:me|us|here|this number|again|back))+",
  '(?:take|remove) (?:me|us|my number|this number|our number)(?: off| from)?',
  "(?:you(?: have|'ve)? (?:got |have |dialed |called )?(?:the |a )?)?wrong number",
  "(?:i'm|i am|we're|we are) not interested|not interested|no interest",
  'leave (?:me|us) alone|get lost|go away|piss off|fuck off|screw you|bugger off',
  "i(?:'m| am) (?:going to hang|hanging) up|i(?:'ll| will) hang up",
  "(?:i|we) (?:don't|do not|won't|will not) (?:want to )?(?:talk|speak)(?: to| with) (?:\\p{L}+ )?(?:robots?|machines?|computers?|bots?|recordings?|ai|you)",
  "(?:i|we) (?:don't|do not) (?:have|have any|got) time(?: for this| right now| now)?|no time for this|i(?:'m| am) (?:too |very )?busy(?: right now| now)?",
);
const REFUSAL = any(
  "(?:i|we)(?: am| are|'m|'re)? (?:can't|cannot|can not|won't|will not|couldn't|may not|not allowed to|not able to|not permitted to|unable to) (?:really )?(?:tell|share|give|disclose|answer|discuss|reveal|provide|release|comment)(?: (?:you|that|this|out|it|any|on that|over the phone|information|such|those|to you)| that)*",
  "(?:i(?:'d| would)|we(?:'d| would)) (?:rather|prefer) not(?: to)?(?: (?:say|answer|tell|share)(?: (?:you|that|this|it))?)?",
  "that(?:'s| is) (?:private|confidential|personal|none of your business|not your business|not public)|none of your business|no comment",
);
const UNKNOWN = any(
  "(?:i|we)(?: really| honestly| just)? (?:don't|do not|wouldn't|would not|didn't) (?:really |actually |even |yet )?know(?: (?:that|yet|right now|off hand|offhand|about that|the answer))*",
  "(?:i(?:'m| am)|we(?:'re| are)) not (?:really |quite |entirely |too |so |100% |completely )?(?:sure|certain)(?: (?:yet|about that|about it|right now|anymore|any more))*",
  '(?:really |quite )?not (?:really |quite |entirely |too )?(?:sure|certain)',
  "(?:i |we )?(?:have |'ve |got |'ve got )?(?:absolutely )?no (?:idea|clue)",
  "(?:i|we) (?:don't|do not) have (?:that|this|the|any)(?: \\p{L}+)? ?(?:information|info|answer|details?|idea|number|figure)?(?: (?:on hand|at hand|here|handy|right now|available))?",
  "(?:i|we) (?:can't|cannot|couldn't|could not) (?:really )?(?:say|tell)(?: you)?(?: for sure| for certain| exactly)?",
  "(?:i )?dunno|beats me|who knows|hard to say|hard to tell|no way to know|can't say",
  "you(?:'d| would|'ll| will) have to ask(?: \\p{L}+){0,4}|(?:i|we) (?:haven't|have not) decided(?: yet)?|to be (?:determined|decided)",
);
const RETRACTION = any(
  '(?:please )?(?:forget|ignore|disregard|scratch|strike|cancel) (?:that|it|this|about (?:that|it)|what i (?:just )?said(?: about (?:\\p{L}+ ){0,3}\\p{L}+)?|my (?:last|previous) answer)',
  '(?:please )?(?:forget|ignore|disregard|scratch|strike) (?:about )?(?:the|my|that) (?:\\p{L}+ ){1,3}(?:that )?(?:i|we) (?:just )?(?:told|gave|said|mentioned)(?: (?:to )?you)?',
  "(?:i )?take (?:that|it) back|never ?mind(?: that| what i said)?|don't quote me on that",
  "(?:i was|that was|that's) wrong(?: about (?:that|it|the \\p{L}+))?",
);
/** Words for a machine, not for a listener: who says them answers nothing with them. Each is bounded, so that it stays linear. */
const INSTRUCTIONS: readonly RegExp[] = [
  /(?<!\p{L})(?:ignore|disregard|forget|override|bypass)(?!\p{L})[^.!?]{0,20}(?<!\p{L})(?:all|any|your|previous|prior|above|earlier|system)(?!\p{L})[^.!?]{0,20}(?<!\p{L})(?:instructions?|prompts?|rules|guidelines|programming|directions)(?!\p{L})/iu,
  /^[^\p{L}]{0,20}(?:system|assistant|developer)(?: (?:prompt|message|override|note))?\s{0,3}:/iu,
  /<\/?\s{0,3}(?:recipient|system|assistant|instructions?|event|user)(?!\p{L})/iu,
  /\{\s{0,5}"[^"]{1,80}"\s{0,5}:/u,
  /(?<!\p{L})(?:set|change|mark|record|fill)(?!\p{L})[^.!?]{0,60}(?<!\p{L})(?:to|as|=|with) {0,2}["']?(?:true|false|null)(?!\p{L})/iu,
  /(?<!\p{L})(?:answer|mark|say|record)(?!\p{L})[^.!?]{0,20}(?<!\p{L})(?:all|every|each)(?!\p{L})[^.!?]{0,20}(?<!\p{L})(?:answers?|questions?|fields?)(?!\p{L})/iu,
];
const STRONG_CORRECTION = any(
  '(?:oh |oops |uh |um )*(?:no|oh)[,. ]+wait(?: a (?:second|minute|moment))?(?:[,. ]+(?:sorry|no))?',
  'wait[,. ]+(?:no|sorry|actually)',
  "(?:sorry|no|oops|oh|wait|i'm sorry|my mistake|apologies)?[,. ]*(?:i meant|i misspoke|i should have said|i meant to say)(?: to say)?",
  'let me correct (?:that|myself)|correction|make that|scratch that|strike that|or rather|my mistake|my bad',
  "(?:i was|that was|that's) wrong(?: about (?:that|it|the \\p{L}+))?",
  '(?:forget|ignore|disregard) (?:that|it|what i (?:just )?said)',
);
const WEAK_CORRECTION = any('actually', 'i mean', 'no[,. ]+sorry', 'on second thought', 'come to think of it');
const ASKING =
  /^(?:(?:sorry|excuse me|wait|hold on|and|but|so|well|ok|okay|hello|hi|um|uh)[, ]+)*(?:who(?:'s| is| are|m)?|what(?:'s| is| are| do| does| did| kind)|why|where(?:'s| is| are| did)|when(?:'s| is| do| did)|which|how (?:did|do|much|many|long|can|come|is|are)|are you|is this|is that|is it|do you|did you|can i|can you|could you|may i|will you|would you|have you|are we|am i)\b/i;

/** What the turn does besides answering; each place is where it does it. */
export interface Stance {
  readonly hold: Place | null;
  readonly repeat: Place | null;
  readonly refusal: (Place & { readonly isFinal: boolean }) | null;
  /** The last "I don't know". */
  readonly unknown: Place | null;
  readonly retraction: Place | null;
  /** The last sign that what follows replaces something said before. */
  readonly correction: (Place & { readonly isStrong: boolean }) | null;
  readonly isQuestion: boolean;
  /** Addressed to a machine: to be followed by none, and an answer to nothing. */
  readonly isInstruction: boolean;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

export function stanceOf(text: string): Stance {
  const plain = evened(text);
  const trimmed = plain.trim();
  const strong = lastPlace(STRONG_CORRECTION, plain);
  const weak = lastPlace(WEAK_CORRECTION, plain);
  const final = lastPlace(FINAL_REFUSAL, plain);
  const refusal = lastPlace(REFUSAL, plain);
  const isRepeatAlone = REPEAT_ALONE.test(trimmed.replace(/[.!,]+$/, ''));
  const lastSentence = sentencesOf(text).at(-1)?.value ?? '';
  return {
    hold: lastPlace(HOLD, plain),
    repeat: isRepeatAlone ? { start: 0, end: plain.length } : lastPlace(REPEAT, plain),
    refusal: final !== null ? { ...final, isFinal: true } : refusal === null ? null : { ...refusal, isFinal: false },
    unknown: lastPlace(UNKNOWN, plain),
    retraction: lastPlace(RETRACTION, plain),
    correction: strong !== null ? { ...strong, isStrong: true } : weak === null ? null : { ...weak, isStrong: false },
    isQuestion: lastSentence.endsWith('?') || ASKING.test(evened(lastSentence).trim()),
    isInstruction: INSTRUCTIONS.some((pattern) => pattern.test(text)),
  };
}

/** Same length as the text, so that places hold. */
function evened(text: string): string {
  const lower = folded(text);
  return lower.length === text.length ? lower.replace(/\s/g, ' ') : text.replaceAll('’', "'").replace(/\s/g, ' ');
}

function lastPlace(pattern: RegExp, text: string): Place | null {
  let last: Place | null = null;
  for (const match of text.matchAll(pattern)) {
    const lead = /^[^\p{L}\p{N}]*/u.exec(match[0])?.[0].length ?? 0;
    last = { start: match.index + lead, end: match.index + match[0].length };
  }
  return last;
}
