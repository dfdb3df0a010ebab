import { joinNames } from '../investigation/format.ts';
import type { NewArtifact } from '../investigation/types.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { Service, ServiceKind } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { causeOf, withoutCause } from './about-issue.ts';
import { openCatalog } from './catalog/open.ts';
import { database, insideAsked } from './database.ts';
import { factsFor, investigateQuestion } from './facts.ts';
import { notFound } from './issues.ts';
import { isAsRules, isCertain, planOfRoute, planOfRules, type Routed, type RouteQuestion } from './plan.ts';
import { acrossSystems, artifactsOf, type InSystem, type Systems, systemsFor } from './systems.ts';
import type { Found, Tool } from './tool.ts';
import { investigatedOf } from './tools/investigation.ts';
import { askedOf, type Choice, chooseTools, TOOLS, withAnyMetric } from './tools.ts';
import type { IssueLookup, IssueOverview, IssueRecord } from './types.ts';
import { inferSubject, isYesNo, parseQuestion, type Turn, understand } from './understand.ts';
import { unknownServiceIn } from './unknown-service.ts';
import { investigationInWords } from './words/investigation.ts';

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

/** What is being looked at, while it is; then the answer. */
type AnswerEvent = { kind: 'progress'; text: string } | { kind: 'answer'; answer: Answer };

interface AnswerOptions {
  id: () => string;
  budget: Budget;
  /** Chooses the tools instead of the rules; `null` leaves it to them. */
  route?: ((asked: RouteQuestion, issue: IssueRecord | null) => Promise<Routed | null>) | undefined;
}

const EVERY_ISSUE = { status: 'open', environment: null, severity: null } as const;

/**
 * Answers a question from an issue's results, telemetry and the other issues, filling in from the conversation what the
 * question leaves out. What it does not understand, or cannot tell, it says first.
 */
