import { addIssue } from '../../../../filing/add-issue.ts';
import { readInvestigate, requestForWords } from '../../../../filing/ask-to-file.ts';
import { unknownSeverity } from '../../../../render/notices.ts';
import { usageInvestigate } from '../../../../render/usage.ts';
import type { ListenerDeps } from '../../deps.ts';
import { tellPerson } from '../../tell.ts';
import type { Asked } from '../gumshoe/subcommand.ts';

/** Files what somebody wrote. */
export async function runInvestigate(asked: Asked, deps: ListenerDeps): Promise<void> {
  const { respond, cause: id, channel, userId } = asked;
  const words = readInvestigate(asked.words);
  if (words.unknownSeverity !== null)
    return tellPerson(respond, unknownSeverity(words.unknownSeverity), deps);
  if (words.text === '') return tellPerson(respond, usageInvestigate(asked.command), deps);
  const now = deps.clock.now();
  const origin = { issueId: id, channel, at: now, userId };
  await deps.store.transaction(async (tx) => {
    const added = await addIssue(tx, {
      id,
      identity: null,
      request: requestForWords(words, origin, deps.defaultEnvironment),
      channel,
      threadTs: null,
      requestedBy: userId,
      source: null,
      now,
    });
    if (added) await tx.audit.add({ at: now, who: userId, what: 'filed it', issueId: id });
  });
  deps.rings.filed();
  deps.rings.outbox();
}
