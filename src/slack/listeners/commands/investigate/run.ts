import { readInvestigate, requestForWords } from '../../../../filing/ask-to-file.ts';
import { fileForPerson } from '../../../../filing/file-for-person.ts';
import { unknownSeverity, usageInvestigate } from '../../../../render/usage.ts';
import type { ListenerDeps } from '../../deps.ts';
import { newIssueView } from '../../new-issue-view.ts';
import { opensInTime } from '../../open-modal.ts';
import { refusedAtLimit } from '../../refused-at-limit.ts';
import { tellPerson } from '../../tell.ts';
import type { Asked } from '../gumshoe/subcommand.ts';

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
  deps.rings.filed();
  deps.rings.outbox();
}