export async function* answerQuestion(
  question: string,
  context: QuestionContext,
  telemetry: TelemetrySource,
  options: AnswerOptions,
): AsyncGenerator<AnswerEvent> {
  const { now, history, issues } = context;
  const parsed = parseQuestion(question);
  yield { kind: 'progress', text: `Looking at ${parsed.issue?.service ?? 'the services'} …` };
  const earlier = history.map((one) => parseQuestion(one.question));
  const thread = [...earlier, parsed].findLast((one) => one.issue !== null)?.issue?.number ?? null;
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
  const inside = telemetry.inside?.all ?? [];
  const exists = async (number: number) => (await issues.byNumber(number)) !== null;
  let turn: Turn = understand('', null, services, now);
  let before: readonly Choice[] = [];
  let choices: readonly Choice[] = [];
  let instance: { name: string; service: string } | null = null;
  let past: Turn | null = null;
  for (const one of [...earlier, parsed]) {
    past = await inferSubject(one, past, services, now, exists);
    for (const [i, words] of [...one.asked, one.question].entries()) {
      instance = instanceIn(words, directory);
      const text = instance === null ? words : words.replace(instance.name, instance.service);
      turn = understand(text, past, services, now, { issue: i === 0 ? one.issue : null, files: one.files });
      past = turn;
      choices = insideAsked(turn, inside)
        ? [{ tool: database, turn }]
        : chooseTools(turn, before, hasState, services);
      if (choices.length > 0) before = choices;
    }
  }
  const catalog = await openCatalog(telemetry, { now, budget: options.budget });
  if (!choices.some(({ tool }) => tool === database)) choices = withAnyMetric(choices, turn, catalog);
  choices = choices.map((choice) => withThings(choice, directory));
  const issue = turn.number === null ? null : await issues.byNumber(turn.number);
  const done = (answer: string): AnswerEvent => ({
    kind: 'answer',
    answer: { answer, artifacts: [], cited: [] },
  });
  const isOffline = choices.length > 0 && choices.every(({ tool }) => tool.isOffline);
  if (!known.known && !isOffline && choices.length > 0) {
    yield done(beginning(turn.question, { text: withoutTelemetry(known.reason, issue, turn) }));
    return;
  }
  if (turn.numberNamed !== null && issue === null && turn.named.length === 0 && turn.context === null) {
    yield done(notFound(turn.numberNamed));
    return;
  }
  /** What an issue on something would find, where that is about it. */
  async function lookedInto(name: string): Promise<AnswerEvent | null> {
    const { results, artifacts, unread } = await investigateQuestion(
      { question: parsed.question, service: null, at: turn.at, environment: issue?.environment ?? null },
      telemetry,
      { id: options.id, now, budget: options.budget },
    );
    const found = investigatedOf(results, unread);
    const isAbout = [found.summary, ...found.evidence.flatMap((one) => [one.title, one.description])].some(
      (text) => text?.includes(name) === true,
    );
    if (found.summary === null || !isAbout) return null;
    const text = beginning(parsed.question, { text: investigationInWords(found) });
    return { kind: 'answer', answer: { answer: text, artifacts, cited: [] } };
  }
  const { newest: open } = await issues.list(EVERY_ISSUE);
  const unknownNames = choices.map((choice) =>
    choice.isInCatalog === true ? null : unknownFor(choice, directory),
  );
  const areAllUnknown = unknownNames.length > 0 && unknownNames.every((one) => one !== null);
  const about = { turn, issue, services, open, caveats: known.known ? known.caveats : [] };
  const unknown = await Promise.all(
    unknownNames.map((one) => (one === null ? null : aboutUnknownService(one.name, about, issues))),
  );
  if (areAllUnknown && unknownNames.some((one) => one?.isOurs)) {
    // What telemetry knows by no such name, a cluster or a log may know all the same.
    const isOfThing = choices.some(({ tool }) => tool.name === 'health');
    const looked = isOfThing && !systems.isSeveral ? await lookedInto(unknownNames[0]?.name ?? '') : null;
    yield looked ?? done(beginning(turn.question, { text: unknown[0] ?? '' }));
    return;
  }
  const rules = areAllUnknown ? [] : choices;
  const routed =
    options.route === undefined ||
    rules.some(({ tool }) => tool === database) ||
    isCertain(parsed.question, rules, services)
      ? null
      : await options.route(
          {
            question: parsed.question,
            before:
              history.at(-1) === undefined ? null : parseQuestion(history.at(-1)?.question ?? '').question,
            talk: parsed.talk,
            services,
            issues: open,
            issue: issue?.number ?? null,
            hint: rules.map(({ tool }) => tool.name),
            now,
          },
          issue,
        );
  const isRouted = routed !== null && !isAsRules(routed, rules, turn);
  if (!isRouted && rules.length === 0) {
    yield done(notUnderstood(turn, issue, services));
    return;
  }
  const plan = isRouted
    ? await planOfRoute(routed, parsed.question, issue, issues)
    : planOfRules(rules, { turn, issue, unknown });
  yield { kind: 'progress', text: plan.progress };
  const cited = new Set<string>();
  const attached: NewArtifact[] = [];
  const issueContext =
    turn.context === null || turn.number === null ? null : { ...turn.context, number: turn.number };
  // Another issue's alert may name another copy.
  const number = plan.issue?.number ?? turn.number;
  const wanted = number === thread ? systems : await systemsOf(number);
  const all = await factsOf(
    wanted,
    { services: plan.subject, at: turn.at, text: turn.question, issue: plan.issue, context: issueContext },
    { telemetry, issues, open, now, catalog, cited, attached, id: options.id },
  );
  const computed: string[] = [];
  for (const { tool, question: part, service, look } of plan.lookups) {
    if (plan.lookups.length > 1) yield { kind: 'progress', text: `Looking at ${tool.name} …` };
    const scope = { service, skipped: wanted.skipped };
    const { text } = await acrossSystems(all, scope, async (facts) => {
      const one = await look(facts);
      // Who chose the lookup does not know which way round the question asks.
      return { ...one, text: isRouted ? withoutVerdict(one.text) : beginning(part, one) };
    });
    // Two parts may ask for the same.
    if (!computed.includes(text)) computed.push(text);
  }
  const note =
    !isRouted && parsed.talk.length + parsed.files.length > 0
      ? inferredSubjectNote({ ...turn, services: plan.subject }, rules)
      : null;
  const partOf = instance === null ? null : `${instance.name} is part of ${instance.service}.`;
  const answer = [note, partOf, ...computed].filter((one) => one !== null).join('\n\n');
  yield {
    kind: 'answer',
    answer: { answer, artifacts: [...attached, ...artifactsOf(all)], cited: [...cited] },
  };
}

/** What may be read of each of the systems. */
async function factsOf(
  { each }: Systems,
  subject: Parameters<typeof factsFor>[0],
  reading: Omit<Parameters<typeof factsFor>[1], 'budget' | 'isOneOfSeveral'>,
): Promise<InSystem[]> {
  const all: InSystem[] = [];
  for (const { name, budget } of each)
    all.push({
      name,
      facts: await factsFor(subject, { ...reading, budget, isOneOfSeveral: each.length > 1 }),
    });
  return all;
}

