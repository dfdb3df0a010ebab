import type { NewArtifact } from '../investigation/types.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { Catalog } from './catalog/find.ts';
import { unansweredIn, wordsOf } from './coverage.ts';
import { factsFor } from './facts.ts';
import { issuesOf, notFound } from './issues.ts';
import { knownAs } from './names.ts';
import { namesOf, type Question, type QuestionContext, readQuestion } from './question.ts';
import { aspectOf, chooseTools } from './router.ts';
import {
  acrossSystems,
  artifactsOf,
  type InSystem,
  type Systems,
  systemsFor,
  systemsNamed,
  systemsWith,
} from './systems.ts';
import { type Choice, cannotTell, type Found, type Tool } from './tool.ts';
import { mentionsOf } from './tools/mentions.ts';
import type { IssueOverview, IssueRecord } from './types.ts';
import {
  type Asked,
  plainly,
  relationsAsked,
  type Subject,
  subjectAfter,
  type Turn,
  understand,
} from './understand.ts';
import { unknownFor } from './unknown.ts';
import {
  headed,
  mentionsInWords,
  notesOn,
  notUnderstood,
  onlyThere,
  progressOf,
  unknownInWords,
  withoutTelemetry,
  withUnanswered,
} from './words/answer.ts';

interface Answer {
  /** Markdown. */
  answer: string;
  artifacts: NewArtifact[];
  /** Ids of artifacts of an issue's results that it rests on. */
  cited: string[];
  subject: Subject;
}

/** What is being looked at, while it is; then the answer. */
type AnswerEvent = { kind: 'progress'; text: string } | { kind: 'answer'; answer: Answer };

/** A question for which a model may choose the tools. */
export interface RouteQuestion {
  question: string;
  before: string | null;
  talk: readonly string[];
  services: readonly string[];
  issues: readonly IssueOverview[];
  issue: number | null;
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
  instead: Found | null;
}

/** Orders, files that people attach, and the inside of databases: no model is needed to see that they are meant. */
const ONLY_WORDS = ['help', 'file', 'database'];

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
  yield { kind: 'progress', text: `Looking at ${asked.issue?.service ?? 'the services'} …` };
  const question = await readQuestion(asked, context, telemetry, options.budget);
  const sources = { telemetry, options, context };
  const instead = atOnce(question);
  if (instead !== null) {
    const subject = subjectOf(question, question.choices);
    yield { kind: 'answer', answer: { answer: instead, artifacts: [], cited: [], subject } };
    return;
  }
  yield* looked(question, await lookupsFor(question, options, context.now), sources);
}

/** What the next question goes on from: of what was not understood, still the question before. */
function subjectOf({ turn, before }: Question, choices: readonly Choice[]): Subject {
  return subjectAfter(turn, choices.length === 0 ? (before?.tools ?? []) : namesOf(choices));
}

interface Around {
  telemetry: TelemetrySource;
  options: AnswerOptions;
  context: QuestionContext;
}

/** What is answered without a look at telemetry; `null` where that is needed. */
function atOnce({ turn, choices, issue, systems, instead }: Question): string | null {
  if (instead !== null) return instead;
  const isOffline = choices.length > 0 && choices.every(({ tool }) => tool.isOffline);
  if (!systems.services.known && !isOffline && choices.length > 0)
    return withoutTelemetry(systems.services.reason, issue, turn);
  const isOfNoIssue = turn.numberNamed !== null && issue === null && turn.context === null;
  return isOfNoIssue && turn.named.length === 0 ? notFound(turn.numberNamed) : null;
}

async function lookupsFor(
  { asked, turn, choices, before, issue, open, systems, directory, services, catalog }: Question,
  { route }: AnswerOptions,
  now: number,
): Promise<Chosen> {
  const unknown = choices.map((choice) =>
    choice.isInCatalog === true ? null : namedByLabel(choice, catalog) ? null : unknownFor(choice, directory),
  );
  const areAllUnknown = unknown.length > 0 && unknown.every((one) => one !== null);
  const caveats = systems.services.known ? systems.services.caveats : [];
  const instead = unknown.map((one) =>
    one === null ? null : cannotTell(unknownInWords(one.name, services, caveats), { unknown: one.name }),
  );
  const number = issue?.number ?? null;
  if (areAllUnknown && unknown.some((one) => one.isOurs)) {
    const names = unknown.flatMap((one) => one?.name.toLowerCase() ?? []);
    const sought = [...new Set([...names, ...wordsOf(turn)])];
    return { lookups: [], isRouted: false, number, sought, otherwise: instead[0]?.text ?? '' };
  }
  const phrases = areAllUnknown ? [] : choices;
  const mayRoute = route !== undefined && !choices.some(({ tool }) => ONLY_WORDS.includes(tool.name));
  const routed = mayRoute
    ? await route(
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
      )
    : null;
  const lookups = routed === null ? phrased(phrases, instead, { turn, issue }) : routedTo(routed, turn);
  const otherwise =
    lookups.length > 0
      ? ''
      : notUnderstood(turn, issue, services, unansweredIn(turn, [], {}, { catalog, directory }));
  const sought = lookups.length > 0 ? [] : wordsOf(turn);
  return { lookups, isRouted: routed !== null, number: routed?.issue ?? number, sought, otherwise };
}

