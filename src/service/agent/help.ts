import { z } from 'zod';
import { joinNames } from '../investigation/format.ts';
import type { Service } from '../telemetry/model.ts';
import { kubectlFor } from '../telemetry/undo.ts';
import { notFound } from './issues.ts';
import { ownedInWords, ownersOf } from './owners.ts';
import { services, tool } from './tool.ts';
import { checklistOf } from './tools/advice.ts';
import { DEEDS, type Deed, deedIn } from './tools/effect.ts';
import type { Facts } from './types.ts';
import { adviceInWords, otherwiseInWords, rollbackInWords } from './words/advice.ts';

/** What is done to an issue. */
const OF_ISSUE = /\b(?:resolve|close|(?:un)?mute|reopen|ack|acknowledge|assign|silence)\b/iu;
const input = z.object({
  about: z.enum(['abilities', 'thanks', 'command']).default('abilities'),
  /** What a command is about, and what it wants done to it. */
  services,
  deed: z.enum(DEEDS).nullable().default(null),
  number: z.number().int().nullable().default(null),
  asked: z.string().max(1_000).default(''),
});

/** Hello! What can you do? What can you see here? Restart orders! Thanks! */
export const help = tool({
  name: 'help',
  answers: 'what is connected, and questions that can be asked now; that nothing is ever changed',
  example: '',
  input,
  isOffline: true,
  fill: ({ question, aspect, numberNamed, named }): z.input<typeof input> => ({
    services: [...named],
    deed: deedIn(question),
    about: aspect === 'thanks' ? 'thanks' : aspect === 'order' ? 'command' : 'abilities',
    number: numberNamed,
    asked: question.slice(0, 1_000),
  }),
  run: async ({ about, ...ordered }, facts) => {
    if (about === 'thanks') return { data: {}, text: 'You’re welcome.' };
    if (about === 'command') return { data: { changed: false }, text: await refusal(ordered, facts) };
    const { sources, view } = facts;
    const known = view.services().map(({ name }) => name);
    return { data: { sources, services: known, questions: questionsFor(facts) }, text: abilities(facts) };
  },
});

/** What a person can do themselves, as a command where it is known what runs a service. */
const COMMANDS: Readonly<Record<Deed, (target: string) => string>> = {
  restart: (target) => `rollout restart ${target}`,
  scale: (target) => `scale ${target} --replicas=<how many>`,
  rollback: (target) => `rollout undo ${target}`,
};

function commandOf(deed: Deed, { name, workload }: Service): string {
  const command = workload && kubectlFor(workload, COMMANDS[deed]);
  return command
    ? ` The command is \`${command}\`.`
    : ` I don’t know what ${name} runs on, so I can’t name the command.`;
}

async function refusal(
  { number, services: named, deed, asked }: Omit<z.output<typeof input>, 'about'>,
  facts: Facts,
): Promise<string> {
  const { issue, scope } = facts;
  if (number !== null && issue === null) return notFound(number);
  const isOfIssue = issue !== null && (number !== null || OF_ISSUE.test(asked));
  const what = isOfIssue ? `#${issue.number} is unchanged` : 'I have changed nothing';
  const rest = isOfIssue || deed !== null ? '' : ' A person has to do that.';
  const subject = named[0] ?? scope?.symptom ?? null;
  const node = facts.view.node(subject ?? '');
  const command = deed === null || node === undefined ? '' : commandOf(deed, node);
  const owned = isOfIssue || subject === null ? '' : ` ${ownedInWords(await ownersOf([subject], facts))}`;
  const answer = `I’m read-only, so ${what}.${rest}${command}${owned}`.trimEnd();
  if (isOfIssue || scope === null || scope.issue.findings === null) return answer;
  const advised = await checklistOf(scope, facts, deed === 'rollback');
  const isFirst = deed !== null && advised.first.some(({ title }) => deedIn(title) === deed);
  const rollback = advised.rollback === null ? '' : rollbackInWords(advised.rollback);
  return [answer, ...(isFirst ? [adviceInWords(advised)] : [rollback, otherwiseInWords(advised)])]
    .filter((text) => text !== '')
    .join('\n\n');
}

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
