import { listed } from '../investigation/words.ts';
import { INTENTS } from './intents/index.ts';
import type { Intent, Turn } from './types.ts';

const ASKS_FOR_HELP = /^\W*(?:hi|hello|hey|help(?: me)?|what can (?:you do|i ask)(?: you)?)\W*$/iu;
const THANKS = /^\W*(?:ok(?:ay)?\W+)?(?:thanks?|thank you|thx|great|perfect)\b[\w\s]{0,20}\W*$/iu;

/** What the agent says where it has no answer: what it can be asked. */
export function helpText(services: readonly string[]): string {
  return `I cannot answer that. ${abilities(services)}`;
}

/** The answer to what is no question; `null` for everything else. */
export function courtesy(question: string, services: readonly string[]): string | null {
  if (THANKS.test(question)) return 'You are welcome.';
  return ASKS_FOR_HELP.test(question) ? abilities(services) : null;
}

/** Goes before an answer to a question of which only the subject was understood. */
export function unsure({ example }: Intent): string {
  return `I am not sure what you ask; I answer as if it were like "${example}"`;
}

/** Goes before an answer about something that the question itself did not name; `null` where it did, or is about nothing. */
export function taken({ heardFrom, services, number }: Turn, { name }: Intent): string | null {
  if (heardFrom === null || ['open issues', 'file'].includes(name)) return null;
  const subject = services.length > 0 ? listed(services.slice(0, 3)) : number === null ? null : `#${number}`;
  const where = heardFrom === 'thread' ? 'What was said in this thread' : 'The attached file';
  return subject === null ? null : `${where} names ${subject}; I answer about that.`;
}

function abilities(services: readonly string[]): string {
  return [
    'I read metrics, logs, traces, changes and issues; you can ask me, for example:',
    '',
    ...INTENTS.map(({ example }) => `- ${example}`),
    '',
    `The services I know: ${services.join(', ')}.`,
  ].join('\n');
}
