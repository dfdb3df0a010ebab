import { z } from 'zod';
import { howItIs, type Says, services } from '../tool.ts';
import type { Facts, IssueScope } from '../types.ts';
import { type Course, courseOf } from './course.ts';
import { type Look, lookInto } from './investigation.ts';
import { isRelated, type Relation, relationOf } from './relation.ts';
import { type Blame, blameOf, isBlamed, type Verdict, verdictOf } from './verdict.ts';

/** What is asked of the health of something. */
export const ASPECTS = ['health', 'cause', 'status', 'since', 'impact', 'certainty'] as const;
/** What is asked of several things is looked at for so many of them. */
const MOST_THINGS = 3;

export const input = z.object({
  services,
  aspect: z.enum(ASPECTS).default('health'),
  /** What *yes* would mean, where the question is a yes/no question. */
  expects: z.enum(['over', 'ongoing']).nullable().default(null),
  /** Whether everything is meant, whatever the conversation is about. */
  whole: z.boolean().default(false),
  at: z.number().optional(),
  /** Of a certainty: what else it could be. Of a beginning: when it ended. Of a status: which way it goes. */
  further: z.boolean().default(false),
  /** Of a certainty: whether a change is meant. */
  blames: z.boolean().default(false),
  /** Of a certainty: what somebody takes for the cause. */
  guess: z.string().max(100).nullable().default(null),
  measure: z.string().max(100).nullable().default(null),
  /** What is asked about, in the words of who asks: looked at as the title of an issue is. */
  asked: z.string().max(1_000).default(''),
});
export type HealthArgs = z.output<typeof input>;

/** One trouble that the answer is about: an issue's, or that of a thing which was looked at. */
export interface Trouble {
  verdict: Verdict;
  course: Course;
  look: Look | null;
  blame: Blame | null;
  /** The verdict of the thread's issue, beside something that is no part of it. */
  beside: Verdict | null;
  relation: Relation | null;
}

/** The troubles that are asked about: an issue's, or those of the things that are named. */
export async function troublesOf(args: HealthArgs, facts: Facts): Promise<Trouble[]> {
  const { scope } = facts;
  // *The cluster* in `does that hit the cluster?` is whom the issue reaches.
  const isOfIssue = scope !== null && (!args.whole || args.aspect === 'impact') && args.at === undefined;
  return isOfIssue ? [await ofIssue(scope, args, facts)] : await ofThings(args, facts);
}

async function ofIssue(scope: IssueScope, args: HealthArgs, facts: Facts): Promise<Trouble> {
  const restsOnResults = args.aspect === 'cause' || args.aspect === 'certainty';
  return {
    verdict: verdictOf(scope, restsOnResults ? facts : null),
    course: await courseOf(scope, facts, { named: args.services, isShown: !restsOnResults }),
    look: null,
    blame: await blameAsked(scope, args, facts),
    beside: null,
    relation:
      args.guess !== null && args.services.length === 0
        ? await relationOf(args.guess, [], scope, facts, { isOwn: true })
        : null,
  };
}

async function blameAsked(
  scope: IssueScope | null,
  { aspect, blames, services: named, asked }: HealthArgs,
  facts: Facts,
): Promise<Blame | null> {
  return scope !== null && aspect === 'certainty' && blames ? blameOf(scope, { named, asked }, facts) : null;
}

/** The things that are named, or everything: each is investigated as an issue on it would be. */
async function ofThings(args: HealthArgs, facts: Facts): Promise<Trouble[]> {
  const { thread } = facts;
  const own = thread?.symptom ?? null;
  // Of several copies of a system, one may have what the others have not.
  const here = args.services.filter((name) => facts.view.node(name) !== undefined);
  const [first = null, ...others] = (here.length > 0 ? here : args.services).slice(0, MOST_THINGS);
  const things = args.whole ? [null] : [first ?? own, ...others];
  const troubles: Trouble[] = [];
  const isOfThread = (service: string | null) =>
    args.aspect === 'cause' &&
    args.at === undefined &&
    service !== null &&
    thread?.services.includes(service) === true;
  if (thread !== null && things.some(isOfThread))
    troubles.push(await ofIssue(thread, { ...args, services: [] }, facts));
  for (const service of things.filter((one) => !isOfThread(one))) {
    const { look, scope } = await lookInto(
      { question: args.asked, service, at: args.at ?? facts.now },
      facts,
    );
    troubles.push({
      verdict: look.verdict,
      course: await courseOf(scope, facts, { named: service === null ? [] : [service], isShown: false }),
      look,
      blame: await blameAsked(thread, args, facts),
      beside: args.aspect === 'certainty' && thread !== null ? verdictOf(thread, facts) : null,
      relation:
        args.aspect === 'certainty' && thread !== null && service !== null && look.isKnown
          ? await relationOf('', [service], thread, facts)
          : null,
    });
  }
  return troubles;
}

