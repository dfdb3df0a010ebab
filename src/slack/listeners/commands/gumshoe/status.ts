import { renderStatus, type StatusView } from '../../../../render/status.ts';
import { digestWords } from '../../../../watching/digest-settings.ts';
import type { ListenerDeps } from '../../deps.ts';
import { tellPerson } from '../../tell.ts';
import type { Subcommand } from './subcommand.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** `/gumshoe status`: how Gumshoe is doing, to whoever asks; to admins with the parts that concern everybody. */
export const status: Subcommand = {
  example: 'status',
  does: 'shows how Gumshoe is doing: this channel’s part, and for admins everything',
  run: async ({ channel, userId, respond }, deps) => {
    const isAdmin = await deps.people.isAdmin(userId);
    const view: StatusView = {
      channel: channel.startsWith('D') ? null : await ofChannel(channel, deps),
      paused: await deps.store.flags.paused(),
      degraded: deps.vitals().degraded,
      program: isAdmin ? await ofProgram(deps) : null,
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
    digest: digest === null ? null : { words: digestWords(digest), nextAt: digest.next_at },
  };
}

async function ofProgram({ store, clock, vitals, maxIssuesPerDay }: ListenerDeps) {
  const { degraded: _, ...program } = vitals();
  return {
    ...program,
    outbox: await store.outbox.countDue(),
    // Without the command that asks.
    inbox: Math.max(0, (await store.inbox.countOpen()) - 1),
    pending: await store.issues.countPending(),
    day: { used: await store.issues.countSince(clock.now() - DAY_MS), issues: maxIssuesPerDay },
    watchedChannels: (await store.channels.watched()).length,
  };
}
