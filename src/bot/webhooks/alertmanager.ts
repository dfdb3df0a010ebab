import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type Clock, timeoutSignal } from '../../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { ReceivedAlert } from '../alerts/format.ts';
import { alertmanagerWebhook } from '../alerts/formats/alertmanager.ts';
import { boundedLabels, labelMap, shownLabels } from '../alerts/payload.ts';
import { withRunbooksOf } from '../alerts/runbook.ts';
import type { Alertmanager } from '../config.ts';
import { type Delivery, hasLabels, readReading } from '../filing/occurrence.ts';
import type { Problems } from '../problems/registry.ts';
import { syncPlans } from '../settings/plans.ts';
import { issueNumber } from '../shared/issue-number.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import { PULLED, type ReceivedAlertRow } from '../store/received-alerts.ts';
import type { SilenceRow } from '../store/silences.ts';
import { plansOfIntervals, plansOfSilences, Silences as Silenced, Status } from './alertmanager-plans.ts';
import { deliveryOf, mostSevereFirst, type ReceiveOptions, receiveAlert } from './receive.ts';

const EVERY_MS = 60_000;
const PATIENCE_MS = 20_000;
const SOURCE = alertmanagerWebhook.name;

const labels = z.record(z.string(), z.string()).catch({});
const PulledAlert = z.looseObject({
  labels,
  annotations: labels,
  startsAt: z.string().catch(''),
  generatorURL: z.string().catch(''),
  /** `active`, `suppressed` (silenced or inhibited) or `unprocessed`. */
  status: z.looseObject({ state: z.string() }).catch({ state: 'active' }),
});
const Groups = z.array(
  z.looseObject({
    labels,
    receiver: z.looseObject({ name: z.string() }).catch({ name: '' }),
    alerts: z.array(PulledAlert),
  }),
);
type PulledGroup = z.infer<typeof Groups>[number];

interface PullOptions extends ReceiveOptions {
  alertmanager: Alertmanager;
}

/**
 * Reads once a minute what an Alertmanager knows: what fires there and was not received yet is received as if by webhook,
 * and what is gone there has recovered. It makes up for webhooks that were lost while nothing ran.
 */
