import { Cabinet } from '../investigation/cabinet.ts';
import type { FoundArtifact } from '../investigation/types.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { readTold } from './context.ts';
import { courtesy, helpText, taken, unsure } from './help.ts';
import { INTENTS } from './intents/index.ts';
import type { Intent, IssueLookup, Turn } from './types.ts';
import { GOES_ON, overhear, understand } from './understand.ts';

export type { IssueBrief, IssueFilter, IssueLookup } from './types.ts';

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
  artifacts: FoundArtifact[];
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
  const told = readTold(question);
  const polite = courtesy(told.question, services);
  if (polite !== null) return { answer: polite, artifacts: [] };
  let turn: Turn | null = null;
  let intent: Intent | null = null;
  for (const one of [...history.map((past) => readTold(past.question)), told]) {
    turn = overhear(one, turn, services, now, (number) => issues.byNumber(number) !== null);
    for (const [i, text] of [...one.asked, one.question].entries()) {
      const beside = { issue: i === 0 ? one.issue : null, files: one.files };
      turn = understand(text, turn, services, now, beside);
      intent = intentOf(turn, intent);
    }
  }
  if (!turn || !intent) return { answer: helpText(services), artifacts: [] };
  const environment = turn.number === null ? undefined : issues.byNumber(turn.number)?.environment;
  const cabinet = new Cabinet({ telemetry, id: options.id, environment: environment ?? 'production' });
  const found = intent.answer(turn, { telemetry, issues, cabinet, now });
  const isSure = intent.matches(turn) || isShort(turn);
  const overheard = told.talk.length + told.files.length > 0 ? taken(turn, intent) : null;
  const lines = [...(isSure ? [] : [unsure(intent)]), ...(overheard === null ? [] : [overheard]), found];
  return { answer: lines.join('\n\n'), artifacts: cabinet.artifacts };
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
