import { createHash } from 'node:crypto';
import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { explainServiceError } from '../../../contract/client/explain-error.ts';
import type { Checkpoint, Clock } from '../../../lib/clock.ts';
import { displayName } from '../../../lib/text.ts';
import { createWorkerLoop, type Worker } from '../../../lib/worker-loop.ts';
import type { Deps, Home } from '../../deps.ts';
import { causeOf, shownStatus } from '../../issues/cause.ts';
import { changeStatus } from '../../issues/change-status.ts';
import { sentencesFor } from '../../problems/stored.ts';
import type { actionIds } from '../../render/action-ids.ts';
import type { ProgramStatus } from '../../render/admin/status.ts';
import { type HomeChoice, refusedHome, renderHome } from '../../render/home/home.ts';
import type { HomeChannel, HomeIssue, HomePageView } from '../../render/home/view.ts';
import { onlyAdmins } from '../../render/issues/steering-notices.ts';
import { cameTooLate, issueUnknownHere, notAllowed, serviceFailure } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { pauseFiling, resumeFiling } from '../../settings/pause.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import type { Logger } from '../../shared/log.ts';
import type { Issue } from '../../store/issues.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import { groupOf } from '../../store/overview.ts';
import type { LanguageModelOf } from '../access/language-model.ts';
import { type MayRead, visiblePlaces } from '../access/may-read.ts';
import type { People } from '../access/people.ts';
import { classifySlackError } from '../errors.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { opensInTime } from '../listening/modals.ts';
import { onButton, type Press } from '../listening/press.ts';
import { severityOf, statusOf, symptomsFor } from '../messages/cards.ts';
import type { RuntimeStatus } from '../status-tracker.ts';
import { programStatus, setupSteps } from './admin.ts';
import { openedMessagesTab } from './asking/messages-tab.ts';
import { newIssueView } from './issues/new-issue.ts';

const PER_PAGE = 10;

interface PageDeps {
  store: Store;
  clock: Clock;
  people: People;
  mayRead: MayRead;
  runtimeStatus: () => RuntimeStatus;
  maxIssuesPerDay: number;
  languageModel: LanguageModelOf;
  simulated: boolean;
  permalink: (channel: string, ts: string) => string;
}

/** One person's page of the Home; past the end, the last page. */
async function homePage(
  userId: string,
  asked: { page: number; note: Rendered | null },
  deps: PageDeps,
): Promise<HomePageView> {
  const { store, runtimeStatus, mayRead } = deps;
  const maySee = (channel: string) => mayRead({ person: userId }, { channel });
  const places = await visiblePlaces(userId, deps);
  const counts = await store.overview.counts(places);
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const pages = Math.max(1, Math.ceil(total / PER_PAGE));
  const page = Math.min(Math.max(0, asked.page), pages - 1);
  const issues = await store.overview.page(places, PER_PAGE, page * PER_PAGE);
  const isAdmin = await deps.people.isAdmin(userId, 'remembered');
  return {
    note: asked.note,
    setup: await setupSteps(deps),
    counts,
    issues: await Promise.all(issues.map((issue) => issueView(issue, deps))),
    page,
    pages,
    channels: await watchedChannels(maySee, store),
    paused: await store.flags.paused(),
    program: isAdmin ? byTheMinute(await programStatus(deps)) : null,
    degraded: await sentencesFor(runtimeStatus().problems, { isAdmin, maySee }),
    simulated: deps.simulated,
  };
}

/** Rounds times to the minute, so that not every call to the service changes the Home. */
function byTheMinute(program: ProgramStatus): ProgramStatus {
  const minute = (at: number | null) => (at === null ? null : at - (at % 60_000));
  return {
    ...program,
    polledAt: minute(program.polledAt),
    service: program.service.map((part) => ({ ...part, calledAt: minute(part.calledAt) })),
  };
}

async function issueView(issue: Issue, deps: PageDeps): Promise<HomeIssue> {
  const { store, permalink } = deps;
  const gone = await store.outbox.isGone(issue.id);
  const cause = await causeOf(issue, store);
  return {
    issueId: issue.id,
    number: issueNumber(issue),
    title: displayName(issue),
    group: groupOf(issue),
    status: await shownStatus(statusOf(issue), { issue, cause }, store),
    cause: cause ?? null,
    symptoms: await symptomsFor(issue, issue.channel, deps),
    severity: severityOf(issue).severity,
    environment: issue.environment,
    service: issue.service,
    statusSince: issue.statusSince,
    mutedUntil: issue.status === 'muted' ? issue.mutedUntil : null,
    channel: issue.channel,
    url: issue.threadTs === null || gone ? null : permalink(issue.channel, issue.threadTs),
    gone,
  };
}