export function createAlertmanagerPull(options: PullOptions & { problems: Problems }): Worker {
  const { clock, log, metrics } = options;
  let isFailing = false;
  let plans: string | null = null;
  options.problems.watch({
    name: 'alertmanager:plans',
    fixedBy: 'operator',
    sentence: () =>
      plans === null
        ? null
        : `what the Alertmanager silences or mutes cannot be read, so it is not planned work here: ${plans}`,
  });
  options.problems.watch({
    name: 'alertmanager',
    fixedBy: 'operator',
    sentence: () =>
      isFailing ? 'the alerts of the Alertmanager cannot be read; npm run doctor says what is wrong' : null,
  });
  return createWorkerLoop({
    round: async (signal) => {
      await pullOnce(options, signal);
      isFailing = false;
      plans = await readPlans(options, signal).then(
        () => null,
        (error: unknown) => {
          log.warn(
            { err: error },
            'could not read what the Alertmanager silences or mutes; trying again in a minute',
          );
          return error instanceof Error && !(error instanceof z.ZodError)
            ? error.message
            : 'its answer has another form';
        },
      );
      metrics.count('gumshoe_alertmanager_pulls_total', { outcome: 'ok' });
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => {
      isFailing = true;
      metrics.count('gumshoe_alertmanager_pulls_total', { outcome: 'failed' });
      log.warn(
        { err: error, url: options.alertmanager.url },
        'could not read the alerts of the Alertmanager; trying again in a minute. `npm run doctor` says what is wrong',
      );
    },
  });
}

/** One look at the Alertmanager. @throws if it does not answer with its groups of alerts */
export async function pullOnce(options: PullOptions, signal?: AbortSignal): Promise<void> {
  const { store, alertmanager, clock } = options;
  const groups = Groups.parse(await request('GET', '/api/v2/alerts/groups', options, signal));
  const known = await store.receivedAlerts.notOver(SOURCE);
  const firing = known.flatMap((row) => {
    const reading = readReading(row.reading);
    return reading?.alert.kind === 'firing' ? [{ row, reading }] : [];
  });
  // As a received alert's labels are stored.
  const present = groups.flatMap(({ alerts }) =>
    alerts.map(({ labels: all }) => shownLabels(boundedLabels(labelMap.parse(all)).labels)),
  );
  // Nearly all have the same labels on both sides; only the rest are compared one by one.
  const received = new Set(firing.map(({ reading }) => canonical(reading.labels)));
  const there = new Set(present.map(canonical));
  const missing = groups
    .flatMap((group) => readingsOf(group, alertmanager.url))
    .filter((reading) => !received.has(canonical(reading.labels)));
  const delivery = await deliveryOf(SOURCE, missing, options);
  for (const [, reading] of mostSevereFirst(missing)) {
    await setImmediate();
    if (firing.some((one) => hasLabels(one.reading, reading.labels))) continue;
    const id = `${PULLED}${reading.alert.fingerprint}:${reading.alert.triggeredAt}`;
    await receive(id, reading, delivery, options);
  }
  for (const { row, reading } of firing) {
    // An alert that a webhook delivered a moment ago may not have existed when the Alertmanager was polled.
    if (clock.now() - row.receivedAt < EVERY_MS || there.has(canonical(reading.labels))) continue;
    await setImmediate();
    if (present.some((one) => hasLabels(reading, one))) continue;
    await recover(row, reading, present, options);
  }
}

/** What is silenced there, or muted at this time, is planned work in each watched channel. */
export async function readPlans(
  options: Pick<PullOptions, 'store' | 'alertmanager' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  const { store, clock } = options;
  const now = clock.now();
  const silences = Silenced.parse(await request('GET', '/api/v2/silences', options, signal));
  const status = Status.parse(await request('GET', '/api/v2/status', options, signal));
  const said = [...plansOfSilences(silences, now), ...plansOfIntervals(status, now)];
  await store.transaction(async (tx) => {
    const channels = await tx.channels.watched();
    const everywhere = said.flatMap((plan) => channels.map(({ channel }) => ({ ...plan, channel })));
    await syncPlans(tx, { prefix: 'alertmanager:', by: 'from:Alertmanager', now }, everywhere);
  });
}

/** The active alerts of a group, as the Alertmanager's webhook would send them. */
function readingsOf({ labels: groupLabels, receiver, alerts }: PulledGroup, url: string): ReceivedAlert[] {
  const read = alertmanagerWebhook.read(
    {
      version: '4',
      status: 'firing',
      receiver: receiver.name,
      externalURL: url,
      groupLabels,
      commonLabels: commonOf(alerts.map((alert) => alert.labels)),
      alerts: alerts
        .filter(({ status }) => status.state === 'active')
        .map(({ labels: own, annotations, startsAt, generatorURL }) => ({
          status: 'firing',
          labels: own,
          annotations,
          startsAt,
          generatorURL,
        })),
    },
    {},
  );
  const reading = withRunbooksOf(read, null);
  return reading.kind === 'alerts' ? reading.alerts : [];
}

/** The labels that all have, with the same value. */
function commonOf([first = {}, ...others]: readonly Record<string, string>[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((one) => one[name] === value)),
  );
}