/** The yes or no that was computed; it is neither where nothing that could have shown the opposite was compared. */
export function saysOf(troubles: readonly Trouble[], args: HealthArgs, facts: Facts): Says | null {
  const [first] = troubles;
  if (first === undefined) return null;
  const { look, blame, relation } = first;
  if (blame !== null) return { relation: 'blamed', holds: isGuilty(blame) };
  if (look?.isKnown === false && look.is !== 'ill') return null;
  // That something is out of its usual range, too, does not make it the cause.
  // What is read of a thing may not have moved while what it exports besides has.
  const isOpen = relation?.departed === null && look?.isUnsure === true;
  if (relation !== null)
    return look === null ? null : { relation: 'related', holds: isOpen ? null : isRelated(relation) };
  const isOfCourse = troubles.every((one) => isToldByCourse(one, args.aspect));
  if (look === null && !isOfCourse) return ofOwnIssue(first, args, facts);
  const isIll = isOfCourse ? isAnyGoingOn(troubles) : isAnyIll(troubles, args);
  return howItIs(args.expects, isIll === true && !isMeant(troubles, args) ? null : isIll);
}

/** Whether it is what the question names that is ill: errors make nothing slow, and a slow thing is not down. */
function isMeant(troubles: readonly Trouble[], { expects, measure }: HealthArgs): boolean {
  const looks = troubles.flatMap(({ look }) => look ?? []);
  if (measure === null || expects !== 'ongoing' || looks.length === 0) return true;
  // That one thing is down does not make everything so.
  const own = measure === 'up' ? looks.filter(({ service }) => service !== null) : looks;
  return own.some(({ ill }) => ill.some((one) => one === measure));
}

/** Whether an answer says how the course is, rather than how a thing is. */
function isToldByCourse(trouble: Trouble, aspect: HealthArgs['aspect']): boolean {
  const { look, course } = trouble;
  return look === null
    ? aspect === 'status' || (aspect === 'health' && course.symptom !== null)
    : aspect === 'status' && !isWithout(trouble);
}

export function isWithout({ look, course }: Trouble): boolean {
  return look === null || look.primary === null || look.primary.isNeighbor || course.levels.length === 0;
}

function isGoingOn({ state, own }: Course): boolean | null {
  if (state.is === 'unclear') return own === null ? null : own.since === null;
  return state.is === 'ongoing' || (state.is === 'over' || state.is === 'normal' ? false : null);
}

function isAnyGoingOn(troubles: readonly Trouble[]): boolean | null {
  const all = troubles.map(({ course }) => isGoingOn(course));
  return all.includes(true) || (all.includes(null) ? null : false);
}

/** Whether all that is said of a trouble is that it cannot be told. */
export function isUnclear(trouble: Trouble, aspect: HealthArgs['aspect']): boolean {
  const { look, course } = trouble;
  if (isToldByCourse(trouble, aspect)) return isGoingOn(course) === null;
  if (look !== null) return look.is === 'unclear' && (look.service !== null || look.open.length === 0);
  return (aspect === 'since' || aspect === 'impact') && course.levels.length === 0;
}

function isGuilty({ is, verdict: { confidence } }: Blame): boolean | null {
  if (is === 'ruled_out') return false;
  return is === 'blamed' && (confidence === 'high' || confidence === 'medium') ? true : null;
}

function ofOwnIssue(
  { verdict, course: { state, services: involved } }: Trouble,
  { aspect, services: named }: HealthArgs,
  { thread }: Facts,
): Says | null {
  if (aspect === 'certainty' && thread !== null)
    return { relation: 'blamed', holds: isBlamed(thread, verdict, named) };
  if (aspect !== 'impact') return null;
  const isOf = state.is === 'ongoing' && named.length > 0;
  const isHit = isOf ? named.every((name) => involved.includes(name)) : null;
  return { relation: 'affected', holds: state.is === 'over' ? false : isHit };
}

function isAnyIll(
  troubles: readonly Trouble[],
  { aspect, services: named, whole }: HealthArgs,
): boolean | null {
  // The worst that is found anywhere says neither yes nor no of what telemetry does not know by name.
  const isOfAny = named.length === 0 && !whole && aspect !== 'status' && aspect !== 'impact';
  if (aspect === 'certainty' || isOfAny) return null;
  const looks = troubles.flatMap(({ look }) => look ?? []);
  const isIll = ({ is, open }: Look) => is === 'ill' || is === 'bad' || (open.length > 0 && is !== 'over');
  if (looks.some(isIll)) return true;
  // What departs, if only for too short a time to be sure, is no yes.
  const isOpen = looks.some(
    ({ is, isUnsure, besides }) => is === 'unclear' || isUnsure || besides.length > 0,
  );
  return isOpen ? null : false;
}
