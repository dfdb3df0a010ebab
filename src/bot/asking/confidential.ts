import type { Organization } from '../../lib/issue-number.ts';
import type { Conversation } from '../store/conversations.ts';
import type { Question } from '../store/questions.ts';
import { whyBrokenOff } from './explain-error.ts';
import { createNamesOf } from './names-of.ts';
import type { AnswerOutcome } from './outcome.ts';
import { type ConfidentialOptions, type Readers, readersOf } from './readers.ts';
import { createUnknownIssues } from './unknown-issues.ts';
import type { Names } from './withholding/names.ts';
import { Scanner, type ScanResult } from './withholding/scan.ts';
import { type LookUp, Withholder } from './withholding/withhold.ts';

/** A conversation whose organisation is known. */
type Asking = Conversation & { organization: Organization };

/** Withholds from the readers of one answer what they may not see. */
export interface Guard {
  /** Everything that the agent gets with a question. */
  told(words: string): Promise<void>;
  /** What may be shown of an answer that grows. */
  grow(soFar: string): Promise<string>;
  /** What has become of the question, without what its readers may not see. */
  ended(outcome: AnswerOutcome): Promise<AnswerOutcome>;
}

/** Knows which issues people may not see: those of private channels that they are not in. */
export interface Confidential {
  guard(question: Question, conversation: Asking): Guard;
  /** Whether a text names an issue that its readers may not see; numbers in it are those of one organisation. */
  hides(text: string, readers: Readers, organization: Organization): Promise<boolean>;
}

/** So many earlier questions tell what a question goes on about. */
const LOOKED_BACK = 50;
/** A question without a subject, which refers to what was listed before. */
const POINTS_BACK =
  /\b(?:it|its|this|that|these|those|they|their|them|one|ones|first|second|third|fourth|fifth|1st|2nd|3rd|\d+th|last|latter|former|next|previous|above|other|others|another|rest|remaining|missing|hidden|private|secret|omitted|withheld|left out|more|else|details?|why|continue|go on|issues?)\b|^\W*(?:\S+\W*){0,2}$/iu;

export function createConfidential(options: ConfidentialOptions): Confidential {
  const namesOf = createNamesOf(options);
  const unknown = createUnknownIssues(options);

  async function read(raw: string, readers: Readers, names: Names): Promise<ScanResult> {
    const { organization } = names;
    const reading = new Scanner(names).read({ raw, kind: 'paragraph', numbered: [] });
    let step = reading.next();
    while (!step.done) step = reading.next();
    const found = step.value;
    for (const number of found.unknown) {
      if (!(await unknown.hides({ organization, number }, readers))) continue;
      found.hides = true;
      found.hidesId = true;
    }
    return found;
  }

  /** Why all of an answer is withheld, by what was asked; `null` if that says nothing. */
  async function subjectOf(
    question: Question,
    { issueId, organization }: Asking,
    readers: Readers,
  ): Promise<'all' | 'thread' | null> {
    const names = await namesOf(readers, organization);
    if (issueId !== null && names.isHiddenId(issueId)) return 'all';
    const own = await read(question.text, readers, names);
    if (own.hides) return 'all';
    if (own.shows) return null;
    let before: 'asked' | 'listed' | null = null;
    for (const { text, withheld } of await options.store.questions.before(question, LOOKED_BACK)) {
      const found = await read(text, readers, names);
      if (found.hides) before = 'asked';
      else if (found.shows) before = null;
      if (withheld === 'part') before ??= 'listed';
    }
    if (before === 'asked') return 'thread';
    return before === 'listed' && POINTS_BACK.test(question.text) ? 'thread' : null;
  }

  function guard(question: Question, conversation: Asking): Guard {
    const { organization } = conversation;
    const readers = readersOf({ channel: conversation.channel, asker: question.asker });
    const lookUp: LookUp = (number) => unknown.hides({ organization, number }, readers);
    let subject: 'all' | 'thread' | null | undefined;
    let growing: { names: Names; withholder: Withholder } | null = null;

    const about = async () => {
      subject ??= await subjectOf(question, conversation, readers);
      return subject;
    };

    return {
      told: async (words) => {
        if ((await about()) !== null) return;
        const names = await namesOf(readers, organization);
        const { hidesId } = await read(words, readers, names);
        if (hidesId) subject = 'all';
      },
      grow: async (soFar) => {
        if ((await about()) !== null) return '';
        const names = await namesOf(readers, organization);
        if (growing?.names !== names) growing = { names, withholder: new Withholder(names, lookUp) };
        return growing.withholder.grow(soFar);
      },
      ended: async (outcome) => {
        const names = await namesOf(readers, organization);
        const hides = async (text: string) => (await read(text, readers, names)).hides;
        const note = await checkedNote(outcome, hides);
        const withheld = await about();
        if (withheld !== null) return { ...outcome, note, answer: '', artifacts: [], withheld };
        const withholder = new Withholder(names, lookUp);
        await withholder.grow(outcome.answer);
        const answer = await withholder.end(outcome.state === 'complete');
        const artifacts: unknown[] = [];
        for (const artifact of outcome.artifacts) {
          if (!(await hides(stringsIn(artifact).join('\n\n')))) artifacts.push(artifact);
        }
        const isPart = withholder.withheld || artifacts.length < outcome.artifacts.length;
        return { ...outcome, note, answer, artifacts, withheld: isPart ? 'part' : null };
      },
    };
  }

  return {
    guard,
    hides: async (text, readers, organization) =>
      (await read(text, readers, await namesOf(readers, organization))).hides,
  };
}

/** A note may quote the service. */
async function checkedNote(
  { state, note }: AnswerOutcome,
  hides: (text: string) => Promise<boolean>,
): Promise<string | null> {
  if (note === null || !(await hides(note))) return note;
  return state === 'failed' ? whyBrokenOff(undefined) : null;
}

/** Every text in a value from outside, keys included. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object'
      ? [key, ...stringsIn(inner)]
      : stringsIn(inner).map((text) => `${key}: ${text}`),
  );
}
