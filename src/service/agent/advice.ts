import { z } from 'zod';
import { services, tool } from './tool.ts';
import { adviceFor } from './tools/advice.ts';
import { DEEDS, deedIn, effectOf, overtakenBy } from './tools/effect.ts';
import { adviceInWords, untriedInWords } from './words/advice.ts';
import { effectInWords, overtakenInWords } from './words/effect.ts';
import { conditionInWords } from './words/health.ts';

export const advice = tool({
  name: 'advice',
  answers: 'what to do about a service or an issue: first steps, follow-up, commands to check and to fix',
  example: 'What should I do about {service}?',
  input: z.object({
    services,
    safe: z.boolean().default(false),
    /** What somebody thinks of doing. */
    deed: z.enum(DEEDS).nullable().default(null),
    asked: z.string().max(1_000).default(''),
    isIf: z.boolean().default(false),
  }),
  fill: ({ question, services: own, aspect }) => ({
    isIf: aspect === 'if',
    services: [...own],
    safe: /\bsafe\b|\brisk/iu.test(question),
    deed: deedIn(question),
    asked: question.slice(0, 1_000),
  }),
  run: async ({ services: own, safe, deed, asked, isIf }, facts) => {
    const scope = facts.scope ?? facts.thread;
    const done = isIf && scope !== null ? await effectOf(scope, facts, deed) : null;
    const isDone = done !== null && done.unseen === null && deed !== null && done.change !== null;
    const effect = isDone ? effectInWords(done) : null;
    const found = await adviceFor(own, { asked, isOfRollback: safe || deed === 'rollback' }, facts);
    const { first, verdict } = found;
    const overtaken = facts.scope === null ? null : await overtakenBy(facts.scope, facts);
    const isFirst = first.some(({ title }) => deedIn(title) === deed);
    return {
      data: {
        issue: verdict.number,
        service: found.service,
        first,
        later: found.later,
        rollback: found.rollback,
      },
      says: isIf
        ? effect?.says
        : {
            relation: 'advised',
            holds: deed !== null && !safe && isFirst && overtaken === null ? true : null,
          },
      text: [
        ...(overtaken === null ? [] : [overtakenInWords(overtaken)]),
        ...(effect !== null ? [effect.text] : isIf ? [untriedInWords(deed)] : []),
        found.elsewhere === undefined ? adviceInWords(found) : conditionInWords(found.elsewhere, facts.now),
      ].join('\n\n'),
    };
  },
});
