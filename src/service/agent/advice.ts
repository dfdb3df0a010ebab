import { z } from 'zod';
import { services, tool } from './tool.ts';
import { adviceFor } from './tools/advice.ts';
import { deedIn } from './tools/effect.ts';
import { adviceInWords } from './words/advice.ts';

export const advice = tool({
  name: 'advice',
  answers: 'what to do about a service or an issue: first steps, follow-up, commands to check and to fix',
  example: 'What should I do about {service}?',
  input: z.object({
    services,
    /** Whether it is asked if a step is safe. */
    safe: z.boolean().default(false),
    /** What somebody thinks of doing. */
    deed: z.enum(['rollback', 'restart']).nullable().default(null),
    asked: z.string().max(1_000).default(''),
  }),
  fill: ({ question, services: own }) => ({
    services: [...own],
    safe: /\bsafe\b|\brisk/iu.test(question),
    deed: deedIn(question),
    asked: question.slice(0, 1_000),
  }),
  run: async ({ services: own, safe, deed, asked }, facts) => {
    const found = await adviceFor(own, { asked, isOfRollback: safe || deed === 'rollback' }, facts);
    const { first, verdict } = found;
    const isFirst = first.some(({ title }) => deedIn(title) === deed);
    return {
      data: {
        issue: verdict.number,
        service: found.service,
        first,
        later: found.later,
        rollback: found.rollback,
      },
      holds: deed !== null && !safe && isFirst ? true : null,
      text: adviceInWords(found),
    };
  },
});
