import { digestWords } from '../../../digest/settings.ts';
import { renderStatus, type StatusView } from '../../../render/admin/status.ts';
import type { Subcommand } from '../../commands/command.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';
import { visibleBlockers } from '../../status-tracker.ts';
import { programStatus } from './program-status.ts';

const MINUTE_MS = 60_000;

/** `/gumshoe status`: Gumshoe's status. Only admins see the parts about the whole workspace. */
export const status: Subcommand = {
  example: 'status',
  does: 'shows Gumshoe’s health: this channel’s part, or everything for admins',
  run: async ({ channel, userId, respond }, deps) => {
    const isAdmin = await deps.people.isAdmin(userId, 'remembered');
    const maySee = (one: string) => deps.home.maySee(userId, one);
    const view: StatusView = {
      channel: channel.startsWith('D') ? null : await ofChannel(channel, deps),
      paused: await deps.store.flags.paused(),
      degraded: await visibleBlockers(deps.runtimeStatus(), { isAdmin, maySee }),
      program: isAdmin ? await programStatus(deps) : null,
    };
    await tellPerson(respond, renderStatus(view), deps);
  },
};

async function ofChannel(id: string, { store, clock }: ListenerDeps): Promise<StatusView['channel']> {
  const { watched, settings } = await store.channels.get(id);
  const { issues, minutes } = settings.budget;
  const digest = await store.digests.get(id);
  return {
    id,
    watched,
    budget: {
      used: await store.alerts.countFiledSince(id, clock.now() - minutes * MINUTE_MS),
      issues,
      minutes,
    },
    open: (await store.digests.open(id)).length,
    held: await store.alerts.countWaiting(id),
    digest: digest === null ? null : { words: digestWords(digest), nextAt: digest.nextAt },
  };
}