async function watchedChannels(
  maySee: (channel: string) => Promise<boolean>,
  store: Store,
): Promise<HomeChannel[]> {
  const watched = await store.channels.watched();
  const seen = await Promise.all(watched.map(({ channel }) => maySee(channel)));
  const shown = watched.filter((_, index) => seen[index]);
  const lastAlerts = await store.overview.lastAlerts(shown.map(({ channel }) => channel));
  return Promise.all(
    shown.map(async ({ channel, gapFrom }) => ({
      id: channel,
      lastAlertAt: lastAlerts.get(channel) ?? null,
      held: await store.alerts.countHeld(channel),
      catchingUp: gapFrom !== null,
    })),
  );
}

/** The least time between two automatic updates of one Home. */
const EVERY_MS = 5_000;
/** A Home is kept up to date for this long after it was opened. */
const FOLLOWED_MS = 60 * 60_000;

interface HomeOptions extends PageDeps {
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
  const { clock, client, log, people, checkpoint } = options;
  const viewers = new Map<string, Viewer>();

  async function render(userId: string, { page, note }: Viewer): Promise<HomeView> {
    const refusal = await people.refusal(userId);
    if (refusal) return refusedHome(notAllowed(refusal).text);
    return renderHome(await homePage(userId, { page, note }, options));
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
    refresh: () => refresh(),
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await Promise.all([...viewers.values()].map(({ turn }) => turn));
    },
  };
}

const Opened = z.looseObject({ user: z.string(), tab: z.literal('home') });
const OpenedMessages = z.looseObject({
  user: z.string(),
  channel: z.string(),
  tab: z.literal('messages'),
  context: z.unknown().optional(),
});

/** Somebody opened the app's Home tab or its Messages tab. */
const appHomeOpened: Register = (app, deps) => {
  app.event('app_home_opened', async ({ event }) => {
    const parsed = Opened.safeParse(event);
    if (parsed.success) await deps.home.opened(parsed.data.user);
    const messages = OpenedMessages.safeParse(event);
    if (messages.success) await openedMessagesTab(messages.data, deps);
  });
};

/**
 * A listener for one of the Home's buttons. Slack gives no response URL there, so the Home itself shows the outcome; that
 * of somebody without permission says so.
 */
function onHomeAction(
  name: keyof typeof actionIds,
  act: (press: Press, deps: Deps) => Promise<void>,
): Register {
  return onButton(name, (press, deps) => act(press, deps).then(() => undefined), {
    refused: ({ userId }, { home }) => home.show(userId),
  });
}

/** *Previous* and *Next* on the Home; the value is the page. */
function turn({ userId, value }: Press, deps: Deps): Promise<void> {
  return deps.home.show(userId, { page: /^\d{1,6}$/.test(value) ? Number(value) : 0 });
}

const homePrevious = onHomeAction('homePrevious', turn);
const homeNext = onHomeAction('homeNext', turn);

const choices: readonly HomeChoice[] = ['resolve', 'mute', 'reopen'];

/** The menu of an issue on the Home tab; the value is `<choice>:<issue id>`. */
const homeIssue = onHomeAction('homeIssue', async ({ userId, cause, value }, deps) => {
  const colon = value.indexOf(':');
  const change = choices.find((choice) => choice === value.slice(0, colon));
  const issue = await deps.store.issues.get(value.slice(colon + 1));
  // A Home tab may be an hour old, and its reader may have left the channel since.
  const mayRead = issue !== null && (await deps.mayRead({ person: userId }, issue, 'now'));
  if (issue?.uuid == null || change === undefined || !mayRead) {
    return deps.home.show(userId, { note: issueUnknownHere() });
  }
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, change, { who: userId, cause }, deps);
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id, change }, 'could not change a status');
    return deps.home.show(userId, { note: serviceFailure(explainServiceError(error)) });
  }
  await deps.home.show(userId);
});

/** *New issue* on the Home: opens the form. The card is sent as a direct message unless a channel is chosen. */
const homeNewIssue = onHomeAction('homeNewIssue', async ({ userId, triggerId }, deps) => {
  if (await opensInTime(triggerId, await newIssueView(null, deps), deps)) return;
  await deps.home.show(userId, { note: cameTooLate() });
});

/** *Pause filing* and *Resume filing* on an admin's Home; neither does anything if it is already so. */
function changing(change: typeof pauseFiling | typeof resumeFiling) {
  return async ({ userId, triggerId, moment }: Press, deps: Deps): Promise<void> => {
    if (!(await deps.people.isAdmin(userId))) return deps.home.show(userId, { note: onlyAdmins() });
    const request = { cause: `home:${triggerId}`, by: userId, moment, now: deps.clock.now() };
    await deps.store.transaction(async (tx: Aggregates) => void (await change(tx, request)));
    await deps.home.show(userId);
  };
}

const homePause = onHomeAction('homePause', changing(pauseFiling));
const homeResume = onHomeAction('homeResume', changing(resumeFiling));

export const home: Feature = {
  actions: { homeIssue, homeNewIssue, homeNext, homePause, homePrevious, homeResume },
  events: { app_home_opened: appHomeOpened },
};
