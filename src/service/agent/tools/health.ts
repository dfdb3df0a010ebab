import { z } from 'zod';
import { flapping } from '../flapping.ts';
import { type Found, services, tool } from '../tool.ts';
import type { Facts, IssueScope } from '../types.ts';
import { EVERYTHING, expectsOf } from '../understand.ts';
import { healthInWords } from '../words/health.ts';
import { type Course, courseOf } from './course.ts';
import { type Look, lookInto } from './investigation.ts';
import { type Blame, blameOf, isBlamed, type Verdict, verdictOf } from './verdict.ts';

/** What is asked of the health of something. */
const ASPECTS = ['health', 'cause', 'status', 'since', 'impact', 'certainty', 'flapping'] as const;
/** What is asked of several things is looked at for so many of them. */
const MOST_THINGS = 3;
const MINUTE = 60_000;
const CHANGE = /\b(?:deploy|releas|roll|chang|version|commit|config)/iu;
const FURTHER = {
  certainty: /\belse\b|\bother\b|alternativ|ruled? out/iu,
  since: /\b(?:recover|end(?:ed)?|stop|fixed|over|resolved|gone|back)/iu,
  status: /worse|better|improv|trend|recovering/iu,
} as const;

const input = z.object({
  services,
  aspect: z.enum(ASPECTS).default('health'),
  /** What *yes* would mean, where the question is a yes/no question. */
  expects: z.enum(['over', 'ongoing']).nullable().default(null),
  /** Whether everything is meant, whatever the conversation is about. */
  whole: z.boolean().default(false),
  /** The past moment that it is about. */
  at: z.number().optional(),
  /** Of a certainty: what else it could be. Of a beginning: when it ended. Of a status: which way it goes. */
  further: z.boolean().default(false),
  /** Of a certainty: whether a change is meant. */
  blames: z.boolean().default(false),
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
}

export const health = tool({
  name: 'health',
  answers:
    'what is wrong with a service, with everything or with an issue: why, whether it goes on, since when, how often, who is affected, how sure that is',
  example: 'Why is {service} slow?',
  input,
  fill: (turn, facts) => {
    const { question, words } = turn;
    const aspect = ASPECTS.find((one) => one === turn.aspect) ?? 'health';
    return {
      services: [...turn.services],
      aspect,
      expects: expectsOf(question),
      whole: EVERYTHING.test(question),
      ...(turn.at < facts.now - 2 * MINUTE ? { at: turn.at } : {}),
      further:
        (aspect === 'certainty' || aspect === 'since' || aspect === 'status') &&
        FURTHER[aspect].test(question),
      blames: CHANGE.test(words),
      asked: question.slice(0, 1_000),
    };
  },
  run: async (args, facts): Promise<Found> => {
    if (args.aspect === 'flapping') return { data: { aspect: args.aspect }, ...flapping(args, facts) };
    const { scope, issue, context } = facts;
    const isTold = args.services.every((one) => context?.services.includes(one));
    if (issue === null && context?.rootCause && args.aspect === 'cause' && isTold)
      return {
        data: { aspect: args.aspect, ...context },
        text: `#${context.number} ${context.title}: ${context.rootCause}`,
      };
    const isOfIssue = scope !== null && !args.whole && args.at === undefined;
    const troubles = isOfIssue ? [await ofIssue(scope, args, facts)] : await ofThings(args, facts);
    return {
      data: {
        aspect: args.aspect,
        troubles: troubles.map(({ verdict, course: { state, onset, levels }, look }) => ({
          verdict,
          state: state.is,
          onset,
          levels,
          ...(look !== null && { look: { service: look.service, is: look.is, primary: look.primary } }),
        })),
      },
      text: [...new Set(troubles.map((one) => healthInWords(one, args, facts.now)))].join('\n\n'),
      holds: holdsOf(troubles, args, facts),
    };
  },
});

async function ofIssue(scope: IssueScope, args: HealthArgs, facts: Facts): Promise<Trouble> {
  const restsOnResults = args.aspect === 'cause' || args.aspect === 'certainty';
  return {
    verdict: verdictOf(scope, restsOnResults ? facts : null),
    course: await courseOf(scope, facts, { named: args.services, isShown: !restsOnResults }),
    look: null,
    blame: args.aspect === 'certainty' && args.blames ? await blameOf(scope, args.services, facts) : null,
    beside: null,
  };
}

/** The things that are named, or everything: each is investigated as an issue on it would be. */
async function ofThings(args: HealthArgs, facts: Facts): Promise<Trouble[]> {
  const { thread } = facts;
  const own = thread?.symptom ?? null;
  const [first = null, ...others] = args.services.slice(0, MOST_THINGS);
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
      blame:
        args.aspect === 'certainty' && args.blames && thread !== null
          ? await blameOf(thread, args.services, facts)
          : null,
      beside: args.aspect === 'certainty' && thread !== null ? verdictOf(thread, facts) : null,
    });
  }
  return troubles;
}

/** Whether *yes* is true; `null` where nothing that could have shown the opposite was compared. */
function holdsOf(troubles: readonly Trouble[], args: HealthArgs, { thread }: Facts): boolean | null {
  const [first] = troubles;
  if (first === undefined) return null;
  const { aspect, services: named, expects } = args;
  const { verdict, course, look, blame } = first;
  if (blame !== null) {
    const { confidence } = blame.verdict;
    if (blame.is === 'ruled_out') return false;
    return blame.is === 'blamed' && (confidence === 'high' || confidence === 'medium') ? true : null;
  }
  if (look?.isKnown === false && look.is !== 'ill') return null;
  if (aspect === 'certainty')
    return thread === null ? null : isBlamed(thread, first.beside ?? verdict, named);
  if (aspect === 'impact' && look === null) {
    if (course.state.is === 'over') return false;
    return course.state.is === 'ongoing' && named.length > 0
      ? named.every((name) => course.services.includes(name))
      : null;
  }
  if (look === null || expects === null) return null;
  const isAny = (...some: Look['is'][]) =>
    troubles.some((one) => one.look !== null && some.includes(one.look.is));
  // The worst that is found anywhere says neither yes nor no of what telemetry does not know by name.
  const isOfAll = named.length === 0 && !args.whole;
  if (isOfAll && aspect !== 'status' && aspect !== 'impact') return null;
  if (
    isAny('ill', 'bad') ||
    troubles.some((one) => (one.look?.open.length ?? 0) > 0 && one.look?.is !== 'over')
  )
    return expects === 'ongoing';
  return isAny('unclear') ? null : expects === 'over';
}
