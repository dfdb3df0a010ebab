import { setImmediate as aTurn } from 'node:timers/promises';
import { backoffMs, type Checkpoint } from '../../lib/clock.ts';
import { createQueueWorker, type Wakeup, type Worker } from '../../lib/worker-loop.ts';
import type { WebhookFormat } from '../alerts/format.ts';
import { considerMessage } from '../filing/carry-out.ts';
import { endUnfiled, recover, unfiledOf } from '../filing/recover.ts';
import type { Problems } from '../problems/registry.ts';
import { UNROUTED } from '../problems/stored.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import { arriving } from '../shared/tracing/spans.ts';
import type { Store } from '../store/open.ts';
import type { ReceivedAlertRow } from '../store/received-alerts.ts';
import type { Webhook } from '../store/webhooks.ts';
import {
  type DeliveryOptions,
  deliveryOf,
  learnChannel,
  mostSevereFirst,
  type ReceiveOptions,
} from './delivery.ts';
import { receiveAlert } from './receive.ts';
import { readPayload, readReading, seenOfMessage } from './stored.ts';

const BATCH = 20;
const RETRY = { firstMs: 1_000, maxMs: 60_000 };
/** About a quarter of an hour. */
const MAX_ATTEMPTS = 20;
/** How often an alert in a private channel looks whether a member has agreed that its issues may be named elsewhere. */
const CONSENT_MS = 60_000;

export interface WebhookWorkerOptions extends ReceiveOptions, DeliveryOptions {
  formats: ReadonlyMap<string, WebhookFormat>;
  log: Logger;
  metrics: Metrics;
  random: () => number;
  checkpoint: Checkpoint;
  permalink: (channel: string, ts: string) => string;
  /** Looks whether alerts are kept without a route. */
  checkUnrouted: () => Promise<void>;
}

/** Reads stored webhooks, and decides on the alerts whose messages are in Slack. One process at a time does it. */
export function createWebhookWorker(options: WebhookWorkerOptions & { wakeup: Wakeup }): Worker {
  const { log, wakeup } = options;
  return createQueueWorker({
    round: createWebhookRound(options),
    wakeup,
    onError: (error) => log.error({ err: error }, 'could not process webhooks'),
  });
}

/**
 * One round of that work. The first also looks for routes of the alerts that had none.
 *
 * @returns how long until there is more to do
 */
export function createWebhookRound(options: WebhookWorkerOptions): (signal: AbortSignal) => Promise<number> {
  const { store, clock } = options;
  let isFirst = true;
  return async (signal) => {
    if (isFirst) await routeAgain(options);
    isFirst = false;
    const now = clock.now();
    const open = await store.webhooks.open(now, BATCH);
    for (const webhook of open) if (!signal.aborted) await handle(webhook, options);
    const posted = await store.receivedAlerts.due('posted', now, BATCH);
    for (const row of posted) if (!signal.aborted) await decideOn(row, options);
    if (!signal.aborted) await options.checkUnrouted();
    if (open.length === BATCH || posted.length === BATCH) return 0;
    return Math.min(await store.webhooks.untilNext(now), await store.receivedAlerts.untilNext(now));
  };
}

async function handle(webhook: Webhook, options: WebhookWorkerOptions): Promise<void> {
  const { store, log, clock, random, checkpoint } = options;
  const { id, source } = webhook;
  try {
    await checkpoint('webhook: before reading');
    await receiveAll(webhook, options);
    await store.webhooks.done(id);
    await checkpoint('webhook: done');
  } catch (error) {
    const isLast = webhook.attempts + 1 >= MAX_ATTEMPTS;
    const reason = error instanceof Error ? error.message : String(error);
    log.error(
      { err: error, source, webhook: id },
      isLast ? 'gave up on a webhook' : 'could not handle a webhook; retrying',
    );
    const nextAt = isLast ? null : clock.now() + backoffMs(webhook.attempts, RETRY, random);
    await store.webhooks.failed(id, reason, nextAt);
  }
}

