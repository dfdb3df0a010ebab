import { isEmpty } from './catalog/terms.ts';
import { type Found, tool } from './tool.ts';
import { overtakenBy } from './tools/effect.ts';
import { ASPECTS, input, isUnclear, saysOf, troublesOf } from './tools/health.ts';
import { EVERYTHING, expectsOf, isOfCourse } from './understand.ts';
import { overtakenInWords } from './words/effect.ts';
import { healthInWords, saysInWords } from './words/health.ts';

const MINUTE = 60_000;
const CHANGE = /\b(?:deploy|releas|roll|chang|version|commit|config)/iu;
/** What somebody takes for the cause: `is it memory?`, `was it just the network?` */
const GUESSED =
  /\b(?:(?:is|was) (?:it|this|that)|(?:could|can|might) (?:it|this|that) be) (?:really |just |all |only |maybe )?(?:because of |due to )?(?:the |an? |our )?(\p{L}[\p{L}-]+)/iu;
const FURTHER = {
  certainty: /\belse\b|\bother\b|alternativ|ruled? out/iu,
  since: /\b(?:recover|end(?:ed)?|stop|fixed|over|resolved|gone|back)/iu,
  status: /worse|better|improv|trend|recovering/iu,
} as const;

export const health = tool({
  name: 'health',
  answers:
    'what is wrong with a service, with everything or with an issue: why, whether it goes on, since when, who is affected, how sure that is',
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
      blames: CHANGE.test(words) || turn.others.length > 0,
      measure: turn.metricNamed?.measure ?? null,
      guess: aspect === 'certainty' ? guessIn(words) : null,
      asked: question.slice(0, 1_000),
    };
  },
  run: async (args, facts): Promise<Found> => {
    const { issue, context } = facts;
    const isTold = args.services.every((one) => context?.services.includes(one));
    if (issue === null && context?.rootCause && args.aspect === 'cause' && isTold)
      return {
        data: { aspect: args.aspect, ...context },
        text: `#${context.number} ${context.title}: ${context.rootCause}`,
      };
    const troubles = await troublesOf(args, facts);
    const isOfCause = args.aspect === 'cause' || args.aspect === 'certainty';
    const overtaken = isOfCause && facts.scope !== null ? await overtakenBy(facts.scope, facts) : null;
    return {
      data: {
        ...{ aspect: args.aspect, guess: args.guess },
        troubles: troubles.map(
          ({ verdict, course: { state, onset, levels, ...course }, look, ...found }) => ({
            ...{ state: state.is, onset, levels, blame: found.blame, beside: found.beside },
            about: found.relation?.about,
            // What is not told is none of it.
            ...(args.aspect === 'since' && { timeline: course.timeline }),
            ...(args.aspect === 'impact' && { callers: course.callers }),
            ...(['health', 'cause', 'certainty'].includes(args.aspect) && { verdict }),
            ...(look !== null && { look: { ...look, verdict: undefined, services: undefined } }),
          }),
        ),
      },
      text: [
        ...(overtaken === null ? [] : [overtakenInWords(overtaken)]),
        ...new Set(troubles.map((one) => healthInWords(one, args, facts.now))),
      ].join('\n\n'),
      says: overtaken === null ? saysInWords(saysOf(troubles, args, facts), troubles, facts.now) : null,
      isUnknown: troubles.every((one) => isUnclear(one, args.aspect)),
    };
  },
});

function guessIn(words: string): string | null {
  const word = GUESSED.exec(words)?.[1]?.toLowerCase() ?? '';
  return word === '' || isEmpty(word) || CHANGE.test(word) || isOfCourse(word) ? null : word;
}
