// The built-in mind: no model, only rules. It states the purpose, asks one question for each answer that the schema wants, and
// says thank you. It tells nothing but the purpose and what it is itself; what it hears is understood word by word or not at
// all. What it knows of the call it reads from the turns, so that words that were never said count for nothing.
import type { Leaf } from '../../answers/leaf.ts';
import { leavesOf } from '../../answers/leaves.ts';
import { isOptionalRemark, questionFor } from '../../answers/question.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Act, CreateMind, MindBrief, Prompt, Turn } from '../mind.ts';
import { asideTo, knownAsideTo } from './asides.ts';
import { Interview } from './interview.ts';
import type { Step } from './interview.ts';
import { purposeOf } from './purpose.ts';

/** How long we wait for a word after the purpose was stated: a machine answers at once, a person may only listen. */
const REPLY_SECONDS = 2;
/** How long we wait after the first "one moment, please", the second, and every later one, before we ask whether they are there. */
const HOLD_SECONDS = [8, 15] as const;
const LONG_HOLD_SECONDS = 30;

const GOODBYE = 'Goodbye.';

/** Makes the interviewer of one call. It never throws and answers at once. */
export function createInterviewer(clock: Clock): CreateMind {
  return (brief) => {
    const interviewer = new Interviewer(brief, clock);
    return {
      // oxlint-disable-next-line require-await -- nothing to wait for: this mind is done as soon as it is asked
      async *respond(prompt, turns) {
        yield* interviewer.respond(prompt, turns);
      },
    };
  };
}

/** Answers one after the other as the schema has them, optional remarks at the end. */
export function questionsOf(brief: Pick<MindBrief, 'resultSchema'>): readonly Leaf[] {
  const leaves = leavesOf(brief.resultSchema);
  return [...leaves.filter((leaf) => !isOptionalRemark(leaf)), ...leaves.filter((leaf) => isOptionalRemark(leaf))];
}

/** The interviewer of one call. */
export class Interviewer {
  readonly #brief: MindBrief;
  readonly #purpose: string;
  readonly #interview: Interview;
  readonly #questions: readonly Leaf[];

  constructor(brief: MindBrief, clock: Clock) {
    this.#questions = questionsOf(brief);
    this.#brief = brief;
    this.#purpose = purposeOf(brief.objective);
    this.#interview = new Interview(this.#questions, () => clock.now());
  }

  /** What to do now. Pure but for the time of day. */
  respond(prompt: Prompt, turns: readonly Turn[]): Act[] {
    this.#interview.read(turns);
    switch (prompt.kind) {
      case 'opening':
        return this.#opening(prompt.heard);
      case 'heard':
        return this.#acts(this.#interview.heard(), prompt.text);
      case 'waited':
      case 'silence':
        return this.#acts(this.#interview.silent(), '');
    }
  }

  #opening(heard: string | null): Act[] {
    const reaction = heard === null ? 'go_on' : this.#interview.greeted();
    if (reaction === 'leave') return this.#acts(this.#interview.heard(), '');
    // Without a question of our own, what the recipient says to the purpose is all there is to hear.
    if (this.#questions.length === 0) return [{ kind: 'say', text: this.#purpose }];
    const [first] = this.#questions;
    if (first !== undefined && isPurpose(first))
      return [this.#question({ kind: 'ask', leaf: first, because: 'first' }, '')];
    return [
      { kind: 'say', text: this.#purpose },
      { kind: 'wait', seconds: reaction === 'hold' ? HOLD_SECONDS[0] : REPLY_SECONDS },
    ];
  }

  #acts(step: Step, heard: string): Act[] {
    switch (step.kind) {
      case 'ask':
        return [this.#question(step, heard)];
      case 'hold':
        return [{ kind: 'wait', seconds: HOLD_SECONDS[step.times - 1] ?? LONG_HOLD_SECONDS }];
      case 'state_purpose':
        return [
          { kind: 'say', text: this.#purpose },
          { kind: 'wait', seconds: REPLY_SECONDS },
        ];
      case 'thank':
        return this.#goodbye('Thank you very much, that is all I wanted to know.');
      case 'leave':
        return this.#goodbye('I understand. I am sorry to have troubled you. Thank you for your time.');
      case 'note_and_leave':
        return this.#goodbye('Thank you, I have noted the correction.');
      case 'answer_and_leave':
        return this.#lastAnswer(heard);
      case 'hang_up':
        return [{ kind: 'hang_up' }];
    }
  }

  #question(step: Extract<Step, { kind: 'ask' }>, heard: string): Act {
    const { leaf } = step;
    const first = isPurpose(leaf) ? `${this.#purpose} ${questionFor(leaf, 1)}` : questionFor(leaf, 1);
    return { kind: 'say', text: this.#worded(step, first, heard), about: leaf.pointer };
  }

  #lastAnswer(heard: string): Act[] {
    const aside = knownAsideTo(heard, this.#aboutUs());
    return aside === null || aside === '' ? [{ kind: 'hang_up' }] : this.#goodbye(`${aside} Thank you.`);
  }

  #worded(step: Extract<Step, { kind: 'ask' }>, question: string, heard: string): string {
    switch (step.because) {
      case 'first':
        return question;
      case 'answered':
        return `Thank you. ${question}`;
      case 'no_answer':
        return `All right. ${question}`;
      case 'unclear':
        return questionFor(step.leaf, 2);
      case 'repeat':
        return `Of course. ${question}`;
      case 'crossed':
        return `Let me ask again. ${question}`;
      case 'noted':
        return `Thank you, I have noted the correction. ${question}`;
      case 'correction':
        return `All right, let me ask that again. ${question}`;
      case 'silence':
        return `Are you still there? ${question}`;
      case 'question':
        return `${asideTo(heard, this.#aboutUs())} ${question}`.trimStart();
    }
  }

  #aboutUs() {
    const { callerName, assistantName } = this.#brief;
    return { callerName, assistantName, purpose: this.#purpose };
  }

  #goodbye(words: string): Act[] {
    return [{ kind: 'say', text: `${words} ${GOODBYE}` }, { kind: 'hang_up' }];
  }
}

/** Whether the schema wants one answer and says nothing about it: the purpose of the call is the question. */
function isPurpose(leaf: Leaf): boolean {
  return leaf.pointer === '' && leaf.title === null && leaf.description === null;
}