async function receiveAll(
  { id, source, body, headers, receivedAt }: Webhook,
  options: WebhookWorkerOptions,
): Promise<void> {
  const { store, formats, log, metrics, checkpoint } = options;
  const format = formats.get(source);
  const reading = format === undefined ? null : await readPayload(format, body, headers);
  if (format === undefined || reading?.kind !== 'alerts') {
    // The endpoint has accepted it, so another program, or another field map, did.
    log.warn({ source, webhook: id }, 'a stored webhook cannot be read with the present configuration');
    return;
  }
  if (reading.note !== undefined) log.warn({ source, note: reading.note }, 'a webhook is incomplete');
  const delivery = await deliveryOf(source, reading.alerts, options);
  for (const [index, alert] of mostSevereFirst(reading.alerts)) {
    const received = {
      id: `${id}:${index}`,
      source,
      tool: format.tool,
      reading: alert,
      at: receivedAt,
      delivery,
    };
    // SQLite answers within the turn, so that a thousand alerts would be one.
    await aTurn();
    const outcome = await store.transaction((tx) => receiveAlert(tx, received, options));
    metrics.count('gumshoe_received_alerts_total', { source, outcome });
    if (outcome === 'unrouted') log.warn({ source }, 'no route names a channel for an alert; it is kept');
    if (outcome === 'ambiguous') {
      log.warn(
        { source, title: alert.alert.title },
        'a recovery could be of several open alerts; none was resolved',
      );
    }
    await checkpoint('webhook: alert received');
  }
}

/** Decides on an alert whose message is in Slack, as on any message there. */
async function decideOn(row: ReceivedAlertRow, options: WebhookWorkerOptions): Promise<void> {
  const { store, clock, log, metrics, random, checkpoint } = options;
  try {
    const reading = readReading(row.reading);
    const { channel, ts } = row;
    await aTurn();
    if (reading === null || channel === null || ts === null) {
      return await store.receivedAlerts.become(row.id, 'decided');
    }
    const place = { channel, ts, tool: row.tool };
    const seen = seenOfMessage(place, reading.alert, options.permalink(channel, ts));
    await learnChannel(seen.channel, options);
    if (await options.needsConsent(seen.channel)) {
      log.warn(
        { channel: seen.channel },
        'an alert waits: nobody in its private channel has agreed to issues',
      );
      return await store.receivedAlerts.postpone(row.id, clock.now() + CONSENT_MS);
    }
    const { decision, reason, issueId } = await arriving('alert by webhook', row.receivedAt, () =>
      considerMessage(seen, options),
    );
    metrics.count('gumshoe_alerts_total', { decision, format: seen.alert.format });
    log.info({ channel, ts, decision, reason, issue: issueId }, 'decided on a received alert');
    await checkpoint('webhook: considered');
    await store.transaction(async (tx) => {
      await tx.receivedAlerts.become(row.id, 'decided');
      const overAt = (await tx.receivedAlerts.get(row.id))?.overAt ?? null;
      if (overAt === null) return;
      const issue = issueId === null ? null : await tx.issues.get(issueId);
      if (issue?.isOpen === true) await recover(tx, issue, overAt);
      else if (row.identity !== null) {
        await endUnfiled(tx, await unfiledOf(tx, { ...seen, edited: true }, row.identity, clock.now()));
      }
    });
    await checkpoint('webhook: decided');
  } catch (error) {
    log.error({ err: error, received: row.id }, 'could not decide on a received alert; retrying');
    await store.receivedAlerts.postpone(row.id, clock.now() + backoffMs(row.attempts, RETRY, random));
  }
}

/** Alerts that waited for a route may have one since the program was started with other routes. */
async function routeAgain(options: WebhookWorkerOptions): Promise<void> {
  const { store, clock, log } = options;
  const unrouted = await store.receivedAlerts.due('unrouted', clock.now(), 1_000);
  let routed = 0;
  for (const row of unrouted) {
    await aTurn();
    const reading = row.overAt === null ? readReading(row.reading) : null;
    if (reading === null) continue;
    const { source, tool, receivedAt: at } = row;
    const delivery = await deliveryOf(source, [reading], options);
    const outcome = await store.transaction(async (tx) => {
      const id = `${row.id}:routed`;
      await tx.receivedAlerts.become(row.id, 'noted');
      return receiveAlert(tx, { id, source, tool, reading, at, delivery }, options);
    });
    if (outcome !== 'unrouted') routed += 1;
  }
  if (unrouted.length > 0) log.info({ waiting: unrouted.length, routed }, 'looked for routes of kept alerts');
}

/**
 * Keeps the registry informed of alerts that are kept because no route names a channel: called after every round of work.
 */
export function createUnroutedCheck({
  store,
  problems,
}: {
  store: Store;
  problems: Problems;
}): () => Promise<void> {
  return async () => {
    const hasUnrouted = (await store.receivedAlerts.countUnrouted()) > 0;
    await (hasUnrouted ? problems.begin({ name: UNROUTED, reason: 'no_route' }) : problems.end(UNROUTED));
  };
}