/** The answer alone, for who cannot show what is looked at meanwhile. */
export async function answerOf(...asked: Parameters<typeof answerQuestion>): Promise<Answer> {
  for await (const event of answerQuestion(...asked)) if (event.kind === 'answer') return event.answer;
  throw new Error('a question ended without an answer');
}

/** Asks for a comparison over many days, with times to come or with a rule's threshold: no lookup makes it. */
const NOT_COMPARED =
  /\b(?:every|each) (?:night|day|morning|evening|week|hour)\b|\bnightly\b|\bbefore (?:today|yesterday|this week)\b|\buntil (?:morning|tomorrow|tonight|monday)\b|\bthreshold\b/iu;

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
    return `${cannot}\n\nWhat the investigation of #${issue.number} found: ${issue.rootCauseSummary ?? withoutCause({ issue })}`;
  return context?.rootCause ? `${cannot}\n\nWhat is known of #${number}: ${context.rootCause}` : cannot;
}

/** A name of a part that telemetry does not know; whether the part is about a system at all. */
function unknownFor(
  { tool, turn }: Choice,
  directory: readonly Service[],
): { name: string; isOurs: boolean } | null {
  // A namespace is no service, and its pods need not be known as ones; what is searched for in logs is text.
  if (tool.isOffline || ['state', 'rules', 'outlook', 'database'].includes(tool.name)) return null;
  const name = unknownServiceIn(turn, TOOLS, (one) => isKnown(one, directory));
  if (name === null) return null;
  return { name, isOurs: isAboutSystems(turn, name) };
}

/** What people call a part by its kind. */
const KINDS: readonly [RegExp, readonly ServiceKind[]][] = [
  [/\b(?:the|our|a|any|all) (?:databases?|dbs?)\b/iu, ['database']],
  [/\b(?:the|our|a|any|all) caches?\b/iu, ['cache']],
  [/\b(?:the|our|a|any|all) (?:queues?|brokers?)\b/iu, ['queue']],
  [/\b(?:the|our|a|any|all) (?:workers?|consumers?)\b/iu, ['worker']],
];

/** A part that is named by what it is means each that is so: `the database`. */
function withThings(choice: Choice, directory: readonly Service[]): Choice {
  const { turn, tool } = choice;
  if (tool.name !== 'health' || turn.named.length > 0) return choice;
  const kinds = KINDS.flatMap(([words, own]) => (words.test(turn.question) ? own : []));
  const named = directory.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  return named.length === 0 ? choice : { ...choice, turn: { ...turn, named, services: named } };
}

/** A cue besides *why*: nobody asks the sky for its error rate. */
function isAboutSystems(turn: Turn, name: string): boolean {
  const words = turn.words.replace(/^\W*why\b/iu, '').replaceAll(name, '·');
  return (
    words.includes('··') ||
    /[-.\d]/u.test(name) ||
    TOOLS.some((tool) => tool.scoreOf(askedOf({ ...turn, words }, true)) > 0)
  );
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
      text: `I know no service called ${unknown}: there are no metrics for it. ${knownServices(known.value.map(({ name }) => name))}`,
    };
  const { newest: open } = await issues.list(EVERY_ISSUE);
  const all = await factsOf(
    systems,
    { services, at: now, text: '', issue: null, context: null },
    { telemetry, issues, open, now, catalog: null, cited: new Set(), attached: [], id: options.id },
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
): { tools: string[]; understood: boolean } {
  const parsed = parseQuestion(question);
  const turn = understand(parsed.question, null, services, 0, { issue: parsed.issue, files: parsed.files });
  const choices = chooseTools(turn, [], hasState, services);
  const unknownNames = choices.map((choice) => unknownFor(choice, []));
  const understood = unknownNames.some((one) => one === null || one.isOurs);
  return { tools: understood ? [...new Set(choices.map(({ tool }) => tool.name))] : [], understood };
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

/** What can be said of something that telemetry does not know: which issue is about it. */
async function aboutUnknownService(
  name: string,
  context: {
    turn: Turn;
    issue: IssueRecord | null;
    services: readonly string[];
    open: readonly IssueOverview[];
    /** Why some sources could not be read. */
    caveats: readonly string[];
  },
  issues: IssueLookup,
): Promise<string> {
  const { turn, issue, services, open, caveats } = context;
  const unknown =
    caveats.length === 0
      ? `I know no service called ${name}: there are no metrics for it.`
      : `No source that I can read now knows a service called ${name}. ${caveats.join(' ')}`;
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
  const isGuess = isYesNo(turn.question) && /^\W*(?:is|was) (?:it|this|that)\b/iu.test(turn.question);
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
