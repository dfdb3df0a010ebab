import { joinNames, timeOfDay } from '../investigation/format.ts';
import type { NewArtifact } from '../investigation/types.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { Service } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { openCatalog } from './catalog/open.ts';
import { database, insideAsked } from './database.ts';
import { factsFor } from './facts.ts';
import { health } from './health.ts';
import { scopeOf } from './issue-scope.ts';
import { notFound } from './issues.ts';
import { asksForOwner, ownersInWords, ownersLabelled } from './owners.ts';
import type { Phrase } from './phrases.ts';
import { aspectOf, type Choice, chooseTools, withAnyMetric } from './router.ts';
import {
  acrossSystems,
  artifactsOf,
  type InSystem,
  type Systems,
  systemsFor,
  systemsNamed,
  systemsWith,
} from './systems.ts';
import type { Found, Tool } from './tool.ts';
import { verdictOf } from './tools/verdict.ts';
import type { IssueLookup, IssueOverview, IssueRecord } from './types.ts';
import {
  type Asked,
  EVERYTHING,
  inferSubject,
  isYesNo,
  plainly,
  type Subject,
  subjectAfter,
  type Turn,
  understand,
} from './understand.ts';
import { thingsIn, unknownFor } from './unknown.ts';
import { knownInWords } from './words/health.ts';
import { withoutCause } from './words/verdict.ts';

interface QuestionContext {
  /** Milliseconds since the epoch; nothing later is read. */
  now: number;
  /** What the conversation is about so far; `null` where it begins. */
  before: Subject | null;
  issues: IssueLookup;
}

interface Answer {
  /** Markdown. */
  answer: string;
  artifacts: NewArtifact[];
  /** Ids of artifacts of an issue's results that it rests on. */
  cited: string[];
  /** What the next question goes on from. */
  subject: Subject;
}

/** What is being looked at, while it is; then the answer. */
type AnswerEvent = { kind: 'progress'; text: string } | { kind: 'answer'; answer: Answer };

/** A question for which a model may choose the tools. */
export interface RouteQuestion {
  question: string;
  /** The question before it in the conversation. */
  before: string | null;
  /** What people wrote in the thread. */
  talk: readonly string[];
  services: readonly string[];
  issues: readonly IssueOverview[];
  /** The issue that it is about. */
  issue: number | null;
  /** The tools that its phrases choose. */
  hint: readonly string[];
  now: number;
}

/** The tools for a question with their arguments, and the issue that it is about. */
export interface Routed {
  issue: number | null;
  calls: readonly { tool: Tool; args: Record<string, unknown> & { services: string[] } }[];
}

interface AnswerOptions {
  id: () => string;
  budget: Budget;
  /** Chooses the tools instead of the phrases; `null` leaves it to them. */
  route?: ((asked: RouteQuestion, issue: IssueRecord | null) => Promise<Routed | null>) | undefined;
}

/** One thing that is looked up: a tool for a part of the question, or what is said instead. */
interface Lookup extends Choice {
  /** Arguments that were chosen otherwise than by the words. */
  args: Record<string, unknown>;
  /** What is said of something that telemetry does not know. */
  instead: string | null;
}

/** Orders, files that people attach, and the inside of databases: no model is needed to see that they are meant. */
const ONLY_WORDS = ['help', 'file', 'database'];
const EVERY_ISSUE = { status: 'open', environment: null, severity: null } as const;

/**
 * Answers a question from an issue's results, telemetry and the other issues, filling in from the conversation what the
 * question leaves out. What it does not understand, or cannot tell, it says first.
 */
