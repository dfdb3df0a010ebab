import fc from 'fast-check';
import { renderProblem, renderUnreadable } from '../../../../src/bot/render/admin/problem.ts';
import { renderServiceProblem } from '../../../../src/bot/render/admin/service-problem.ts';
import { renderStatus } from '../../../../src/bot/render/admin/status.ts';
import { renderMissed } from '../../../../src/bot/render/alerts/missed.ts';
import { renderQueued } from '../../../../src/bot/render/alerts/queued.ts';
import { renderSign } from '../../../../src/bot/render/alerts/sign.ts';
import { renderAnswerParts } from '../../../../src/bot/render/asking/answer.ts';
import * as aside from '../../../../src/bot/render/asking/thread-notices.ts';
import { renderDigest } from '../../../../src/bot/render/digest/digest.ts';
import { renderHygiene } from '../../../../src/bot/render/digest/hygiene.ts';
import { renderHeld } from '../../../../src/bot/render/held/held.ts';
import { renderCard } from '../../../../src/bot/render/issues/card.ts';
import { renderCatchUp } from '../../../../src/bot/render/issues/catch-up.ts';
import { renderIssueList, unknownStatus } from '../../../../src/bot/render/issues/issue-list.ts';
import { renderAskOwner } from '../../../../src/bot/render/issues/owners.ts';
import {
  renderMovedCard,
  renderPrivateCard,
  renderShortCard,
  renderSymptomCard,
} from '../../../../src/bot/render/issues/short-card.ts';
import { renderRecord } from '../../../../src/bot/render/record/record.ts';
import { renderResults, renderSymptom } from '../../../../src/bot/render/results/results.ts';
import { renderVerdict } from '../../../../src/bot/render/results/verdict.ts';
import {
  type Announcement,
  renderAnnouncement,
  renderTrialOver,
} from '../../../../src/bot/render/settings/announcements.ts';
import { type DryRunView, renderDryRun } from '../../../../src/bot/render/settings/dry-run.ts';
import { renderSettings } from '../../../../src/bot/render/settings/settings.ts';
import { renderSeen } from '../../../../src/bot/render/systems/seen.ts';
import { renderSystems } from '../../../../src/bot/render/systems/systems.ts';
import type { ResultsView } from '../../../../src/bot/render/views.ts';
import { renderAlert } from '../../../../src/bot/render/webhooks/alert.ts';
import {
  onlyAdminsSeeRoutes,
  renderRoutes,
  renderTrial,
  unreadablePayload,
} from '../../../../src/bot/render/webhooks/routes.ts';
import { renderUnrouted } from '../../../../src/bot/render/webhooks/unrouted.ts';
import { anyChecklist } from '../../../support/arbitrary-checklists.ts';
import {
  anyAnswer,
  anyCard,
  anyResults,
  anyResultsView,
  anyShortCard,
  anyVerdict,
} from '../../../support/arbitrary-views.ts';
import * as some from './inputs.ts';
import { type Renderer, renderer } from './renderer.ts';

const { number, text, flag, maybe, list, at } = some;

const sources = list(fc.record({ name: text, isOn: flag }));
const routedTo = fc.constant('C0HOME');

const tally = fc.record({ right: number, nearly: number, wrong: number, unknown: number });
const foundBy = fc.constantFrom('said' as const, 'came_true' as const, 'looks_like' as const);
const record = fc.record({
  lines: list(
    fc.record({
      confidence: text,
      all: number,
      fates: tally,
      sources: fc.record({ said: tally, came_true: tally, looks_like: tally }),
    }),
  ),
  misses: list(
    fc.record({
      number: maybe(fc.constantFrom(7, 12)),
      title: text,
      confidence: text,
      source: maybe(foundBy),
      at,
      url: maybe(some.url),
    }),
  ),
  place: fc.oneof(fc.record({ channel: routedTo }), fc.record({ channels: number })),
  simulated: flag,
});

const sign = fc.record({
  became: fc.constantFrom('counted', 'filed', 'held', 'dismissed', 'recovered'),
  reason: some.reason,
  issue: maybe(fc.record({ number: maybe(number), url: maybe(some.url) })),
  heldUrl: maybe(some.url),
  verdict: maybe(fc.record({ results: anyResults, simulated: flag })),
});

const receivedAlert = fc.record({
  alert: fc.record({
    title: maybe(text),
    description: maybe(text),
    severity: fc.constantFrom('low', 'medium', 'high', null),
    service: maybe(text),
    environment: maybe(text),
    alertUrl: maybe(some.url),
  }),
  labels: fc.dictionary(text, text),
  links: list(fc.record({ text, url: some.url })),
  tool: text,
  overAt: maybe(at),
  sign: maybe(sign),
});

const by = some.userId;
const announcement: fc.Arbitrary<Announcement> = fc.oneof(
  fc.record({ by, what: fc.constant('watched'), suggests: flag, changes: list(text) }),
  fc.record({ by, what: fc.constant('changed'), changes: list(text) }),
  fc.record({ by, what: fc.constantFrom('unwatched', 'paused') }),
  fc.record({ by, what: fc.constant('resumed'), held: number }),
  fc.record({ by, what: fc.constant('digest'), when: maybe(text) }),
);

