import { createHash } from 'node:crypto';
import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Checkpoint } from '../../../../lib/checkpoint.ts';
import type { Logger } from '../../../../lib/log.ts';
import { createWorkerLoop, type Worker } from '../../../../lib/worker-loop.ts';
import { refusedHome, renderHome } from '../../../render/home/home.ts';
import { notAllowed } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { classifySlackError } from '../../errors.ts';
import { createMembers } from './members.ts';
import { homePage, type PageDeps } from './page.ts';
import type { Home } from './types.ts';

/** The least time between two automatic updates of one Home. */
const EVERY_MS = 5_000;
/** A Home is kept up to date for this long after it was opened. */
const FOLLOWED_MS = 60 * 60_000;

export interface HomeOptions extends PageDeps {
  client: WebClient;
  log: Logger;
  checkpoint: Checkpoint;
  /** Whether other replicas publish Homes too. */
  isShared?: boolean;
}

/** A person who has their Home open, as far as we know. */
interface Viewer {
  openedAt: number;
  page: number;
  note: Rendered | null;
  /** Our hash of the published view; `null` if it is not known. */
  shown: string | null;
  /** Slack's hash of the published view, so that an older state does not overwrite a newer one. */
  viewHash: string | null;
  /** The publication in progress; the next one waits for it. */
  turn: Promise<void>;
}

/**
 * Keeps people's Homes up to date with `views.publish`: at once when they act, else every five seconds if something
 * changed, for an hour after they opened it.
 */
export function createHome(options: HomeOptions): Home & Worker & { refresh(): Promise<void> } {
  const { store, clock, client, log, people, checkpoint } = options;
  const membersOf = createMembers(options);
  const viewers = new Map<string, Viewer>();

  async function maySee(userId: string, channel: string): Promise<boolean> {
    if (channel.startsWith('D')) return false;
    const { isPrivate } = await store.channels.get(channel);
    return !isPrivate || (await membersOf(channel)).has(userId);
  }

  async function render(userId: string, { page, note }: Viewer): Promise<HomeView> {
    const refusal = await people.refusal(userId);
    if (refusal) return refusedHome(notAllowed(refusal).text);
    const see = (channel: string) => maySee(userId, channel);
    return renderHome(await homePage(userId, { page, note }, see, options));
  }

  async function publish(userId: string, viewer: Viewer, isWanted: boolean): Promise<void> {
    const view = await render(userId, viewer);
    const shown = createHash('sha256').update(JSON.stringify(view)).digest('hex');
    if (!isWanted && shown === viewer.shown) return;
    const send = (hash: string | null) =>
      client.views.publish({ user_id: userId, view, ...(hash === null ? {} : { hash }) });
    await checkpoint('home: before send');
    const answer = await send(viewer.viewHash).catch((error: unknown) => {
      const failure = classifySlackError(error);
      if (failure.kind !== 'refused' || failure.error !== 'hash_conflict') throw error;
      // Another replica has published since, and keeps it up to date from now on.
      if (options.isShared && !isWanted) throw error;
      // Just rendered from the store, so nothing newer can be there.
      return send(null);
    });
    await checkpoint('home: sent');
    viewer.viewHash = answer.view?.hash ?? null;
    viewer.shown = shown;
  }

  /** Publishes one view after another per person; a failure is logged and goes no further. */
  function inTurn(userId: string, viewer: Viewer, isWanted: boolean): Promise<void> {
    viewer.turn = viewer.turn
      .then(() => publish(userId, viewer, isWanted))
      .catch((error: unknown) => {
        viewer.shown = null;
        // Retrying would be refused every five seconds, so this Home is left alone until it is opened again.
        if (classifySlackError(error).kind === 'refused') viewers.delete(userId);
        log.warn({ err: error, user: userId }, 'could not show a Home tab');
      });
    return viewer.turn;
  }

  function viewerOf(userId: string): Viewer {
    const known = viewers.get(userId);
    if (known) return known;
    const viewer = {
      openedAt: clock.now(),
      page: 0,
      note: null,
      shown: null,
      viewHash: null,
      turn: Promise.resolve(),
    };
    viewers.set(userId, viewer);
    return viewer;
  }

  async function refresh(signal?: AbortSignal): Promise<void> {
    for (const [userId, viewer] of viewers) {
      if (signal?.aborted) return;
      if (viewer.openedAt + FOLLOWED_MS < clock.now()) viewers.delete(userId);
      else await inTurn(userId, viewer, false);
    }
  }

  const rounds = createWorkerLoop({
    round: refresh,
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not refresh a Home tab'),
  });

  return {
    opened: async (userId) => {
      const viewer = viewerOf(userId);
      Object.assign(viewer, { openedAt: clock.now(), page: 0, note: null });
      await inTurn(userId, viewer, true);
    },
    show: async (userId, { page, note = null } = {}) => {
      const viewer = viewerOf(userId);
      Object.assign(viewer, { openedAt: clock.now(), page: page ?? viewer.page, note });
      await inTurn(userId, viewer, true);
    },
    maySee,
    refresh: () => refresh(),
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await Promise.all([...viewers.values()].map(({ turn }) => turn));
    },
  };
}