export async function* answerQuestion(
  asked: Asked,
  context: QuestionContext,
  telemetry: TelemetrySource,
  options: AnswerOptions,
): AsyncGenerator<AnswerEvent> {
  const { now, issues } = context;
  yield { kind: 'progress', text: `Looking at ${asked.issue?.service ?? 'the services'} …` };
  const thread = asked.issue?.number ?? context.before?.threadNumber ?? null;
  const systemsOf = async (number: number | null) =>
    systemsFor(telemetry, number === null ? null : await issues.byNumber(number), {
      now,
      budget: options.budget,
    });
  const systems = await systemsOf(thread);
  const known = systems.services;
  const directory = known.known ? known.value : [];
  const services = directory.map(({ name }) => name);
  const hasState = telemetry.state !== undefined;
  const before = await subjectBefore(asked, context, directory, hasState);
  const turn = understand(asked.question, before, directory, now, asked);
  const catalog = await openCatalog(telemetry, { now, budget: options.budget });
  const isInside = insideAsked(turn, telemetry.inside?.all ?? []);
  const choices = isInside
    ? [{ tool: database, turn }]
    : withAnyMetric(
        withThings(chooseTools(turn, before, { services, hasState }), turn, directory),
        turn,
        catalog,
      );
  const issue = turn.number === null ? null : await issues.byNumber(turn.number);
  const { newest: open } = await issues.list(EVERY_ISSUE);
  const answered = (answer: string, more: Partial<Answer> = {}): AnswerEvent => ({
    kind: 'answer',
    answer: {
      answer,
      artifacts: [],
      cited: [],
      subject: subjectAfter(turn, choices.length === 0 ? (before?.tools ?? []) : namesOf(choices)),
      ...more,
    },
  });

  if (asksForOwner(turn.question, choices[0]?.tool.name === 'dependencies')) {
    const labelled = await ownersLabelled(telemetry, catalog, { now, budget: options.budget });
    const scope = issue === null ? null : scopeOf(issue, directory);
    yield answered(ownersInWords(turn, { told: asked.owners ?? [], labelled }, scope));
    return;
  }
  const isOffline = choices.length > 0 && choices.every(({ tool }) => tool.isOffline);
  if (!known.known && !isOffline && choices.length > 0) {
    yield answered(beginning(turn.question, { text: withoutTelemetry(known.reason, issue, turn) }));
    return;
  }
  if (turn.numberNamed !== null && issue === null && turn.named.length === 0 && turn.context === null) {
    yield answered(notFound(turn.numberNamed));
    return;
  }
  const unknown = choices.map((choice) =>
    choice.isInCatalog === true ? null : unknownFor(choice, directory),
  );
  const areAllUnknown = unknown.length > 0 && unknown.every((one) => one !== null);
  const caveats = known.known ? known.caveats : [];
  const instead = unknown.map((one) => (one === null ? null : unknownInWords(one.name, services, caveats)));
  if (areAllUnknown && unknown.some((one) => one.isOurs)) {
    yield answered(beginning(turn.question, { text: instead[0] ?? '' }));
    return;
  }
  const phrases = areAllUnknown ? [] : choices;
  const routed =
    options.route === undefined || choices.some(({ tool }) => ONLY_WORDS.includes(tool.name))
      ? null
      : await options.route(
          {
            question: asked.question,
            before: before?.question ?? null,
            talk: asked.said.map(({ speaker, text }) => `${speaker}: ${text}`),
            services,
            issues: open,
            issue: issue?.number ?? null,
            hint: phrases.map(({ tool }) => tool.name),
            now,
          },
          issue,
        );
  const lookups = routed === null ? phrased(phrases, instead, { turn, issue }) : routedTo(routed, turn);
  if (lookups.length === 0) {
    yield answered(notUnderstood(turn, issue, services));
    return;
  }
  const subject = [...new Set(lookups.flatMap(({ turn: part }) => part.services))];
  const wantedIssue =
    routed === null || routed.issue === null || routed.issue === issue?.number
      ? issue
      : await issues.byNumber(routed.issue);
  yield { kind: 'progress', text: progressOf(subject, turn) };
  const cited = new Set<string>();
  const told =
    turn.context === null || turn.number === null ? null : { ...turn.context, number: turn.number };
  // Another issue's alert may name another copy.
  const number = wantedIssue?.number ?? turn.number;
  const wanted = number === thread ? systems : await systemsOf(number);
  const isOnly = /\bonly\b/iu.test(turn.question) && wanted.isSeveral;
  const named = systemsNamed(wanted.each, asked.question);
  const asking = systemsWith(named, subject);
  const all = await factsOf(
    isOnly ? wanted.each : asking.each,
    { services: subject, at: turn.at, text: turn.question, issue: wantedIssue, context: told },
    { telemetry, issues, open, now, catalog, cited, id: options.id },
  );
  const computed: string[] = [];
  for (const { tool, turn: part, args, instead: sentence } of lookups) {
    if (lookups.length > 1) yield { kind: 'progress', text: `Looking at ${tool.name} …` };
    const scope = { service: part.services[0] ?? null, skipped: wanted.skipped, absent: asking.absent };
    const { text, ill } = await acrossSystems(all, scope, async (facts) => {
      const one = sentence === null ? await tool.answer(part, facts, args) : { data: {}, text: sentence };
      // A tool that the words did not choose does not know which way round they ask.
      return { ...one, text: routed === null ? beginning(part.question, one) : withoutVerdict(one.text) };
    });
    if (isOnly && named.length < wanted.each.length) computed.push(onlyThere(named, ill));
    // Two parts may ask for the same.
    if (!computed.includes(text)) computed.push(text);
  }
  const note =
    asked.said.length + asked.files.length > 0
      ? inferredSubjectNote({ ...turn, services: subject }, lookups)
      : null;
  const { instance, except } = turn;
  const partOf = instance === null ? null : `${instance.name} is part of ${instance.service}.`;
  const left =
    except.length === 0 ? null : `I can’t leave ${joinNames(except)} out: this is about everything.`;
  yield answered([note, partOf, left, ...computed].filter((one) => one !== null).join('\n\n'), {
    artifacts: artifactsOf(all),
    cited: [...cited],
    subject: subjectAfter(turn, namesOf(lookups)),
  });
}

