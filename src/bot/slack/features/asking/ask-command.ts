import { ask } from '../../../asking/ask.ts';
import { readersOf } from '../../../asking/readers.ts';
import { usageAsk } from '../../../render/admin/usage.ts';
import { isPrivateNow } from '../../access/channel-access.ts';
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
  const isPrivate = deps.services.has('private') && (await isPrivateNow(channel, deps));
  const organization = isPrivate ? 'private' : 'default';
  const readers = readersOf({ channel, asker: userId });
  const confidential = await deps.confidential.hides(words, readers, organization);
  const question = { id: cause, channel, threadTs: null, asker: userId, text: words, confidential };
  await ask(question, { ...deps, ...deps.asking });
}
