import { fileForPerson } from '../../../filing/on-request.ts';
import { readInvestigate, requestForWords } from '../../../filing/request.ts';
import { unknownSeverity, usageInvestigate } from '../../../render/admin/usage.ts';
import type { CommandCall, Subcommand } from '../../commands/command.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { opensInTime } from '../../listening/open-modal.ts';
import { refusedAtLimit, tellPerson } from '../../listening/tell.ts';
import { newIssueView } from './new-issue-modal.ts';

/**
 * `/investigate <what is wrong> [severity:high] [env:staging] [service:…]` files an issue; without text, opens the
 * form.
 */
export const investigate: Subcommand = {
  example: 'investigate checkout is slow',
  does: 'same as `/investigate`',
  run: fileWords,
};

async function fileWords(asked: CommandCall, deps: ListenerDeps): Promise<void> {
  const { respond, cause: id, channel, userId: by, command } = asked;
  const words = readInvestigate(asked.words);
  if (words.unknownSeverity !== null) {
    return tellPerson(respond, unknownSeverity(command, words.unknownSeverity, asked.words), deps);
  }
  if (words.text === '') {
    const view = await newIssueView(channel, deps, words);
    if (await opensInTime(asked.triggerId, view, deps)) return;
    return tellPerson(respond, usageInvestigate(command, asked.words), deps);
  }
  const now = deps.clock.now();
  const origin = { issueId: id, channel, at: now, userId: by };
  const request = requestForWords(words, origin, deps.defaultEnvironment);
  const limit = await fileForPerson({ id, channel, by, request, now }, deps);
  if (limit) return tellPerson(respond, refusedAtLimit(limit, deps), deps);
}
