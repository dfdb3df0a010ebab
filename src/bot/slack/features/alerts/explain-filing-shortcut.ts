import type { MessageShortcut } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { formats } from '../../../alerts/formats/index.ts';
import { type ChannelMessage, seenOfRow } from '../../../filing/channel-message.ts';
import { explainDecision } from '../../../filing/explain.ts';
import { cannotReadMessage } from '../../../render/alerts/already-filed.ts';
import { whyModal, whyOurs } from '../../../render/alerts/why.ts';
import { notAllowed } from '../../../render/notices.ts';
import { shortcutIds } from '../../ids.ts';
import { historyMessage } from '../../listening/channel-message.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { isOwn } from '../../listening/event-schema.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { issueReference } from '../issues/issue-reference.ts';

/** *Why was this (not) filed?* in a message's menu: what was parsed, the decision, and the rule behind it. */
export const whyFiled: Register = (app, deps) => {
  app.shortcut<MessageShortcut>(
    { type: 'message_action', callback_id: shortcutIds.whyFiled },
    async ({ ack, shortcut, respond }) => {
      await ack();
      const { user, channel, message, trigger_id: trigger } = shortcut;
      const refusal = await deps.people.refusal(user.id);
      if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
      // Gumshoe posts the alerts that webhooks deliver, so its own messages can have a decision.
      const received = isOwn(message, deps.identity)
        ? await deps.store.alerts.find(channel.id, message.ts)
        : null;
      if (isOwn(message, deps.identity) && received === null)
        return openModal(trigger, whyOurs(), respond, deps);
      const seen =
        received === null
          ? historyMessage(message, channel.id, deps)
          : seenOfRow(received, deps.permalink(channel.id, message.ts));
      if (seen === null) return tellPerson(respond, cannotReadMessage(), deps);
      await openModal(trigger, await explain(seen, deps), respond, deps);
    },
  );
};

async function explain(seen: ChannelMessage, deps: ListenerDeps): Promise<ModalView> {
  const { alert, sender, identity, record, missed, issue, hold } = await explainDecision(seen, deps);
  return whyModal({
    alert,
    tool: formats.find(({ name }) => name === alert.format)?.tool ?? null,
    sender,
    identity,
    record: record === null ? null : { ...record, at: record.decidedAt },
    missed,
    issue: issue === null ? null : await issueReference(issue, seen.channel, deps),
    hold,
  });
}
