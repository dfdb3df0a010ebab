import { diagnose } from '../investigation/diagnose.ts';
import { EvidenceStore } from '../investigation/evidence.ts';
import { joinNames } from '../investigation/format.ts';
import { interestingServices } from '../investigation/investigate.ts';
import type { NewArtifact } from '../investigation/types.ts';
import type { Budget } from '../telemetry/budget.ts';
import { collect, readState } from '../telemetry/collect.ts';
import type { Series, Service, Window } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { type View, viewOf } from '../telemetry/view.ts';
import { causeOf, withoutCause } from './about-issue.ts';
import { onsetOf, scopeOf } from './issue-scope.ts';
import { TOOLS, toolsFor } from './tools.ts';
import type { Facts, IssueLookup, IssueOverview, IssueRecord, Tool } from './types.ts';
import {
  GOES_ON,
  goesOn,
  inferSubject,
  parseQuestion,
  strangerIn,
  type Turn,
  understand,
} from './understand.ts';

const MINUTE = 60_000;
/** How much telemetry is read before the time that a question is about. */
const HOURS = 180 * MINUTE;
/** Of an issue, telemetry is read from before its onset, unless it is older. */
const MOST_HOURS = 24 * 60 * MINUTE;
const BEFORE_ONSET = 90 * MINUTE;
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
  /** Ids of artifacts of an issue's results that it rests on. */
  cited: string[];
}

/**
 * Answers a question from an issue's results, telemetry and the other issues, filling in from the conversation what the
 * question leaves out. What it does not understand, or cannot tell, it says first.
 */
export async function answerQuestion(
  question: string,
  context: QuestionContext,
  telemetry: TelemetrySource,
  options: { id: () => string; budget: Budget },
): Promise<Answer> {
  const { now, history, issues } = context;
  const known = await telemetry.services({ from: now - HOURS, to: now + 1 }, options.budget);
  const directory = known.known ? known.value : [];
  const services = directory.map(({ name }) => name);
  const hasState = telemetry.state !== undefined;
  const parsed = parseQuestion(question);
  const exists = async (number: number) => (await issues.byNumber(number)) !== null;
  let turn: Turn | null = null;
  let before: readonly Tool[] = [];
  let tools: readonly Tool[] = [];
  let instance: { name: string; service: string } | null = null;
  for (const one of [...history.map((past) => parseQuestion(past.question)), parsed]) {
    turn = await inferSubject(one, turn, services, now, exists);
    for (const [i, words] of [...one.asked, one.question].entries()) {
      instance = instanceIn(words, directory);
      const text = instance === null ? words : words.replace(instance.name, instance.service);
      turn = understand(text, turn, services, now, { issue: i === 0 ? one.issue : null, files: one.files });
      tools = chooseTools(turn, before, hasState);
      if (tools.length > 0) before = tools;
    }
  }
  if (turn === null) return inWords(abilities(services, hasState));
  const issue = turn.number === null ? null : await issues.byNumber(turn.number);
  const isOffline = tools.length > 0 && tools.every(({ offline }) => offline);
  if (!known.known && !isOffline && tools.length > 0)
    return inWords(`I can’t read telemetry right now. ${known.reason}`);
  // A namespace is no service, and its pods need not be known as ones.
  const { newest: open } = await issues.list({ status: 'open', environment: null, severity: null });
  const stranger =
    isOffline || tools.some(({ name }) => name === 'state' || name === 'commands')
      ? null
      : strangerIn(turn, (name) => isKnown(name, directory));
  if (stranger !== null)
    return inWords(await aboutStranger(stranger, { turn, issue, services, open }, issues));
  if (tools.length === 0) return inWords(notUnderstood(turn, issue, services, hasState));
  const cited = new Set<string>();
  const subject =
    issue === null && turn.services.length === 0 ? (turn.context?.services ?? []) : turn.services;
  const asked = { ...turn, services: subject };
  const facts = await factsFor(asked, telemetry, { ...context, ...options, issue, open, cited });
  const answers: string[] = [];
  for (const tool of tools) answers.push(await tool.answer(asked, facts));
  const note = parsed.talk.length + parsed.files.length > 0 ? inferredSubjectNote(asked, tools) : null;
  const part = instance === null ? null : `${instance.name} is part of ${instance.service}.`;
  return {
    answer: [note, part, ...answers].filter((one) => one !== null).join('\n\n'),
    artifacts: facts.evidenceStore.artifacts,
    cited: [...cited],
  };
}

