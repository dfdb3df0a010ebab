import { hygieneOf } from '../../digest/hygiene.ts';
import { notReadable, usageHygiene } from '../../render/digest/digest-modal.ts';
import { renderHygiene } from '../../render/digest/hygiene.ts';
import { needsChannel } from '../../render/issues/steering-notices.ts';
import type { Subcommand } from '../commands/command.ts';
import type { Feature } from '../listening/feature.ts';
import { notifyPerson } from '../listening/notify.ts';

/** As Slack writes a channel into a command: `<#C0ALERTS|alerts>`. */
const CHANNEL = /^<#(?<channel>[A-Z0-9]+)(?:\|[^<>]*)?>$/u;

const hygieneSubcommand: Subcommand = {
  example: 'hygiene',
  does: 'shows how often each alert of this channel fired in two weeks, and which of them nobody needed',
  run: async ({ words, channel: here, userId, respond }, deps) => {
    const channel = words === '' ? here : CHANNEL.exec(words)?.groups?.channel;
    if (channel === undefined) return notifyPerson(respond, usageHygiene(), deps);
    if (channel.startsWith('D')) return notifyPerson(respond, needsChannel(), deps);
    if (!(await deps.mayRead({ person: userId }, { channel })))
      return notifyPerson(respond, notReadable(), deps);
    const found = await hygieneOf(channel, deps.clock.now(), deps.store);
    const view = { ...found, channel, simulated: deps.simulated };
    await notifyPerson(respond, renderHygiene(view), deps);
  },
};

/** Which alerts are worth being woken up by. */
export const hygiene: Feature = { subcommands: { hygiene: hygieneSubcommand } };