/** Whether a metric is asked for of what is no service and a label's value. */
function namedByLabel(choice: Choice, catalog: Catalog | null): boolean {
  const unknown = choice.tool.name === 'metric' ? unknownFor(choice, []) : null;
  return unknown !== null && catalog?.knows(unknown.name) === 'value';
}

interface Chosen {
  lookups: Lookup[];
  isRouted: boolean;
  number: number | null;
  /** The words that are looked for where there is nothing to look up, and what is said where nothing has them. */
  sought: readonly string[];
  otherwise: string;
}

/** What the tools find, in each of the systems that are asked about. */
async function* looked(
  question: Question,
  { lookups, isRouted, number, sought, otherwise }: Chosen,
  { telemetry, options: { id, budget }, context: { now, issues } }: Around,
): AsyncGenerator<AnswerEvent> {
  const { asked, turn, open, catalog, directory } = question;
  const isSame = number === null || number === question.issue?.number;
  const issue = isSame ? question.issue : await issues.byNumber(number);
  const subject = [
    ...new Set((lookups.length > 0 ? lookups : [{ turn }]).flatMap((one) => one.turn.services)),
  ];
  yield { kind: 'progress', text: progressOf(subject, turn) };
  // Another issue's alert may name another copy.
  const isOther = (number ?? turn.number) !== question.thread;
  const systems = isOther ? await systemsFor(telemetry, issue, { now, budget }) : question.systems;
  const isOnly = /\bonly\b/iu.test(turn.question) && systems.isSeveral;
  const named = systemsNamed(systems.each, asked.question);
  const { each, absent } = systemsWith(named, subject);
  const told =
    turn.context === null || turn.number === null ? null : { ...turn.context, number: turn.number };
  const cited = new Set<string>();
  const all = await factsOf(
    isOnly ? systems.each : each,
    { services: subject, at: turn.at, text: turn.question, issue, context: told },
    { telemetry, issues, open, now, catalog, cited, id, owners: asked.owners ?? [] },
  );
  const computed: string[] = [];
  const data: Found['data'][] = [];
  let isUnknown = true;
  for (const { tool, turn: part, args, instead } of lookups) {
    if (lookups.length > 1) yield { kind: 'progress', text: `Looking at ${tool.name} …` };
    const scope = { service: part.services[0] ?? null, skipped: systems.skipped, absent };
    const { ill, ...found } = await acrossSystems(all, scope, async (facts) => {
      const one = instead ?? (await tool.answer(part, facts, args));
      // A tool that the words did not choose does not know which way round they ask, nor does one that leaves out some.
      const left = unansweredIn(part, [{ tool, turn: part }], one.data, { catalog, directory });
      const asked = isRouted || left.words.length > 0 ? [] : relationsAsked(part, tool.name);
      return { ...one, text: headed(one, asked, part.question) };
    });
    data.push(found.data);
    isUnknown &&= found.isUnknown === true;
    if (isOnly && named.length < systems.each.length) computed.push(onlyThere(named, ill));
    // Two parts may ask for the same.
    if (!computed.includes(found.text)) computed.push(found.text);
  }
  const left = unansweredIn(turn, lookups, { found: data }, { catalog, directory });
  const words = lookups.length === 0 ? sought : left.isBesides ? left.words : [];
  const scope = { service: subject[0] ?? null, skipped: systems.skipped, absent };
  const mentioned =
    words.length === 0
      ? null
      : await acrossSystems(all, scope, async (facts) => {
          const found = await mentionsOf(
            words,
            { asked: turn.question, services: subject, over: turn.window },
            facts,
          );
          return { data: {}, text: found === null ? '' : mentionsInWords(found, now) };
        });
  const said = [...notesOn(question, subject, lookups), ...computed].join('\n\n');
  yield {
    kind: 'answer',
    answer: {
      answer:
        mentioned?.text ||
        (lookups.length === 0 ? otherwise : withUnanswered({ text: said, isUnknown }, left)),
      artifacts: artifactsOf(all),
      cited: [...cited],
      subject: subjectOf(question, lookups),
    },
  };
}

function phrased(
  choices: readonly Choice[],
  instead: readonly (Found | null)[],
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
  if (!known.known) return cannotTell(`I can’t tell: telemetry can’t be read right now. ${known.reason}`);
  const services = args.services.map(
    (name) => known.value.find((one) => knownAs(one).includes(name))?.name ?? name,
  );
  const unknown = services.find((name) => !known.value.some((one) => one.name === name));
  if (unknown !== undefined)
    return cannotTell(
      unknownInWords(
        unknown,
        known.value.map(({ name }) => name),
        known.caveats,
      ),
    );
  const open = await issuesOf(issues, 'open');
  const all = await factsOf(
    systems.each,
    { services, at: now, text: '', issue: null, context: null },
    { telemetry, issues, open, now, catalog: null, cited: new Set(), id: options.id, owners: [] },
  );
  return await acrossSystems(
    all,
    { service: services[0] ?? null, skipped: systems.skipped },
    async (facts) => await tool.call({ ...args, services }, facts),
  );
}

/** How a question is routed, without anything being read: for `npm run explain`. */
export function routeOf(
  question: string,
  services: readonly string[],
): { tools: string[]; aspects: (string | null)[]; understood: boolean } {
  const turn = understand(
    question,
    null,
    services.map((name) => ({ name })),
    0,
  );
  // Who owns what is looked up nowhere: the client tells it.
  const choices = chooseTools(turn, null, services).filter(({ tool }) => tool.name !== 'owners');
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
