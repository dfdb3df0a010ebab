import type { GlobalShortcut } from '@slack/bolt';
import { cameTooLate, notAllowed } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { shortcutIds } from '../../ids.ts';
import { openDm } from '../../open-dm.ts';
import type { Register } from '../deps.ts';
import { newIssueView } from '../new-issue-view.ts';
import { opensInTime } from '../open-modal.ts';
import { whisper } from '../whisper.ts';

/** *New issue*, from anywhere in Slack: the form, whose card comes as a direct message unless a channel is chosen. */
export const newIssue: Register = (app, deps) => {
  app.shortcut<GlobalShortcut>(
    { type: 'shortcut', callback_id: shortcutIds.newIssue },
    async ({ ack, shortcut }) => {
      await ack();
      const { user, trigger_id: trigger } = shortcut;
      const refusal = await deps.people.refusal(user.id);
      const view = refusal ? sentenceModal(notAllowed(refusal)) : await newIssueView(null, deps);
      if (await opensInTime(trigger, view, deps)) return;
      const channel = await openDm(deps.client, user.id);
      if (channel !== null) await whisper(cameTooLate(), { channel, user: user.id, threadTs: null }, deps);
    },
  );
};
