import { z } from 'zod';
import { joinNames } from '../investigation/format.ts';
import type { Service } from '../telemetry/model.ts';
import { kubectlFor } from '../telemetry/undo.ts';
import { services, tool } from './tool.ts';
import { checklistOf } from './tools/advice.ts';
import type { Facts } from './types.ts';
import { adviceInWords } from './words/advice.ts';

/** What is done to an issue. */
const OF_ISSUE = /\b(?:resolve|close|(?:un)?mute|reopen|ack|acknowledge|assign|silence)\b/iu;
/** Commands whose steps are on a checklist. */
const MENDS = /\b(?:restart|reboot|scale|roll ?back|revert|deploy|redeploy)\b/iu;
const input = z.object({
  about: z.enum(['abilities', 'thanks', 'command']).default('abilities'),
  /** What a command is about, and what it wants done to it. */
  services,
  deed: z.enum(['restart', 'scale', 'rollback']).nullable().default(null),
  /** Of a command: whether a checklist has its steps. */
  mends: z.boolean().default(false),
  /** The issue that a command names. */
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
    deed: DEEDS.find(([words]) => words.test(question))?.[1] ?? null,
    about: aspect === 'thanks' ? 'thanks' : aspect === 'order' ? 'command' : 'abilities',
    mends: MENDS.test(question),
    number: numberNamed,
    asked: question.slice(0, 1_000),
  }),
  run: async ({ about, mends, number, services: named, deed, asked }, facts) => {
    if (about === 'thanks') return { data: {}, text: 'You’re welcome.' };
    if (about === 'command')
      return { data: { changed: false }, text: await refusal({ mends, number, named, deed, asked }, facts) };
    const { sources, view } = facts;
    const known = view.services().map(({ name }) => name);
    return { data: { sources, services: known, questions: questionsFor(facts) }, text: abilities(facts) };
  },
});

/** What a person can do themselves, as a command where it is known what runs a service. */
const DEEDS = [
  [/\b(?:restart|reboot)\b/iu, 'restart'],
  [/\bscale\b/iu, 'scale'],
  [/\broll ?back\b|\brevert\b/iu, 'rollback'],
] as const;
type Deed = (typeof DEEDS)[number][1];

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
  {
    mends,
    number,
    named,
    deed,
    asked,
  }: {
    mends: boolean;
    number: number | null;
    named: readonly string[];
    deed: z.output<typeof input>['deed'];
    asked: string;
  },
  { issue, scope, ...facts }: Facts,
): Promise<string> {
  if (number !== null && issue === null)
    return `I can’t find issue #${number}. It may have been deleted, or belong to another organization.`;
  const isOfIssue = issue !== null && (number !== null || OF_ISSUE.test(asked));
  const what = isOfIssue ? `#${issue.number} is unchanged` : 'I have changed nothing';
  const rest = isOfIssue || deed !== null ? '' : ' A person has to do that.';
  const node = facts.view.node(named[0] ?? scope?.symptom ?? '');
  const command = deed === null || node === undefined ? '' : commandOf(deed, node);
  const answer = `I’m read-only, so ${what}.${rest}${command}`;
  if (scope === null || !mends || scope.issue.findings === null) return answer;
  return `${answer}\n\n${adviceInWords(await checklistOf(scope, { issue, scope, ...facts }))}`;
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
