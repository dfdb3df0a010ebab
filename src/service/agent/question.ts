import { joinNames } from '../investigation/format.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { Service } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { type Catalog, openCatalog } from './catalog/find.ts';
import { changes } from './changes.ts';
import { database, insideAsked } from './database.ts';
import { timesAsked } from './examples.ts';
import { health } from './health.ts';
import { issuesOf } from './issues.ts';
import { metric } from './metric.ts';
import { isOfCluster, isOfTitle } from './names.ts';
import { outlook } from './outlook.ts';
import { chooseTools, goneOn, withAnyMetric } from './router.ts';
import { state } from './state.ts';
import { type Systems, systemsFor } from './systems.ts';
import type { Choice } from './tool.ts';
import type { IssueLookup, IssueOverview, IssueRecord } from './types.ts';
import {
  type Asked,
  EVERYTHING,
  inferSubject,
  type Subject,
  subjectAfter,
  type Turn,
  understand,
} from './understand.ts';
import { changesNamedIn, MAY_BE_NAMED, mayNameChange, measuredBy, thingsIn, unknownFor } from './unknown.ts';

export interface QuestionContext {
  /** Milliseconds since the epoch; nothing later is read. */
  now: number;
  /** What the conversation is about so far; `null` where it begins. */
  before: Subject | null;
  issues: IssueLookup;
}

/** A question as it is understood: its words are read here and nowhere else. */
export interface Question {
  asked: Asked;
  turn: Turn;
  /** The tools that its words choose, each with the part that it answers. */
  choices: readonly Choice[];
  before: Subject | null;
  issue: IssueRecord | null;
  open: readonly IssueOverview[];
  systems: Systems;
  thread: number | null;
  /** The services of all of them; empty where they cannot be read. */
  directory: readonly Service[];
  services: readonly string[];
  catalog: Catalog | null;
  /** What is said where it goes on with something that is not known; `null` otherwise. */
  instead: string | null;
}

/** A question with the names of what is measured as they are: `milbrook` is `millbrook`. */
function spelledAs(question: string, catalog: Catalog | null): string {
  if (catalog === null) return question;
  return question.replaceAll(/(?<![\w./-])\p{L}+(?![\w./-])/gu, (word) =>
    timesAsked(word) > 0 ? word : catalog.spelled(word.toLowerCase()),
  );
}

