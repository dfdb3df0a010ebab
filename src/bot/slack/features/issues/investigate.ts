import { readInvestigate, requestForWords } from '../../../filing/ask-to-file.ts';
import { fileForPerson } from '../../../filing/file-for-person.ts';
import { unknownSeverity, usageInvestigate } from '../../../render/admin/usage.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { opensInTime } from '../../listening/open-modal.ts';
import { refusedAtLimit } from '../../listening/refused-at-limit.ts';
import type { Asked } from '../../listening/subcommand.ts';
import { tellPerson } from '../../listening/tell.ts';
import { newIssueView } from './new-issue-modal.ts';

/** Files what somebody wrote, at once; where they did not say what is wrong, it opens the form. */
export async function runInvestigate(asked: Asked, deps: ListenerDeps): Promise<void> {
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
  deps.wakeups.filed();
  deps.wakeups.outbox();
}
