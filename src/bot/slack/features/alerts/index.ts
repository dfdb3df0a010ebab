import { usageExplain } from '../../../render/admin/usage.ts';
import { cannotReadMessage } from '../../../render/alerts/already-filed.ts';
import type { Subcommand } from '../../commands/command.ts';
import { fetchMessage } from '../../fetch-message.ts';
import type { Feature } from '../../listening/feature.ts';
import { openModal } from '../../listening/modals.ts';
import { notifyPerson } from '../../listening/notify.ts';
import { fileThis, investigateThis, whyFiled, whyModalOf } from './investigate-this.ts';
import { fileIt, message, reactionAdded } from './messages.ts';
import { attach, attachTo, notSame } from './split-and-attach.ts';

/** A message's link, as Slack copies it, and as it sends it in a command. */
const LINK = /^<?https:\/\/[^\s/<>|]+\/archives\/([CG][A-Z0-9]{1,20})\/p(\d{10})(\d{6})(?:[?|][^\s<>]*)?>?$/u;

/** `/gumshoe explain LINK`: what *Why was this (not) filed?* shows, for a message of this channel. */
const explain: Subcommand = {
  example: 'explain https://acme.slack.com/archives/C0ALERTS01/p1763460000000100',
  does: 'shows how I read a message of this channel, what identifies its alert, and what was decided',
  run: async ({ words, channel, triggerId, command, respond }, deps) => {
    const [, place, seconds = '', fraction = ''] = LINK.exec(words) ?? [];
    // Who may write here may read here; another channel's messages are not shown.
    if (place !== channel) return notifyPerson(respond, usageExplain(`${command} explain`), deps);
    const message = await fetchMessage(deps.client, channel, `${seconds}.${fraction}`);
    const view = message === null ? null : await whyModalOf({ ...message }, channel, deps);
    if (view === null) return notifyPerson(respond, cannotReadMessage(), deps);
    await openModal(triggerId, view, respond, deps);
  },
};

/** Messages that may be alerts, filed automatically or at somebody's request. */
export const alerts: Feature = {
  actions: { attachTo, fileIt },
  views: { attach, investigateThis: fileThis, notSame },
  events: { message, reaction_added: reactionAdded },
  shortcuts: { investigateThis, whyFiled },
  subcommands: { explain },
};
