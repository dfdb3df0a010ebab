import { diagnose } from '../investigation/diagnose.ts';
import { EvidenceStore } from '../investigation/evidence.ts';
import { joinNames } from '../investigation/format.ts';
import { interestingServices } from '../investigation/investigate.ts';
import type { NewArtifact } from '../investigation/types.ts';
import type { Budget } from '../telemetry/budget.ts';
import { collect, readState } from '../telemetry/collect.ts';
import type { Window } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { type View, viewOf } from '../telemetry/view.ts';
import { TOOLS, toolsFor } from './tools.ts';
import type { Facts, IssueLookup, IssueOverview, Tool } from './types.ts';
import { GOES_ON, inferSubject, parseQuestion, strangerIn, type Turn, understand } from './understand.ts';

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
 * cannot answer, it says what it can.
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
  const exists = async (number: number) => (await issues.byNumber(number)) !== null;
  let turn: Turn | null = null;
  let before: readonly Tool[] = [];
  let tools: readonly Tool[] = [];
  for (const one of [...history.map((past) => parseQuestion(past.question)), parsed]) {
    turn = await inferSubject(one, turn, services, now, exists);
    for (const [i, text] of [...one.asked, one.question].entries()) {
      turn = understand(text, turn, services, now, { issue: i === 0 ? one.issue : null, files: one.files });
      tools = chooseTools(turn, before, telemetry.state !== undefined);
      if (tools.length > 0) before = tools;
    }
  }
  if (turn === null || tools.length === 0)
    return { answer: abilities(services, telemetry.state !== undefined), artifacts: [] };
  if (!tools.every(({ offline }) => offline)) {
    if (!known.known) return { answer: `I can’t read telemetry right now. ${known.reason}`, artifacts: [] };
    // A namespace is no service, and its pods need not be known as ones.
    const stranger = tools.every(({ name }) => name === 'state') ? null : strangerIn(turn);
    if (stranger !== null)
      return {
        answer: `I know no service called ${stranger}. ${knownServices(services)}`,
        artifacts: [],
      };
  }
  const issue = turn.number === null ? null : await issues.byNumber(turn.number);
  const facts = await factsFor(turn, telemetry, { ...context, ...options, issue });
  const answers: string[] = [];
  for (const tool of tools) answers.push(await tool.answer(turn, facts));
  const note = parsed.talk.length + parsed.files.length > 0 ? inferredSubjectNote(turn, tools) : null;
  return {
    answer: [...(note === null ? [] : [note]), ...answers].join('\n\n'),
    artifacts: facts.evidenceStore.artifacts,
  };
}

/** What the tools may read: the hours before the time in question are read up front, more on request. */
async function factsFor(
  turn: Turn,
  telemetry: TelemetrySource,
  options: QuestionContext & { id: () => string; budget: Budget; issue: IssueOverview | null },
): Promise<Facts> {
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
    state: async () =>
      telemetry.state ? readState(telemetry, { from: now - HOURS, to: now + 1 }, budget) : null,
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
 * The tools that a question asks for. One with just another subject or time (`and payments?`) asks for the same as the
 * question before; a bare subject asks how it is.
 */
function chooseTools(turn: Turn, before: readonly Tool[], hasState: boolean): readonly Tool[] {
  const own = toolsFor(turn, hasState);
  if (own.length > 0) return own;
  const { named, numberNamed, timed, question } = turn;
  const goesOn = GOES_ON.test(question);
  const isShort = goesOn || question.trim().split(/\s+/u).length <= 5;
  if (before.length > 0 && ((timed && isShort) || goesOn || named.length > 0 || numberNamed !== null))
    return before;
  return named.length > 0 || goesOn ? TOOLS.filter(({ name }) => name === 'health') : [];
}

/** Precedes an answer whose subject was inferred; `null` if the question named it, or has no subject. */
function inferredSubjectNote(
  { subjectSource, services, number }: Turn,
  tools: readonly Tool[],
): string | null {
  if (subjectSource === null || tools.some(({ name }) => name === 'open issues' || name === 'file'))
    return null;
  const subject =
    services.length > 0 ? joinNames(services.slice(0, 3)) : number === null ? null : `#${number}`;
  const where = subjectSource === 'thread' ? 'this thread' : 'the attached file';
  return subject === null ? null : `Answering about ${subject}, which ${where} mentions.`;
}

function abilities(services: readonly string[], hasState: boolean): string {
  const example = (text: string, i: number) =>
    `- ${text.replace('{service}', services[i % services.length] ?? 'checkout')}`;
  return [
    'I can’t tell what that asks for. I can answer these:',
    '',
    ...TOOLS.filter(({ name }) => hasState || name !== 'state').map((tool, i) => example(tool.example, i)),
    '',
    knownServices(services),
  ].join('\n');
}

/** Of a large system, only some are listed. */
const MOST_SERVICES = 25;

function knownServices(services: readonly string[]): string {
  if (services.length === 0) return 'No source of telemetry knows any service right now.';
  const more = services.length - MOST_SERVICES;
  return `Services I know: ${services.slice(0, MOST_SERVICES).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