function inWords(answer: string): Answer {
  return { answer, artifacts: [], cited: [] };
}

/** What the tools may read: the hours before the time in question are read up front, more on request. */
async function factsFor(
  turn: Turn,
  telemetry: TelemetrySource,
  options: QuestionContext & {
    id: () => string;
    budget: Budget;
    issue: IssueRecord | null;
    open: readonly IssueOverview[];
    cited: Set<string>;
  },
): Promise<Facts> {
  const { now, issues, issue, open, id, budget, cited } = options;
  const read = async (window: Window, services: readonly string[] | null): Promise<View> => {
    const snapshot = await collect(
      telemetry,
      {
        window,
        trigger: Math.min(turn.at, window.to),
        stepMs: stepFor(window),
        pastMs: 0,
        alert: null,
        services,
        interest: (metrics) => services ?? interestingServices(metrics, turn.services[0] ?? null),
      },
      budget,
    );
    return viewOf(snapshot);
  };
  const begin = issue === null ? now : onsetOf(issue) - BEFORE_ONSET;
  const isPast = turn.at < now;
  const from = isPast ? turn.at - HOURS : Math.max(now - MOST_HOURS, Math.min(now - HOURS, begin));
  const view = await read({ from, to: Math.min(now, turn.at + 10 * MINUTE) + 1 }, null);
  const whole = issue === null ? null : scopeOf(issue, view);
  const isWithin = turn.services.every((service) => whole?.services.includes(service) === true);
  return {
    view,
    issues,
    open,
    issue,
    scope: isWithin ? whole : null,
    thread: whole,
    now,
    state: async () =>
      telemetry.state ? readState(telemetry, { from: now - HOURS, to: now + 1 }, budget) : null,
    look: (window, services) => read(window, services),
    split: async (service, measure, labels) => {
      const signal = view.seriesOf(service, measure)?.signal;
      if (signal === undefined) return null;
      const window = {
        from: Math.max(turn.window.from, turn.window.to - 60 * MINUTE),
        to: turn.window.to + 1,
      };
      const query = { signals: [signal.id], services: [service], stepMs: stepFor(window), by: labels };
      const answer = await telemetry.series(query, window, budget);
      return answer.known ? splitBy(answer.value, labels) : null;
    },
    diagnose: (service) => diagnose(view, { named: service, text: turn.question }),
    evidenceStore: new EvidenceStore({
      view,
      id,
      environment: issue?.environment ?? 'production',
      provider: telemetry.name,
    }),
    cite: (ids) => {
      for (const one of ids) cited.add(one);
    },
  };
}

function stepFor({ from, to }: Window): number {
  return Math.max(MINUTE, Math.ceil((to - from) / MOST_SAMPLES / MINUTE) * MINUTE);
}

/** The first of the labels that the series have. */
function splitBy(
  all: readonly Series[],
  labels: readonly string[],
): { label: string; series: Series[] } | null {
  for (const label of labels) {
    const series = all.filter((one) => (one.labels[label] ?? '') !== '');
    if (series.length > 0) return { label, series };
  }
  return null;
}

/**
 * The tools that a question asks for. One with just another subject or time (`and payments?`) asks for the same as the
 * question before; a bare subject asks how it is.
 */
