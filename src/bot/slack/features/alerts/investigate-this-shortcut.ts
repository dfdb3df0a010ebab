import type { MessageShortcut } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { oneLine } from '../../../../lib/text.ts';
import type { ChannelMessage } from '../../../filing/channel-message.ts';
import { environmentOf, severityOf } from '../../../filing/identity.ts';
import { fileOnRequest, issueOfMessage } from '../../../filing/on-request.ts';
import { cannotReadMessage, messageOfOurs } from '../../../render/alerts/already-filed.ts';
import { hasItAlready, investigateForm } from '../../../render/alerts/investigate-this.ts';
import { notAllowed } from '../../../render/notices.ts';
import type { Issue } from '../../../store/issues.ts';
import { shortcutIds } from '../../ids.ts';
import { requestedMessage } from '../../listening/channel-message.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { isOwn } from '../../listening/event-schema.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { issueReference } from '../issues/issue-reference.ts';
import { remember } from '../issues/remembered.ts';

/**
 * *Investigate this* in a message's menu: opens the form, filled in from the message. If the alert already has an open
 * issue, says so instead and counts the message as a repeat.
 */
export const investigateThis: Register = (app, deps) => {
  app.shortcut<MessageShortcut>(
    { type: 'message_action', callback_id: shortcutIds.investigateThis },
    async ({ ack, shortcut, respond }) => {
      await ack();
      const { user, channel, message, trigger_id: trigger } = shortcut;
      const refusal = await deps.people.refusal(user.id);
      if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
      if (isOwn(message, deps.identity)) return tellPerson(respond, messageOfOurs(), deps);
      const seen = requestedMessage(message, channel.id, deps);
      if (seen === null) return tellPerson(respond, cannotReadMessage(), deps);
      const issue = await issueOfMessage(seen, deps);
      if (issue?.isOpen !== true) return openModal(trigger, await formFor(seen, issue, deps), respond, deps);
      const counts = seen.alert.kind === 'firing';
      const view = hasItAlready(await issueReference(issue, seen.channel, deps), counts, null);
      await openModal(trigger, view, respond, deps);
      await fileOnRequest(seen, user.id, deps);
    },
  );
};

async function formFor(seen: ChannelMessage, before: Issue | null, deps: ListenerDeps): Promise<ModalView> {
  const { alert, channel } = seen;
  const { settings } = await deps.store.channels.get(channel);
  return investigateForm({
    fields: {
      title: oneLine(alert.title ?? ''),
      description: alert.description ?? alert.title ?? '',
      environment: oneLine(environmentOf(alert, settings, deps.defaultEnvironment)),
      service: oneLine(alert.service ?? ''),
      alertUrl: oneLine(alert.alertUrl ?? ''),
      host: oneLine(alert.host ?? ''),
      errorMessage: alert.errorMessage ?? '',
    },
    severity: severityOf(alert, settings),
    before: before === null ? null : await issueReference(before, channel, deps),
    remember: remember(seen),
    simulated: deps.simulated,
  });
}
