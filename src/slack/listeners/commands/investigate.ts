import { addIssue } from '../../../filing/add-issue.ts';
import { readInvestigate, requestForWords } from '../../../filing/ask-to-file.ts';
import { notAllowed, unknownSeverity } from '../../../render/notices.ts';
import { usageInvestigate } from '../../../render/usage.ts';
import type { Register } from '../deps.ts';
import { tellPerson } from '../tell.ts';
import { causeOf } from './cause.ts';
import { commandPattern } from './pattern.ts';

/** `/investigate <what is wrong> [severity:high] [env:staging] [service:…]` files an issue at once. */
export const investigate: Register = (app, deps) => {
  app.command(commandPattern('investigate'), async ({ ack, command, respond }) => {
    await ack();
    const refusal = await deps.people.refusal(command.user_id);
    if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
    const words = readInvestigate(command.text);
    if (words.unknownSeverity !== null)
      return tellPerson(respond, unknownSeverity(words.unknownSeverity), deps);
    if (words.text === '') return tellPerson(respond, usageInvestigate(), deps);
    const now = deps.clock.now();
    const id = causeOf(command);
    const origin = { issueId: id, channel: command.channel_id, at: now, userId: command.user_id };
    await deps.store.transaction(async (tx) => {
      const added = await addIssue(tx, {
        id,
        identity: null,
        request: requestForWords(words, origin, deps.defaultEnvironment),
        channel: command.channel_id,
        threadTs: null,
        requestedBy: command.user_id,
        source: null,
        now,
      });
      if (added) await tx.audit.add({ at: now, who: command.user_id, what: 'filed it', issueId: id });
    });
    deps.rings.filed();
    deps.rings.outbox();
  });
};