/** Whether it is only there that something is wrong. */
function onlyThere(named: Systems['each'], ill: readonly string[]): string {
  const names = named.flatMap(({ name }) => name ?? []);
  if (ill.length === 0) return 'I can’t tell: nothing that I see is wrong in any of them now.';
  const isOnly = ill.every((name) => names.includes(name));
  return isOnly ? `Yes, only ${joinNames([...ill])}.` : `No: ${joinNames([...ill])}.`;
}

function namesOf(choices: readonly Choice[]): Subject['tools'] {
  return choices.map(({ tool, turn: { words } }) => ({ name: tool.name, words }));
}

/** What a question goes on from: the conversation, else what was sent of it, and what people said meanwhile. */
async function subjectBefore(
  asked: Asked,
  { before, issues, now }: QuestionContext,
  directory: readonly Service[],
  hasState: boolean,
): Promise<Subject | null> {
  const services = directory.map(({ name }) => name);
  let subject = before;
  for (const { question } of before === null ? asked.asked : []) {
    const turn = understand(question, subject, directory, now);
    const choices = chooseTools(turn, subject, { services, hasState });
    subject = subjectAfter(turn, choices.length === 0 ? (subject?.tools ?? []) : namesOf(choices));
  }
  const exists = async (number: number) => (await issues.byNumber(number)) !== null;
  return inferSubject(asked, subject, directory, now, exists);
}

/** As the words ask. */
function phrased(
  choices: readonly Choice[],
  instead: readonly (string | null)[],
  { turn, issue }: { turn: Turn; issue: IssueRecord | null },
): Lookup[] {
  const own = issue === null && turn.services.length === 0 ? (turn.context?.services ?? []) : turn.services;
  return choices.map((choice, i) => {
    const { turn: part } = choice;
    const services = part.services === turn.services ? own : part.services;
    return { ...choice, turn: { ...part, services }, args: {}, instead: instead[i] ?? null };
  });
}

/** As a model chose, with what the words say of it besides. */
function routedTo({ calls }: Routed, turn: Turn): Lookup[] {
  return calls.map(({ tool, args }) => ({
    tool,
    turn: { ...turn, services: args.services, named: args.services, aspect: aspectOf(tool, turn) },
    args,
    instead: null,
  }));
}

/** `Looking at payments, 10:00 to 10:15 UTC …` */
function progressOf(services: readonly string[], { window: { from, to } }: Turn): string {
  const which = services.length === 0 ? 'all services' : joinNames(services.slice(0, 3));
  return `Looking at ${which}, ${timeOfDay(from).replace(' UTC', '')} to ${timeOfDay(to)} …`;
}

