import { diagnose } from '../investigation/diagnose.ts';
import { EvidenceStore } from '../investigation/evidence-store.ts';
import { interestingServices } from '../investigation/observe.ts';
import type { NewArtifact } from '../investigation/types.ts';
import type { Budget } from '../telemetry/budget.ts';
import { collect } from '../telemetry/collect.ts';
import type { Window } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { type View, viewOf } from '../telemetry/view.ts';
import { helpText, inferredSubjectNote, smallTalk, uncertaintyNote, unknownService } from './help.ts';
import { INTENTS } from './intents/index.ts';
import { parseQuestion } from './parse-question.ts';
import type { Intent, IssueLookup, IssueOverview, Tools, Turn } from './types.ts';
import { GOES_ON, inferSubject, strangerIn, understand } from './understand.ts';

export type { IssueFilter, IssueLookup, IssueOverview } from './types.ts';

const MINUTE = 60_000;
/** How much telemetry is read before the time that a question is about. */
const HOURS = 180 * MINUTE;
const MOST_SAMPLES = 200;

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
 * Answers a question from telemetry and issues, filling in from the conversation what the question leaves out. If it
 * cannot answer, it says what it can (contract, 2.9).
 */
export async function answerQuestion(
  question: string,
  context: QuestionContext,
  telemetry: TelemetrySource,
  options: { id: () => string; budget: Budget },
): Promise<Answer> {
  const { now, history, issues } = context;
  const known = await telemetry.services({ from: now - HOURS, to: now + 1 }, options.budget);
  const services = known.known ? known.value.map(({ name }) => name) : [];
  const parsed = parseQuestion(question);
  const polite = smallTalk(parsed.question, services);
  if (polite !== null) return { answer: polite, artifacts: [] };
  let turn: Turn | null = null;
  let intent: Intent | null = null;
  for (const one of [...history.map((past) => parseQuestion(past.question)), parsed]) {
    turn = await inferSubject(
      one,
      turn,
      services,
      now,
      async (number) => (await issues.byNumber(number)) !== null,
    );
    for (const [i, text] of [...one.asked, one.question].entries()) {
      const extras = { issue: i === 0 ? one.issue : null, files: one.files };
      turn = understand(text, turn, services, now, extras);
      intent = intentOf(turn, intent);
    }
  }
  if (!turn || !intent) return { answer: helpText(services), artifacts: [] };
  if (!known.known && !intent.offline)
    return { answer: `I can’t read telemetry right now. ${known.reason}`, artifacts: [] };
  const stranger = strangerIn(turn);
  if (stranger !== null && known.known && !intent.offline)
    return { answer: unknownService(stranger, services), artifacts: [] };
  const issue = turn.number === null ? null : await issues.byNumber(turn.number);
  const tools = await toolsFor(turn, telemetry, {
    ...context,
    ...options,
    issue,
  });
  const found = await intent.answer(turn, tools);
  const isSure = intent.matches(turn) || isShort(turn);
  const subjectNote = parsed.talk.length + parsed.files.length > 0 ? inferredSubjectNote(turn, intent) : null;
  const lines = [
    ...(isSure ? [] : [uncertaintyNote(intent, turn.services[0] ?? services[0])]),
    ...(subjectNote === null ? [] : [subjectNote]),
    found,
  ];
  return { answer: lines.join('\n\n'), artifacts: tools.evidenceStore.artifacts };
}

/** What an intent may use: the hours before the time in question are read up front, more on request. */
async function toolsFor(
  turn: Turn,
  telemetry: TelemetrySource,
  options: QuestionContext & { id: () => string; budget: Budget; issue: IssueOverview | null },
): Promise<Tools> {
  const { now, issues, issue, id, budget } = options;
  const read = async (window: Window, services: readonly string[] | null): Promise<View> => {
    const snapshot = await collect(
      telemetry,
      {
        window,
        trigger: Math.min(turn.at, window.to),
        stepMs: Math.max(MINUTE, Math.ceil((window.to - window.from) / MOST_SAMPLES / MINUTE) * MINUTE),
        pastMs: 0,
        alert: null,
        services,
        interest: (metrics) => services ?? interestingServices(metrics, turn.services[0] ?? null),
      },
      budget,
    );
    return viewOf(snapshot);
  };
  const view = await read({ from: turn.at - HOURS, to: Math.min(now, turn.at + 10 * MINUTE) + 1 }, null);
  return {
    view,
    issues,
    issue,
    now,
    look: (window, services) => read(window, services),
    diagnose: (service) => diagnose(view, { named: service, text: turn.question }),
    evidenceStore: new EvidenceStore({
      view,
      id,
      environment: issue?.environment ?? 'production',
      provider: telemetry.name,
    }),
  };
}

/**
 * What a question asks for; a question with just another subject or time (`and payments?`) asks for the same as before.
 */
function intentOf(turn: Turn, before: Intent | null): Intent | null {
  const own = INTENTS.find((intent) => intent.matches(turn));
  if (own) return own;
  const onlySubject = turn.named.length > 0 || turn.numberNamed !== null || GOES_ON.test(turn.question);
  if (turn.timed && isShort(turn) && before) return before;
  return onlySubject ? (before ?? INTENTS.find(({ name }) => name === 'health') ?? null) : null;
}

/** Too short to state an intent. */
function isShort({ question }: Turn): boolean {
  return GOES_ON.test(question) || question.trim().split(/\s+/u).length <= 5;
}
