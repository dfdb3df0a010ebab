import { ask } from '../../../asking/ask.ts';
import { usageAsk } from '../../../render/admin/usage.ts';
import type { CommandCall, Subcommand } from '../../commands/command.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';

/** `/ask <question>` asks the agent; the answer starts a thread for follow-up questions. */
export const askCommand: Subcommand = {
  example: 'ask what is slow?',
  does: 'same as `/ask`',
  run: askAgent,
};

async function askAgent(
  { command, words, channel, userId, cause, respond }: CommandCall,
  deps: ListenerDeps,
): Promise<void> {
  if (words === '') return tellPerson(respond, usageAsk(command), deps);
  const question = { id: cause, channel, threadTs: null, asker: userId, text: words };
  await ask(question, { ...deps, ...deps.asking });
}
