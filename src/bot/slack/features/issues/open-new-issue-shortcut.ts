import type { GlobalShortcut } from '@slack/bolt';
import { shortcutIds } from '../../ids.ts';
import type { Register } from '../../listening/deps.ts';
import { openNewIssue } from './open-new-issue.ts';

/** *New issue*, from anywhere in Slack. */
export const newIssue: Register = (app, deps) => {
  app.shortcut<GlobalShortcut>(
    { type: 'shortcut', callback_id: shortcutIds.newIssue },
    async ({ ack, shortcut }) => {
      await ack();
      await openNewIssue(shortcut.user.id, shortcut.trigger_id, deps);
    },
  );
};