/** What may be read of each of the systems. */
async function factsOf(
  each: Systems['each'],
  subject: Parameters<typeof factsFor>[0],
  reading: Omit<Parameters<typeof factsFor>[1], 'budget' | 'labels' | 'attached'>,
): Promise<InSystem[]> {
  const all: InSystem[] = [];
  for (const { name, labels, budget } of each) {
    const attached: NewArtifact[] = [];
    all.push({ name, attached, facts: await factsFor(subject, { ...reading, budget, labels, attached }) });
  }
  return all;
}

/** The answer alone, for who cannot show what is looked at meanwhile. */
export async function answerOf(
  asked: Asked | string,
  ...rest: Parameters<typeof answerQuestion> extends [unknown, ...infer Rest] ? Rest : never
): Promise<Answer> {
  const question = typeof asked === 'string' ? plainly(asked) : asked;
  for await (const event of answerQuestion(question, ...rest))
    if (event.kind === 'answer') return event.answer;
  throw new Error('a question ended without an answer');
}

/** Asks for a comparison over many days, or with a rule's threshold: no lookup makes it. */
const NOT_COMPARED =
  /\b(?:every|each) (?:night|day|morning|evening|week|hour)\b|\bnightly\b|\bbefore (?:today|yesterday|this week)\b|\bthreshold\b/iu;

/** A yes/no question is answered first, where what it asks for was computed. */
function beginning(question: string, { text, holds = null }: Pick<Found, 'text' | 'holds'>): string {
  const [compared] = (isYesNo(question) && NOT_COMPARED.exec(question)) || [];
  if (compared !== undefined)
    return `I can’t tell: for “${compared}” I would have to compare what no lookup of mine does. What I see:\n\n${withoutVerdict(text)}`;
  if (!isYesNo(question) || ANSWERED.test(text)) return text;
  return `${holds === null ? 'I can’t tell.' : holds ? 'Yes.' : 'No.'} ${text}`;
}

/** What was found, without a yes or no before it. */
function withoutVerdict(text: string): string {
  return text.replace(/^(\W{0,4})(?:probably )?(?:yes|no)\b[,.:]\**\s*/iu, (_all, marks: string) =>
    marks.replace(/^\*\*$/u, ''),
  );
}

const ANSWERED = /^\W*(?:yes|no|i can’t|probably|in part|nothing|i’m read-only|i see no)\b/iu;

/** What the verdict says, where telemetry cannot be reached now. */
function withoutTelemetry(reason: string, issue: IssueRecord | null, { context, number }: Turn): string {
  const cannot = `I can’t tell: telemetry can’t be read right now. ${reason}`;
  if (issue !== null)
    return `${cannot}\n\nWhat the investigation of #${issue.number} found: ${issue.rootCauseSummary ?? withoutCause(verdictOf({ issue }))}`;
  return context?.rootCause ? `${cannot}\n\nWhat is known of #${number}: ${context.rootCause}` : cannot;
}

/** What is meant without its full name is looked into, too. */
function withThings(
  choices: readonly Choice[],
  turn: Turn,
  directory: readonly Service[],
): readonly Choice[] {
  const isWithoutName =
    turn.named.length === 0 && turn.numberNamed === null && !EVERYTHING.test(turn.question);
  if (!isWithoutName) return choices;
  if (choices.length === 0) {
    const things = /^\W*(?:who|what)\b/iu.test(turn.question)
      ? []
      : thingsIn({ tool: health, turn }, directory);
    const isKnown = things.some((name) => directory.some((one) => one.name === name));
    return isKnown ? [{ tool: health, turn: { ...turn, named: things, services: things } }] : choices;
  }
  return choices.map((choice) => {
    const things =
      choice.tool === health && choice.turn.named.length === 0 ? thingsIn(choice, directory) : [];
    return things.length === 0
      ? choice
      : { ...choice, turn: { ...choice.turn, named: things, services: things } };
  });
}

