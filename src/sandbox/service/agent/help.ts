import { INTENTS } from './intents/index.ts';

/** What the agent says where it has no answer: what it can be asked. */
export function helpText(services: readonly string[]): string {
  return [
    'I cannot answer that. I read metrics, logs, traces, changes and issues; you can ask me, for example:',
    '',
    ...INTENTS.map(({ example }) => `- ${example}`),
    '',
    `The services I know: ${services.join(', ')}.`,
  ].join('\n');
}
