import { setImmediate as aTurn } from 'node:timers/promises';
import { z } from 'zod';
import { backoffMs, type Checkpoint } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { createQueueWorker, type Wakeup, type Worker } from '../../lib/worker-loop.ts';
import type { WebhookFormat } from '../alerts/format.ts';
import { considerMessage, seenOfReport } from '../filing/carry-out.ts';
import { readReading } from '../filing/occurrence.ts';
import { placeAlert } from '../filing/place.ts';
import { endUnfiled, recover, unfiledOf } from '../filing/recover.ts';
import type { Problems } from '../problems/registry.ts';
import { UNROUTED } from '../problems/stored.ts';
import type { Store } from '../store/open.ts';
import type { ReceivedAlertRow } from '../store/received-alerts.ts';
import type { Webhook } from '../store/webhooks.ts';
import { deliveryOf, learnChannel, mostSevereFirst, type ReceiveOptions, receiveAlert } from './receive.ts';
import { readPayload } from './stored.ts';

const BATCH = 20;
const RETRY = { firstMs: 1_000, maxMs: 60_000 };
/** About a quarter of an hour. */
const MAX_ATTEMPTS = 20;
/** How often an alert in a private channel looks whether a member has agreed that its issues may be named elsewhere. */
const CONSENT_MS = 60_000;

export interface WebhookWorkerOptions extends ReceiveOptions {
  formats: ReadonlyMap<string, WebhookFormat>;
  random: () => number;
  checkpoint: Checkpoint;
  permalink: (channel: string, ts: string) => string;
  /** Looks whether alerts are kept without a route. */
  checkUnrouted: () => Promise<void>;
}

/** Reads stored webhooks, and decides on their alerts. One process at a time does it. */
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
    if (isFirst) await placePosted(options);
    if (isFirst) await routeAgain(options);
    isFirst = false;
    const now = clock.now();
    const open = await store.webhooks.open(now, BATCH);
    for (const webhook of open) if (!signal.aborted) await handle(webhook, options);
    const waiting = await store.receivedAlerts.due(now, BATCH);
    for (const row of waiting) if (!signal.aborted) await decideOn(row, options);
    if (!signal.aborted) await options.checkUnrouted();
    if (open.length === BATCH || waiting.length === BATCH) return 0;
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
  const { formats, log, metrics, checkpoint } = options;
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
    const outcome = await receiveAlert(received, options);
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

/** Decides on an alert that waited, as on its message: for consent, or since 1.1 had posted it. */
async function decideOn(row: ReceivedAlertRow, options: WebhookWorkerOptions): Promise<void> {
  const { store, clock, log, metrics, random } = options;
  try {
    const reading = readReading(row.reading);
    const { channel, ts, tool, identity } = row;
    await aTurn();
    if (reading === null || channel === null || ts === null) {
      return await store.receivedAlerts.become(row.id, 'decided');
    }
    await learnChannel(channel, options);
    if (await options.needsConsent(channel)) {
      log.warn({ channel }, 'an alert waits: nobody in its private channel has agreed to issues');
      return await store.receivedAlerts.postpone(row.id, clock.now() + CONSENT_MS);
    }
    const permalink = options.permalink(channel, ts);
    const seen = { ...seenOfReport({ channel, ts, tool }, reading), permalink };
    const { decision, reason, issueId } = await considerMessage(seen, options);
    metrics.count('gumshoe_alerts_total', { decision, format: seen.alert.format });
    log.info({ channel, ts, decision, reason, issue: issueId }, 'decided on a received alert');
    await store.transaction(async (tx) => {
      await tx.receivedAlerts.become(row.id, 'decided');
      const overAt = (await tx.receivedAlerts.get(row.id))?.overAt ?? null;
      if (overAt === null) return;
      const issue = issueId === null ? null : await tx.issues.get(issueId);
      if (issue?.isOpen === true) await recover(tx, issue, overAt);
      else if (identity !== null) {
        await endUnfiled(tx, await unfiledOf(tx, { ...seen, edited: true }, identity, clock.now()));
      }
    });
  } catch (error) {
    log.error({ err: error, received: row.id }, 'could not decide on a received alert; retrying');
    await store.receivedAlerts.postpone(row.id, clock.now() + backoffMs(row.attempts, RETRY, random));
  }
}

const Posted = z.array(z.looseObject({ ts: z.string() }));

/** A replica of the release before may have led for a while, which posts messages of alerts and does not place them. */
async function placePosted(options: WebhookWorkerOptions): Promise<void> {
  const { store } = options;
  for (const { received, channel, sent } of await store.receivedAlerts.notPlaced()) {
    const [{ ts } = { ts: null }] = decodeStored(Posted, sent) ?? [];
    if (ts === null) continue;
    await store.transaction((tx) => placeAlert(tx, received, { channel, ts }, options));
  }
}

/** Alerts that waited for a route may have one since the program was started with other routes. */
async function routeAgain(options: WebhookWorkerOptions): Promise<void> {
  const { store, log } = options;
  const unrouted = await store.receivedAlerts.unrouted(1_000);
  let routed = 0;
  for (const row of unrouted) {
    await aTurn();
    const reading = row.overAt === null ? readReading(row.reading) : null;
    if (reading === null) continue;
    const { source, tool, receivedAt: at } = row;
    const delivery = await deliveryOf(source, [reading], options);
    const again = { id: `${row.id}:routed`, source, tool, reading, at, delivery };
    const outcome = await receiveAlert(again, options, (tx) => tx.receivedAlerts.become(row.id, 'noted'));
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