/** That nothing is known by a name, which is no more than what could be read. */
function unknownInWords(name: string, services: readonly string[], caveats: readonly string[]): string {
  return caveats.length === 0
    ? `I know no service called ${name}: there are no metrics for it. ${knownInWords(services)}`
    : `No source that I can read now knows a service called ${name}. ${caveats.join(' ')}`;
}

/** What a tool finds with arguments instead of a question: for programs. @throws ZodError if they are none of its own */
export async function lookUp(
  tool: Tool,
  args: { services: readonly string[]; [name: string]: unknown },
  { now, issues }: Pick<QuestionContext, 'now' | 'issues'>,
  telemetry: TelemetrySource,
  options: AnswerOptions,
): Promise<Found> {
  const systems = await systemsFor(telemetry, null, { now, budget: options.budget });
  const known = systems.services;
  if (!known.known)
    return { data: {}, text: `I can’t tell: telemetry can’t be read right now. ${known.reason}` };
  const services = args.services.map((name) => nameOf(name, known.value) ?? name);
  const unknown = services.find((name) => !known.value.some((one) => one.name === name));
  if (unknown !== undefined)
    return {
      data: {},
      text: `I know no service called ${unknown}: there are no metrics for it. ${knownInWords(known.value.map(({ name }) => name))}`,
    };
  const { newest: open } = await issues.list(EVERY_ISSUE);
  const all = await factsOf(
    systems.each,
    { services, at: now, text: '', issue: null, context: null },
    { telemetry, issues, open, now, catalog: null, cited: new Set(), id: options.id },
  );
  return await acrossSystems(
    all,
    { service: services[0] ?? null, skipped: systems.skipped },
    async (facts) => await tool.call({ ...args, services }, facts),
  );
}

/** A service by its name, another name or one of its instances. */
function nameOf(name: string, services: readonly Service[]): string | null {
  const found = services.find(
    (one) => one.name === name || one.aliases.includes(name) || one.instances?.includes(name) === true,
  );
  return found?.name ?? null;
}

/** How a question is routed, without anything being read: for `npm run explain`. */
export function routeOf(
  question: string,
  services: readonly string[],
  hasState: boolean,
  phrases?: readonly Phrase[],
): { tools: string[]; aspects: (string | null)[]; understood: boolean } {
  const turn = understand(
    question,
    null,
    services.map((name) => ({ name })),
    0,
  );
  const choices = chooseTools(turn, null, { services, hasState, phrases });
  const unknown = choices.map((choice) => unknownFor(choice, []));
  if (!unknown.some((one) => one === null || one.isOurs))
    return { tools: [], aspects: [], understood: false };
  const chosen = [...new Map(choices.map((one) => [one.tool.name, one.turn.aspect]))];
  return {
    tools: chosen.map(([name]) => name),
    aspects: chosen.map(([, aspect]) => aspect),
    understood: true,
  };
}

/** Precedes an answer whose subject was inferred; `null` if the question named it, or has no subject. */
function inferredSubjectNote(
  { subjectSource, services, number }: Turn,
  choices: readonly Choice[],
): string | null {
  if (subjectSource === null || choices.some(({ tool }) => tool.isOffline)) return null;
  const subject =
    services.length > 0 ? joinNames(services.slice(0, 3)) : number === null ? null : `#${number}`;
  const where = subjectSource === 'thread' ? 'this thread' : 'the attached file';
  return subject === null ? null : `Answering about ${subject}, which ${where} mentions.`;
}

/** What can be asked about an issue, in the words that are understood. */
const ABOUT_ISSUE =
  'why, how sure that is, since when, whether it is over, who is affected, what changed, what to do, or a metric (“error rate of {service}”)';

function notUnderstood({ question }: Turn, issue: IssueRecord | null, services: readonly string[]): string {
  const service = services[0] ?? 'checkout';
  const first = /^\W*who\b/iu.test(question)
    ? 'I can’t tell who: I know services and issues, but no people.'
    : 'I can’t tell what that asks for.';
  if (issue !== null)
    return `${first} About #${issue.number} you can ask me: ${ABOUT_ISSUE.replace('{service}', service)}.`;
  return `${first} Ask me, for example: “Why is ${service} slow?”, “What changed in the last hour?”, “What is open?”, or “help” for more.`;
}
