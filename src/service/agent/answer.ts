import { EvidenceStore } from '../investigation/evidence-store.ts';
import type { NewArtifact } from '../investigation/types.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { helpText, inferredSubjectNote, smallTalk, uncertaintyNote } from './help.ts';
import { INTENTS } from './intents/index.ts';
import { parseQuestion } from './parse-question.ts';
import type { Intent, IssueLookup, Turn } from './types.ts';
import { GOES_ON, inferSubject, understand } from './understand.ts';

export type { IssueFilter, IssueLookup, IssueOverview } from './types.ts';

interface QuestionContext {
  /** Milliseconds since the epoch; nothing later is read. */
  now: number;
  /** The conversation so far, oldest first. */
  history: { question: string; answer: string }[];
  issues: IssueLookup;
}

interface Answer {
  /** Markdown. */
  answer: string;
  artifacts: NewArtifact[];
}

/**
 * Answers a question from telemetry and issues; what it does not name is taken from the conversation. One that
 * it cannot answer says what it can (contract, 2.9).
 */
export function answerQuestion(
  question: string,
  context: QuestionContext,
  telemetry: Telemetry,
  options: { id: () => string },
): Answer {
  const { now, history, issues } = context;
  const services = telemetry.services().map(({ name }) => name);
  const parsed = parseQuestion(question);
  const polite = smallTalk(parsed.question, services);
  if (polite !== null) return { answer: polite, artifacts: [] };
  let turn: Turn | null = null;
  let intent: Intent | null = null;
  for (const one of [...history.map((past) => parseQuestion(past.question)), parsed]) {
    turn = inferSubject(one, turn, services, now, (number) => issues.byNumber(number) !== null);
    for (const [i, text] of [...one.asked, one.question].entries()) {
      const extras = { issue: i === 0 ? one.issue : null, files: one.files };
      turn = understand(text, turn, services, now, extras);
      intent = intentOf(turn, intent);
    }
  }
  if (!turn || !intent) return { answer: helpText(services), artifacts: [] };
  const environment = turn.number === null ? undefined : issues.byNumber(turn.number)?.environment;
  const evidenceStore = new EvidenceStore({
    telemetry,
    id: options.id,
    environment: environment ?? 'production',
  });
  const found = intent.answer(turn, { telemetry, issues, evidenceStore, now });
  const isSure = intent.matches(turn) || isShort(turn);
  const subjectNote = parsed.talk.length + parsed.files.length > 0 ? inferredSubjectNote(turn, intent) : null;
  const lines = [
    ...(isSure ? [] : [uncertaintyNote(intent)]),
    ...(subjectNote === null ? [] : [subjectNote]),
    found,
  ];
  return { answer: lines.join('\n\n'), artifacts: evidenceStore.artifacts };
}

/** What a question asks for; one that only names another subject or time (`and payments?`) asks for the same as before. */
function intentOf(turn: Turn, before: Intent | null): Intent | null {
  const own = INTENTS.find((intent) => intent.matches(turn));
  if (own) return own;
  const onlySubject = turn.named.length > 0 || turn.numberNamed !== null || GOES_ON.test(turn.question);
  if (turn.timed && isShort(turn) && before) return before;
  return onlySubject ? (before ?? INTENTS.find(({ name }) => name === 'health') ?? null) : null;
}

/** Too short to ask for anything by itself. */
function isShort({ question }: Turn): boolean {
  return GOES_ON.test(question) || question.trim().split(/\s+/u).length <= 5;
}