function chooseTools(turn: Turn, before: readonly Tool[], hasState: boolean): readonly Tool[] {
  const own = toolsFor(turn, hasState);
  if (own.length > 0) return own;
  const { named, numberNamed, timed, question } = turn;
  const continues = goesOn(question, timed);
  const isShort = question.split(' ').length <= 6;
  const isBare = question.split(' ').length <= 3;
  if (before.length > 0 && (continues || (isBare && (named.length > 0 || numberNamed !== null))))
    return before;
  return (isShort && named.length > 0) || GOES_ON.test(question)
    ? TOOLS.filter(({ name }) => name === 'health')
    : [];
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

/** What can be asked about an issue, in the words that are understood. */
const ABOUT_ISSUE =
  'why, how sure that is, since when, whether it is over, who is affected, what changed, what to do, or a metric (“error rate of {service}”)';

function notUnderstood(
  { question }: Turn,
  issue: IssueRecord | null,
  services: readonly string[],
  hasState: boolean,
): string {
  if (/^\W*(?:help|what can (?:you|i)\b.*)\W*$/iu.test(question)) return abilities(services, hasState);
  if (/^\W*who\b/iu.test(question)) return 'I can’t tell who: I know services and issues, but no people.';
  const service = services[0] ?? 'checkout';
  if (issue !== null)
    return `I can’t tell what that asks for. About #${issue.number} you can ask me: ${ABOUT_ISSUE.replace('{service}', service)}.`;
  return `I can’t tell what that asks for. Ask me, for example: “Why is ${service} slow?”, “What changed in the last hour?”, “What is open?”, or “help” for more.`;
}

function abilities(services: readonly string[], hasState: boolean): string {
  const example = (text: string, i: number) =>
    `- ${text.replace('{service}', services[i % services.length] ?? 'checkout')}`;
  return [
    'I can answer questions like these:',
    '',
    ...TOOLS.filter(({ name, example: text }) => text !== '' && (hasState || name !== 'state')).map(
      (tool, i) => example(tool.example, i),
    ),
    '',
    knownServices(services),
  ].join('\n');
}

/** What can be said of something that telemetry does not know: which issue is about it. */
async function aboutStranger(
  name: string,
  context: {
    turn: Turn;
    issue: IssueRecord | null;
    services: readonly string[];
    open: readonly IssueOverview[];
  },
  issues: IssueLookup,
): Promise<string> {
  const { turn, issue, services, open } = context;
  const unknown = `I know no service called ${name}: there are no metrics for it.`;
  const records = await Promise.all(
    open.slice(0, MOST_LOOKED_AT).map(({ number }) => issues.byNumber(number)),
  );
  const about = records.find(
    (one) =>
      one !== null &&
      `${one.title} ${one.description} ${JSON.stringify(one.context.tags ?? '')}`.includes(name),
  );
  if (about) {
    const cause = about.rootCauseSummary ?? withoutCause({ issue: about });
    return `${unknown} #${about.number} ${about.title} is about it (${about.status.replaceAll('_', ' ')}). ${cause}`;
  }
  const isGuess = /^\W*(?:is|was) (?:it|this|that)\b/iu.test(turn.question);
  const cause = isGuess && issue !== null ? causeOf({ issue }) : null;
  return `${unknown} ${cause ?? knownServices(services)}`;
}

const MOST_LOOKED_AT = 20;

/** The address or pod in a text that is one of a service's. */
function instanceIn(text: string, services: readonly Service[]): { name: string; service: string } | null {
  const words = new Set(text.split(/[\s`"'(),?]+/u).filter((word) => /\d/u.test(word)));
  for (const { name: service, instances = [] } of words.size === 0 ? [] : services) {
    const name = instances.find((one) => words.has(one));
    if (name !== undefined && name !== service) return { name, service };
  }
  return null;
}

/** Whether a name is another one of a service, or an address or a pod of it. */
function isKnown(name: string, services: readonly Service[]): boolean {
  return services.some(({ aliases, instances = [] }) => [...aliases, ...instances].includes(name));
}

/** Of a large system, only some are listed. */
const MOST_SERVICES = 25;

function knownServices(services: readonly string[]): string {
  if (services.length === 0) return 'No source of telemetry knows any service right now.';
  const more = services.length - MOST_SERVICES;
  return `Services I know: ${services.slice(0, MOST_SERVICES).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
