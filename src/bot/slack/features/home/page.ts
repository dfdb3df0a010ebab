import type { Clock } from '../../../../lib/clock.ts';
import { displayName } from '../../../../lib/display-name.ts';
import { issueNumber } from '../../../../lib/issue-number.ts';
import type { ProgramStatus } from '../../../render/admin/status.ts';
import type { HomeChannel, HomeIssue, HomePageView } from '../../../render/home/view.ts';
import type { Rendered } from '../../../render/rendered.ts';
import type { Issue } from '../../../store/issues.ts';
import type { Store } from '../../../store/open.ts';
import { groupOf } from '../../../store/overview.ts';
import type { People } from '../../access/user-directory.ts';
import { visiblePlaces } from '../../access/visible-places.ts';
import { severityOf, statusOf } from '../../messages/card-view.ts';
import { type RuntimeStatus, visibleBlockers } from '../../status-tracker.ts';
import { programStatus } from '../admin/program-status.ts';
import { setupSteps } from '../setup/setup-steps.ts';

const PER_PAGE = 10;

export interface PageDeps {
  store: Store;
  clock: Clock;
  people: People;
  runtimeStatus: () => RuntimeStatus;
  maxIssuesPerDay: number;
  simulated: boolean;
  permalink: (channel: string, ts: string) => string;
}

/** One person's page of the Home; past the end, the last page. */
export async function homePage(
  userId: string,
  asked: { page: number; note: Rendered | null },
  maySee: (channel: string) => Promise<boolean>,
  deps: PageDeps,
): Promise<HomePageView> {
  const { store, runtimeStatus } = deps;
  const places = await visiblePlaces(userId, maySee, store);
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
    degraded: await visibleBlockers(runtimeStatus(), { isAdmin, maySee }),
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

async function issueView(issue: Issue, { store, permalink }: PageDeps): Promise<HomeIssue> {
  const gone = await store.outbox.isGone(issue.id);
  return {
    issueId: issue.id,
    number: issueNumber(issue),
    title: displayName(issue),
    group: groupOf(issue),
    status: statusOf(issue),
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
      waiting: await store.alerts.countWaiting(channel),
      catchingUp: gapFrom !== null,
    })),
  );
}