/** The same for the same labels in any order. */
function canonical(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function recover(
  row: ReceivedAlertRow,
  reading: ReceivedAlert,
  present: readonly Readonly<Record<string, string>>[],
  options: PullOptions,
): Promise<void> {
  const { store, clock } = options;
  const name = reading.labels.alertname;
  const resolved: ReceivedAlert = {
    ...reading,
    alert: { ...reading.alert, kind: 'resolved' },
    groupResolved: !present.some((one) => one.alertname === name),
  };
  await receive(`pull-over:${row.id}`, resolved, NO_DELIVERY, options);
  await store.receivedAlerts.over(row.id, clock.now());
}

/** A recovery is posted nowhere. */
const NO_DELIVERY: Delivery = { firing: 0, own: 0, hasConsent: () => false };

async function receive(
  id: string,
  reading: ReceivedAlert,
  delivery: Delivery,
  options: PullOptions,
): Promise<void> {
  const { clock, log, metrics } = options;
  const received = { id, source: SOURCE, tool: alertmanagerWebhook.tool, reading, at: clock.now(), delivery };
  const outcome = await receiveAlert(received, options);
  metrics.count('gumshoe_received_alerts_total', { source: 'alertmanager_pull', outcome });
  log.info({ source: SOURCE, kind: reading.alert.kind, outcome }, 'received an alert from Alertmanager');
}

const SILENCES_EVERY_MS = 5_000;

/** Of one issue: more alerts than that are silenced by a person who knows what they share. */
const MOST_OF_AN_ISSUE = 20;
const WHO = 'gumshoe';

const Created = z.looseObject({ silenceID: z.string() });
const Silences = z.array(
  z.looseObject({
    id: z.string(),
    comment: z.string().catch(''),
    status: z.looseObject({ state: z.string() }),
  }),
);

type Labels = Readonly<Record<string, string>>;

/** A silence that should be there. */
interface Wanted {
  key: string;
  issue: Issue;
  labels: Labels;
  until: number;
}

interface SilencesOptions {
  store: Store;
  alertmanager: Alertmanager;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/**
 * Keeps the silences at the Alertmanager as the mutes in Slack are: one for each alert of a muted issue, until its mute ends. What is
 * wanted is stored before a call and compared again in each round, so a crash in between neither doubles a silence nor leaves one.
 */
export function createSilences(options: SilencesOptions): Worker {
  const { clock, log, metrics, alertmanager } = options;
  return createWorkerLoop({
    round: async (signal) => {
      await compareOnce(options, signal);
    },
    rest: (signal) => clock.sleep(SILENCES_EVERY_MS, signal),
    onError: (error) => {
      metrics.count('gumshoe_alertmanager_silences_total', { outcome: 'failed' });
      log.warn(
        { err: error, url: alertmanager.url },
        'could not change silences at the Alertmanager; trying again. Check that its token may write, or unset ALERTMANAGER_SILENCE',
      );
    },
  });
}

/** Makes what is missing, moves what ends at another time, and ends what is no longer wanted. @throws if a call fails */
export async function compareOnce(options: SilencesOptions, signal?: AbortSignal): Promise<void> {
  const { store, clock } = options;
  const stored = new Map((await store.silences.all()).map((row) => [row.key, row]));
  const wanted = await wantedNow(options);
  for (const one of wanted) {
    const row = stored.get(one.key) ?? null;
    stored.delete(one.key);
    if (row?.silenceId == null || row.until !== one.until) await make(one, row, options, signal);
  }
  for (const row of stored.values()) {
    if (row.until > clock.now()) await end(row, options, signal);
    else await store.silences.remove(row.key);
  }
}

async function wantedNow({ store, clock }: SilencesOptions): Promise<Wanted[]> {
  const muted = await store.silences.mutedBeyond(clock.now());
  if (muted.length === 0) return [];
  const byIdentity = new Map<string, Map<string, Labels>>();
  for (const { identity, reading } of await store.receivedAlerts.notOver(alertmanagerWebhook.name)) {
    const labels = readReading(reading)?.labels;
    if (identity === null || labels?.alertname === undefined) continue;
    const ofIdentity = byIdentity.get(identity) ?? new Map<string, Labels>();
    byIdentity.set(identity, ofIdentity.set(canonical(labels), labels));
  }
  return muted.flatMap((issue) =>
    [...(byIdentity.get(issue.identity ?? '') ?? [])].slice(0, MOST_OF_AN_ISSUE).map(([text, labels]) => ({
      key: `${issue.id}:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
      issue,
      labels,
      until: issue.mutedUntil ?? 0,
    })),
  );
}

async function make(
  { key, issue, labels, until }: Wanted,
  row: SilenceRow | null,
  options: SilencesOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { store, clock, log, metrics } = options;
  await store.silences.put({ key, issueId: issue.id, silenceId: row?.silenceId ?? null, until });
  // An earlier life may have made it, and died before it could store the id.
  const id = row === null ? null : (row.silenceId ?? (await findMade(key, options, signal)));
  const number = issueNumber(issue);
  const answer = await request('POST', '/api/v2/silences', options, signal, {
    ...(id === null ? {} : { id }),
    matchers: Object.entries(labels).map(([name, value]) => ({ name, value, isRegex: false, isEqual: true })),
    startsAt: new Date(clock.now()).toISOString(),
    endsAt: new Date(until).toISOString(),
    createdBy: WHO,
    comment: `Muted in Slack${number === null ? '' : ` as issue #${number}`} (gumshoe:${key})`,
  });
  const { silenceID: silenceId } = Created.parse(answer);
  const at = clock.now();
  const what = `silenced it in Alertmanager until ${new Date(until).toISOString()} (${silenceId})`;
  await store.transaction(async (tx) => {
    await tx.silences.put({ key, issueId: issue.id, silenceId, until });
    await tx.audit.add({ at, who: WHO, what, issueId: issue.id });
  });
  metrics.count('gumshoe_alertmanager_silences_total', { outcome: 'made' });
  log.info({ issue: issue.id, silence: silenceId }, 'silenced a muted issue in the Alertmanager');
}

async function end(row: SilenceRow, options: SilencesOptions, signal?: AbortSignal): Promise<void> {
  const { store, clock, log, metrics } = options;
  const { key, issueId } = row;
  const id = row.silenceId ?? (await findMade(key, options, signal));
  if (id !== null) await request('DELETE', `/api/v2/silence/${encodeURIComponent(id)}`, options, signal);
  const at = clock.now();
  await store.transaction(async (tx) => {
    await tx.silences.remove(key);
    if (id === null) return;
    await tx.audit.add({ at, who: WHO, what: `ended its silence in Alertmanager (${id})`, issueId });
  });
  metrics.count('gumshoe_alertmanager_silences_total', { outcome: 'ended' });
  log.info({ issue: issueId, silence: id }, 'ended a silence in the Alertmanager');
}

async function findMade(key: string, options: SilencesOptions, signal?: AbortSignal): Promise<string | null> {
  const all = Silences.parse(await request('GET', '/api/v2/silences', options, signal));
  const made = all.find(
    ({ comment, status }) => status.state !== 'expired' && comment.includes(`(gumshoe:${key})`),
  );
  return made?.id ?? null;
}

async function request(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { alertmanager }: Pick<SilencesOptions, 'alertmanager'>,
  signal: AbortSignal | undefined,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${alertmanager.url}${path}`, {
    method,
    headers: { ...alertmanagerHeaders(alertmanager), 'content-type': 'application/json' },
    signal: timeoutSignal(PATIENCE_MS, signal),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // One that is no longer known has ended.
  if (method === 'DELETE' && response.status === 404) return null;
  if (!response.ok) throw new Error(`the Alertmanager answered ${method} ${path} with ${response.status}`);
  return method === 'DELETE' ? null : response.json();
}

/** The authorization header for the Alertmanager; empty if it needs none. */
export function alertmanagerHeaders({
  token,
  user,
  password,
}: Pick<Alertmanager, 'token' | 'user' | 'password'>): Record<string, string> {
  if (token !== null) return { authorization: `Bearer ${token}` };
  if (user === null) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
}