/** Reads a question where it is asked: among these services, in this conversation, about this issue. */
export async function readQuestion(
  asked: Asked,
  context: QuestionContext,
  telemetry: TelemetrySource,
  budget: Budget,
): Promise<Question> {
  const { now, issues } = context;
  const thread = asked.issue?.number ?? context.before?.threadNumber ?? null;
  const systems = await systemsFor(telemetry, thread === null ? null : await issues.byNumber(thread), {
    now,
    budget,
  });
  const directory = systems.services.known ? systems.services.value : [];
  const services = directory.map(({ name }) => name);
  const catalog = await openCatalog(telemetry, { now, budget });
  const before = await subjectBefore(asked, context, { directory, catalog });
  const spelled = spelledAs(asked.question, catalog);
  const on = goneOn(spelled, before, services, catalog);
  const questions = on !== null && 'questions' in on ? on.questions : [spelled];
  const parts = questions.map((question) => {
    const turn = understand(question, before, directory, now, asked);
    const isInside = insideAsked(turn, telemetry.inside?.all ?? []);
    const chosen = isInside ? [{ tool: database, turn }] : chooseTools(turn, before, services);
    // Where no database can be looked into, what is exported of it may tell.
    const outside = telemetry.inside === undefined ? chosen.filter(({ tool }) => tool !== database) : chosen;
    const any = isInside ? chosen : withAnyMetric(withThings(outside, turn, directory), turn, catalog);
    const choices = any.length > 0 ? any : chosen;
    // What telemetry does not know by name, a cluster may.
    const inCluster = choices.map((choice) => {
      const known = choice.turn.named.filter((name) => services.includes(name));
      const asObject = { ...choice, tool: state, turn: { ...choice.turn, named: known } };
      const mayKnow = choice.tool === health && telemetry.state !== undefined && isOfCluster(question);
      return mayKnow && unknownFor({ ...asObject, tool: health }, directory) !== null ? asObject : choice;
    });
    return { turn, choices: inCluster };
  });
  for (const part of parts) {
    const isStrange = part.choices.some((one) => isOfPerson(one) || strangeIn(one, directory) !== null);
    if (part.choices.length > 0 && !isStrange) continue;
    // What is no service may be whoever made a change, its version, or a value of a label.
    const made = mayNameChange(part.turn)
      ? await telemetry.changes({ from: now - MAY_BE_NAMED, to: now + 1 }, budget)
      : null;
    const all = made?.known ? made.value : [];
    part.turn = { ...part.turn, others: changesNamedIn(part.turn.question, all)?.words ?? [] };
    const { others } = part.turn;
    const ofChange = (turn: Turn) => ({ ...turn, named: [], services: [], aspect: 'named', others });
    if (part.choices.length === 0 && others.length > 0)
      part.choices = [{ tool: changes, turn: ofChange(part.turn) }];
    else
      part.choices = part.choices.map((choice) => {
        const turn = { ...choice.turn, others };
        const isNamed = changesNamedIn(turn.question, all) !== null;
        const name = isNamed ? null : strangeIn(choice, directory);
        if (isNamed && !ofChanges(choice)) return { tool: changes, turn: ofChange(turn) };
        const own = name === null ? null : measuredBy(name, catalog, directory);
        if (name === null || own === null || choice.tool === metric) return { ...choice, turn };
        const instance = { name, service: joinNames(own) };
        part.turn = { ...part.turn, instance };
        return { ...choice, turn: { ...turn, named: own, services: own, instance } };
      });
  }
  const turn = parts.at(-1)?.turn ?? understand(asked.question, before, directory, now, asked);
  const choices = parts.flatMap((part) => part.choices);
  const issue = turn.number === null ? null : await issues.byNumber(turn.number);
  const open = await issuesOf(issues, 'open');
  return {
    ...{ asked, turn, choices, before, issue, open },
    ...{ systems, thread, directory, services, catalog },
    instead: on !== null && 'text' in on ? on.text : null,
  };
}

function strangeIn(choice: Choice, directory: readonly Service[]): string | null {
  const other = choice.turn.named.find((name) => !directory.some((one) => one.name === name));
  return other ?? unknownFor(choice, directory)?.name ?? null;
}

/** Whether it may be about a person, or a change, whatever else it names. */
function isOfPerson({ tool, turn: { aspect, named } }: Choice): boolean {
  return aspect === 'certainty' || tool === outlook || (tool.name === 'owners' && named.length === 0);
}

/** Whether a tool looks for a change that is named itself. */
function ofChanges({ tool: { name }, turn: { aspect } }: Choice): boolean {
  return name === 'changes' || name === 'advice' || (name === 'health' && aspect === 'certainty');
}

export function namesOf(choices: readonly Choice[]): Subject['tools'] {
  return choices.map(({ tool, turn: { words, question } }) => ({ name: tool.name, words, question }));
}

/** What a question goes on from: the conversation, else what was sent of it, and what people said meanwhile. */
async function subjectBefore(
  asked: Asked,
  { before, issues, now }: QuestionContext,
  { directory, catalog }: { directory: readonly Service[]; catalog: Catalog | null },
): Promise<Subject | null> {
  const services = directory.map(({ name }) => name);
  let subject = before;
  for (const { question } of before === null ? asked.asked : []) {
    const on = goneOn(question, subject, services, catalog);
    const plain = on !== null && 'questions' in on ? (on.questions.at(-1) ?? question) : question;
    const turn = understand(plain, subject, directory, now);
    const choices = chooseTools(turn, subject, services);
    subject = subjectAfter(turn, choices.length === 0 ? (subject?.tools ?? []) : namesOf(choices));
  }
  const exists = async (number: number) => (await issues.byNumber(number)) !== null;
  return inferSubject(asked, subject, directory, now, exists);
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
  return choices.map((choice) => {
    const { question, context } = choice.turn;
    const things = (choice.turn.named.length === 0 ? thingsIn(choice, directory) : []).filter(
      (name) => !isOfTitle(name, question, context?.title ?? ''),
    );
    return things.length === 0
      ? choice
      : { ...choice, turn: { ...choice.turn, named: things, services: things } };
  });
}
