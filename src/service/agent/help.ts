import { z } from 'zod';
import { joinNames } from '../investigation/format.ts';
import { checklistOf } from './about-issue.ts';
import { tool } from './tool.ts';
import type { Facts } from './types.ts';

/** What somebody wants done. */
const COMMAND =
  /^\W*(?:please\s+|pls\s+|(?:can|could|would) you\s+(?:please\s+)?|now\s+)?(?:delete|resolve|close|mute|unmute|reopen|set|mark|restart|reboot|kill|scale|drain|deploy|redeploy|roll ?back|revert|silence|ack(?:nowledge)?|page|assign|escalate)\b(?!.*\b(?:help|work)(?:ed)?\b)/iu;
/** Commands whose steps are on a checklist. */
const MENDS = /\b(?:restart|reboot|scale|roll ?back|revert|deploy|redeploy)\b/iu;
const THANKS =
  /^\W*(?:many )?(?:thanks?(?: you| a lot| so much)?|thx|ty|cheers|great|nice|cool|perfect|good (?:job|bot)|well done)\W*$/iu;
const HELP =
  /^\W*help\b|\bwhat (?:(?:else )?(?:can|could) (?:you|i|we) (?:do|ask|see|answer|tell)|do you (?:know|see|do)|are you)|\bwhat can you\b|\bcan i ask\b|\byou connected\b|\bhow (?:do|can) (?:i|you) (?:use|work|help)\b|\bwho are you\b/iu;
const GREETING =
  /^\W*(?:hello|hi|hey|good (?:morning|evening|afternoon)|howdy)\b(?: (?:there|gumshoe|bot|all))?\W*(?=$|\w)/iu;

const input = z.object({
  about: z.enum(['abilities', 'thanks', 'command']).default('abilities'),
  /** Of a command: whether a checklist has its steps. */
  mends: z.boolean().default(false),
  /** The issue that a command names. */
  number: z.number().int().nullable().default(null),
});

/** Hello! What can you do? What can you see here? Restart orders! Thanks! */
export const help = tool({
  name: 'help',
  answers: 'what is connected, and questions that can be asked now; that nothing is ever changed',
  example: '',
  input,
  isOffline: true,
  cues: [
    [6, THANKS],
    [6, COMMAND],
    [5, HELP],
    [2, GREETING],
  ],
  fill: ({ question, numberNamed }): z.input<typeof input> => ({
    about: THANKS.test(question) ? 'thanks' : COMMAND.test(question) ? 'command' : 'abilities',
    mends: MENDS.test(question),
    number: numberNamed,
  }),
  run: async ({ about, mends, number }, facts) => {
    if (about === 'thanks') return { data: {}, text: 'You’re welcome.' };
    if (about === 'command') return { data: { changed: false }, text: await refusal(mends, number, facts) };
    const { sources, view } = facts;
    const services = view.services().map(({ name }) => name);
    return { data: { sources, services, questions: questionsFor(facts) }, text: abilities(facts) };
  },
});

async function refusal(
  mends: boolean,
  number: number | null,
  { issue, scope, ...facts }: Facts,
): Promise<string> {
  if (number !== null && issue === null)
    return `I can’t find issue #${number}. It may have been deleted, or belong to another organization.`;
  const what = issue === null || mends ? 'I have changed nothing' : `#${issue.number} is unchanged`;
  const answer = `I’m read-only, so ${what}.`;
  if (scope === null || !mends || scope.issue.findings === null) return answer;
  return `${answer}\n\n${await checklistOf(scope, { issue, scope, ...facts })}`;
}

/** Three questions that have an answer with what is connected. */
function questionsFor({ view, hasState }: Facts): string[] {
  const [service] = view.services().map(({ name }) => name);
  return [
    ...(service === undefined
      ? []
      : [`Why is ${service} slow?`, `Show the error rate of ${service} in the last 30 minutes`]),
    ...(hasState ? ['How many pods are not ready?'] : []),
    'What changed in the last hour?',
    'What is open?',
    'Has this happened before?',
  ].slice(0, 3);
}

const MOST_SERVICES = 25;

/** What is connected, and what can be asked. */
function abilities(facts: Facts): string {
  const { view, sources } = facts;
  const names = view.services().map(({ name }) => name);
  const more = names.length - MOST_SERVICES;
  const seen =
    names.length === 0
      ? 'No source of telemetry knows any service right now.'
      : `I see ${names.length === 1 ? 'one service' : `${names.length} services`}: ${names.slice(0, MOST_SERVICES).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
  return [
    `I answer questions about telemetry, changes and issues, and change nothing. Connected: ${joinNames(sources)}. ${seen}`,
    '',
    'Ask me, for example:',
    '',
    ...questionsFor(facts).map((question) => `- ${question}`),
  ].join('\n');
}
