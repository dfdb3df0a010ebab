import { joinNames } from '../investigation/format.ts';
import { INTENTS } from './intents/index.ts';
import type { Intent, Turn } from './types.ts';

const ASKS_FOR_HELP = /^\W*(?:hi|hello|hey|help(?: me)?|what can (?:you do|i ask)(?: you)?)\W*$/iu;
const THANKS = /^\W*(?:ok(?:ay)?\W+)?(?:thanks?|thank you|thx|great|perfect)\b[\w\s]{0,20}\W*$/iu;

/** The agent's reply when it has no answer: what it can be asked. */
export function helpText(services: readonly string[]): string {
  return `I can’t answer that. ${abilities(services)}`;
}

/** The reply to small talk; `null` for anything else. */
export function smallTalk(question: string, services: readonly string[]): string | null {
  if (THANKS.test(question)) return 'You’re welcome.';
  return ASKS_FOR_HELP.test(question) ? abilities(services) : null;
}

/** Precedes the answer if only the question's subject was understood. */
export function uncertaintyNote({ example }: Intent, service: string | undefined): string {
  return `I’m not sure what you’re asking, so I’m treating it like "${filled(example, service)}".`;
}

/** The answer to a question about a service unknown to telemetry. */
export function unknownService(name: string, services: readonly string[]): string {
  return `I know no service called ${name}. ${known(services)}`;
}

/** Precedes an answer whose subject was inferred; `null` if the question named it, or has no subject. */
export function inferredSubjectNote(
  { subjectSource, services, number }: Turn,
  { name }: Intent,
): string | null {
  if (subjectSource === null || ['open issues', 'file'].includes(name)) return null;
  const subject =
    services.length > 0 ? joinNames(services.slice(0, 3)) : number === null ? null : `#${number}`;
  const where = subjectSource === 'thread' ? 'this thread' : 'the attached file';
  return subject === null ? null : `Answering about ${subject}, which ${where} mentions.`;
}

function abilities(services: readonly string[]): string {
  return [
    'I can read metrics, logs, traces, changes and issues. Try asking:',
    '',
    ...INTENTS.map(({ example }, i) => `- ${filled(example, services[i % services.length])}`),
    '',
    known(services),
  ].join('\n');
}

function filled(example: string, service = 'checkout'): string {
  return example.replace('{service}', service);
}

/** For a large system, only some are listed. */
const MOST = 25;

function known(services: readonly string[]): string {
  if (services.length === 0) return 'No source of telemetry knows any service right now.';
  const more = services.length - MOST;
  return `Services I know: ${services.slice(0, MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