const issue = { number: maybe(number), title: text, url: maybe(some.url), cause: maybe(text), at };
const hygiene = fc.record({
  rules: list(
    fc.record({
      rule: text,
      firings: number,
      issues: number,
      alone: number,
      typicalMs: maybe(number),
      muted: number,
      votedDown: number,
      merged: number,
      untouched: number,
    }),
  ),
  days: number,
  channel: fc.constant('C0HOME'),
  simulated: flag,
});

const digest = fc.record({
  since: at,
  lateFrom: maybe(at),
  askedBy: maybe(some.userId),
  open: list(fc.record({ status: some.status, n: number })),
  filed: list(fc.record(issue)),
  resolved: list(fc.record(issue)),
  medianMs: maybe(number),
  stuck: list(fc.record({ ...issue, why: fc.constantFrom('investigating', 'open'), since: at })),
  offenders: list(fc.record({ ...issue, times: number })),
  votes: fc.record({ up: number, down: number }),
  hygiene: maybe(hygiene),
  simulated: flag,
});
const seen = fc.record({
  services: list(
    fc.record({
      name: text,
      seen: list(text),
      missing: list(text),
      unread: list(text),
      readFrom: list(text),
    }),
  ),
  notes: list(text),
});
const systems = fc.record({
  lines: list(text),
  lookedAt: at,
  clearSince: maybe(at),
  problem: maybe(text),
});

const catchUp = fc.record({
  number: maybe(number),
  title: text,
  service: maybe(text),
  unnamed: list(text),
  severity: text,
  environment: text,
  status: some.status,
  statusSince: at,
  firedAt: at,
  firstSignAt: maybe(at),
  requestedBy: maybe(by),
  repeats: number,
  lastRepeatAt: maybe(at),
  recoveredAt: maybe(at),
  attachedTo: maybe(number),
  verdict: maybe(fc.record({ results: anyResults, at: maybe(at) })),
  isInvestigating: flag,
  failure: maybe(text),
  steps: list(fc.record({ name: text, required: flag, done: maybe(fc.record({ by, at })) })),
  acts: list(fc.record({ at, who: by, what: text })),
  notes: list(fc.record({ number, who: maybe(by), text, at, editedAt: maybe(at) })),
  votes: fc.record({ up: number, down: number }),
  simulated: flag,
});

const dryRun: fc.Arbitrary<DryRunView> = fc.record({
  rows: list(
    fc.record({
      at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
      title: text,
      url: fc.webUrl(),
      tool: maybe(text),
      decision: fc.constantFrom('filed', 'repeat', 'recovered', 'ignored', 'held', 'not_an_alert'),
      before: flag,
      read: text,
      reason: some.reason,
      issue: fc.constantFrom('new 1', '#12', null),
    }),
  ),
  watched: flag,
  paused: flag,
  simulated: flag,
});

/** A problem that waits under the rolling message. */
export const heldProblem = fc.record({
  key: fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-f]{20}$/)),
  state: fc.constantFrom('waiting', 'filed', 'joined', 'recovered', 'dismissed'),
  title: maybe(text),
  service: maybe(text),
  tool: maybe(text),
  severity: maybe(fc.constantFrom('low', 'medium', 'high')),
  messages: number,
  issue: maybe(fc.record({ number: maybe(number), refused: flag, url: maybe(some.url) })),
});
const held = fc.record({
  id: fc.uuid(),
  reason: fc.constantFrom('storm', 'budget', 'day', 'paused'),
  state: fc.constantFrom('rolling', 'quiet', 'closed'),
  lastAt: at,
  freesAt: maybe(at),
  budget: fc.record({ issues: number, minutes: number }),
  maxIssuesPerDay: number,
  dismissedBy: maybe(some.userId),
  problems: list(heldProblem),
});

const cursor = text.map((one) => one.toWellFormed());
const issueList = fc.record({
  command: some.command,
  filter: fc.record({ status: maybe(text), environment: maybe(text), search: maybe(text) }),
  rows: list(
    fc.record({
      number,
      status: some.status,
      severity: text,
      environment: text,
      title: maybe(text),
      cause: maybe(text),
      symptoms: list(
        fc.record({ name: text, number: maybe(number), isAlert: flag, isFiring: flag, hasRecovered: flag }),
      ),
      url: maybe(some.url),
      triggeredAt: at,
    }),
  ),
  previous: maybe(cursor),
  next: maybe(cursor),
  fromTheTop: flag,
  simulated: flag,
});

/** How the parts of the program are. */
export const program = fc.record({
  version: text,
  startedAt: at,
  slackSince: maybe(at),
  service: list(
    fc.record({
      part: text,
      state: fc.constantFrom('answers', 'fails', 'held_back'),
      since: at,
      calledAt: maybe(at),
    }),
  ),
  polledAt: maybe(at),
  outbox: number,
  inbox: number,
  pending: number,
  day: fc.record({ used: number, issues: number }),
  watchedChannels: number,
  model: maybe(fc.record({ name: text, host: text, tokens: number, ceiling: number })),
});
const programStatus = fc.record({
  channel: maybe(
    fc.record({
      id: some.channel,
      watched: flag,
      budget: fc.record({ used: number, issues: number, minutes: number }),
      open: number,
      held: number,
      digest: maybe(fc.record({ words: text, nextAt: at })),
    }),
  ),
  paused: maybe(some.pause),
  sources: maybe(list(fc.record({ name: text, ok: flag, summary: text }))),
  degraded: list(text),
  program: maybe(program),
});

