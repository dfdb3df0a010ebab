import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { timeoutSignal } from '../../lib/abort.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import { alertmanagerWebhook } from '../alerts/formats/alertmanager/webhook.ts';
import type { ReceivedAlert } from '../alerts/webhook-format.ts';
import type { Alertmanager } from '../config.ts';
import type { Store } from '../store/open.ts';
import type { ReceivedAlertRow } from '../store/received-alerts.ts';
import { alertmanagerHeaders } from './alertmanager-headers.ts';
import { readReading } from './reading.ts';
import { type ReceiveOptions, receiveAlert } from './receive.ts';

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

export interface PullOptions extends ReceiveOptions {
  store: Store;
  alertmanager: Alertmanager;
  log: Logger;
  metrics: Metrics;
}

/**
 * Reads once a minute what an Alertmanager knows: what fires there and nobody has told is received as if a webhook had
 * told it, and what is gone there has recovered. It makes up for webhooks that were lost while nothing ran.
 */
export function createAlertmanagerPull(options: PullOptions): Worker {
  const { clock, log, metrics } = options;
  return createWorkerLoop({
    round: async (signal) => {
      await pullOnce(options, signal);
      metrics.count('gumshoe_alertmanager_pulls_total', { outcome: 'ok' });
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => {
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
  const groups = Groups.parse(await fetchGroups(alertmanager, signal));
  const known = await store.receivedAlerts.notOver(SOURCE);
  const firing = known.flatMap((row) => {
    const reading = readReading(row.reading);
    return reading?.alert.kind === 'firing' ? [{ row, reading }] : [];
  });
  const present = groups.flatMap(({ alerts }) => alerts.map((alert) => alert.labels));
  // Nearly all have the same labels on both sides; only the rest are compared one by one.
  const told = new Set(firing.map(({ reading }) => canonical(reading.labels)));
  const there = new Set(present.map(canonical));
  for (const group of groups) {
    for (const reading of readingsOf(group, alertmanager.url)) {
      if (told.has(canonical(reading.labels))) continue;
      await setImmediate();
      if (firing.some((one) => isOf(one.reading, reading.labels))) continue;
      const id = `pull:${reading.alert.fingerprint}:${reading.alert.triggeredAt}`;
      await receive(id, reading, options);
    }
  }
  for (const { row, reading } of firing) {
    // One that a webhook has told a moment ago may not have been there when the Alertmanager was asked.
    if (clock.now() - row.receivedAt < EVERY_MS || there.has(canonical(reading.labels))) continue;
    await setImmediate();
    if (present.some((one) => isOf(reading, one))) continue;
    await recover(row, reading, present, options);
  }
}

async function fetchGroups(alertmanager: Alertmanager, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(`${alertmanager.url}/api/v2/alerts/groups`, {
    headers: alertmanagerHeaders(alertmanager),
    signal: timeoutSignal(PATIENCE_MS, signal),
  });
  if (!response.ok) throw new Error(`the Alertmanager answered with ${response.status}`);
  return response.json();
}

/** The active alerts of a group, as the Alertmanager's webhook would tell them. */
function readingsOf({ labels: groupLabels, receiver, alerts }: PulledGroup, url: string): ReceivedAlert[] {
  const reading = alertmanagerWebhook.read(
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
  return reading.kind === 'alerts' ? reading.alerts : [];
}

/** The labels that all have, with the same value. */
function commonOf([first = {}, ...others]: readonly Record<string, string>[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((one) => one[name] === value)),
  );
}

/** The same for the same labels, in whatever order. */
export function canonical(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a received alert is the one with these labels; a webhook may have added those of its route. */
function isOf({ labels: received }: ReceivedAlert, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => received[name] === value);
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
  await receive(`pull-over:${row.id}`, resolved, options);
  await store.receivedAlerts.over(row.id, clock.now());
}

async function receive(id: string, reading: ReceivedAlert, options: PullOptions): Promise<void> {
  const { store, clock, log, metrics } = options;
  const received = { id, source: SOURCE, tool: alertmanagerWebhook.tool, reading, at: clock.now() };
  const outcome = await store.transaction((tx) => receiveAlert(tx, received, options));
  metrics.count('gumshoe_received_alerts_total', { source: 'alertmanager_pull', outcome });
  log.info({ source: SOURCE, kind: reading.alert.kind, outcome }, 'took an alert that the Alertmanager has');
}