const settings = fc.record({
  channel: some.channel,
  watched: flag,
  suggests: flag,
  settings: list(fc.record({ name: text, value: text })),
  senders: fc.array(fc.record({ name: text, by: some.userId, says: text, variable: text }), {
    maxLength: 3,
  }),
  defaultEnvironment: text,
  paused: maybe(some.pause),
});

const before = maybe(fc.record({ version: number, results: anyResults }));
/** Results, with and without metrics, an older version, and steps that people have ticked. */
export const results: fc.Arbitrary<ResultsView> = fc
  .tuple(fc.oneof(anyResultsView, anyChecklist), fc.array(some.artifact, { maxLength: 3 }), before)
  .map(([view, metrics, older]) => ({ ...view, metrics, before: older }));

const head = fc.record({
  number: maybe(number),
  title: text,
  cause: maybe(text),
  url: maybe(some.url),
  resolvedAt: maybe(some.at),
});

const privateCard = fc.record({
  number: maybe(number),
  status: some.status,
  severity: text,
  environment: text,
  simulated: flag,
});
const missed = fc.record({ from: at, to: at, messages: number, older: number, isMore: flag });
const problem = fc.record({
  of: fc.oneof(fc.record({ channel: some.channel }), fc.record({ scope: text })),
  reason: fc.oneof(text, fc.constantFrom('is_archived', 'not_in_channel', 'channel_not_found')),
  since: at,
  mendedAt: maybe(at),
  botUserId: some.userId,
});
const serviceProblem = fc.record({
  right: maybe(fc.oneof(text, fc.constantFrom('issues.create', 'query.stream'))),
  reason: fc.constantFrom('401', '403'),
  since: at,
  mendedAt: maybe(at),
});
const queued = fc.record({
  cause: fc.constantFrom('service:down', 'service:key', 'service:right:issues.create'),
  since: at,
  back: maybe(at),
  queued: number,
  filed: number,
  refused: number,
});

/** What stands in channels and threads. */
export const messages: Renderer[] = [
  renderer(renderAnnouncement, announcement),
  renderer(renderAnswerParts, anyAnswer),
  renderer(
    aside.offerToAnswer,
    fc.constantFrom('late:C1:1.0', 'late:cmd'),
    some.list(fc.record({ asker: some.userId, text })),
  ),
  renderer(aside.lateAnswersAskedFor, maybe(some.userId)),
  renderer(aside.stoppedListening, some.userId, flag),
  renderer(
    renderAskOwner,
    fc.record({
      number,
      title: text,
      owner: text,
      askedBy: by,
      results: anyResults,
      next: maybe(text),
      url: maybe(some.url),
      simulated: flag,
    }),
  ),
  renderer(renderCatchUp, catchUp, at),
  renderer(renderCard, anyCard, at),
  renderer(renderDigest, digest),
  renderer(renderHygiene, hygiene),
  renderer(renderSystems, systems),
  renderer(renderSeen, seen, text),
  renderer(renderDryRun, dryRun),
  renderer(renderHeld, held),
  renderer(renderIssueList, issueList),
  renderer(unknownStatus, text, fc.constant(['muted']), fc.constantFrom('muted', null)),
  renderer(renderMissed, missed),
  renderer(renderMovedCard, maybe(number), maybe(number)),
  renderer(renderPrivateCard, privateCard),
  renderer(renderResults, results),
  renderer(renderSymptom, results, head, fc.nat({ max: 3 })),
  renderer(renderSymptomCard, anyCard, head),
  renderer(renderServiceProblem, serviceProblem),
  renderer(renderRecord, record),
  renderer(
    renderTrialOver,
    fc.constant('C0ALERTS'),
    record.map(({ lines }) => lines),
  ),
  renderer(renderSettings, settings),
  renderer(renderShortCard, anyShortCard),
  renderer(renderSign, sign),
  renderer(renderStatus, programStatus),
  renderer(renderProblem, problem),
  renderer(renderUnreadable),
  renderer(renderVerdict, anyVerdict),
  renderer(renderQueued, queued),
  renderer(renderAlert, receivedAlert),
  renderer(renderRoutes, fc.record({ sources, routes: list(fc.record({ text, channel: routedTo })) })),
  renderer(
    renderTrial,
    list(
      fc.record({
        title: maybe(text),
        kind: fc.constantFrom('firing', 'resolved', 'not_an_alert'),
        route: maybe(fc.record({ text, channel: routedTo })),
      }),
    ),
  ),
  renderer(onlyAdminsSeeRoutes),
  renderer(unreadablePayload, text, fc.record({ sources })),
  renderer(renderUnrouted, fc.record({ since: at, mendedAt: maybe(at) })),
];
