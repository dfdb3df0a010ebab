import type { AlertAlias, ReceivedAlert } from '../../../src/bot/alerts/format.ts';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { readConfig } from '../../../src/bot/config.ts';
import { considerMessage } from '../../../src/bot/filing/carry-out.ts';
import { fileHeld } from '../../../src/bot/filing/held.ts';
import { placeAlert } from '../../../src/bot/filing/place.ts';
import { createProblems } from '../../../src/bot/problems/registry.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { giveUpGone } from '../../../src/bot/slack/delivery/outcomes.ts';
import type { Hold } from '../../../src/bot/store/holds.ts';
import { payloadOf } from '../../../src/bot/store/intents/payloads.ts';
import { createUnroutedCheck, createWebhookRound } from '../../../src/bot/webhooks/worker.ts';
import type { Checkpoint } from '../../../src/lib/clock.ts';
import { anAlert } from '../../support/an-alert.ts';
import type { TestStore } from '../../support/open-test-store.ts';

/** Payloads of the made-up source are lists of these. */
export function received(
  alert: Partial<Alert> = {},
  more: Partial<Omit<ReceivedAlert, 'alert'>> = {},
): ReceivedAlert {
  const said = anAlert({ fingerprint: 'w', triggeredAt: '2026-03-17T12:00:00.000Z', ...alert });
  const over = said.kind === 'resolved';
  return { alert: said, note: null, labels: {}, links: [], aliases: [], groupResolved: over, ...more };
}

export const alias = (fingerprint: string): AlertAlias => ({ fingerprint, environment: null });

/** The way of webhooks from the store to their issues, with a Slack that accepts every message at once. */
export function webhooksOn(
  { store, clock }: TestStore,
  {
    routes = '*->C0AAAAAAA',
    checkpoint = () => undefined,
    needsConsent = false,
  }: { routes?: string; checkpoint?: Checkpoint; needsConsent?: boolean } = {},
) {
  const config = readConfig(routes === '' ? {} : { ALERT_ROUTES: routes });
  if (!config.ok) throw new Error(config.problems.join('\n'));
  const metrics = createMetrics();
  const permalink = (channel: string, ts: string) => `https://acme.slack.com/archives/${channel}/p${ts}`;
  const made = new Map<string, ReceivedAlert[]>();
  const format = {
    name: 'tool',
    tool: 'The Tool',
    read: (payload: unknown) => ({ kind: 'alerts' as const, alerts: made.get(String(payload)) ?? [] }),
  };
  const limits = {
    defaultEnvironment: 'production',
    maxIssuesPerDay: 500,
    needsConsent: async () => needsConsent,
  };
  const round = createWebhookRound({
    ...limits,
    store,
    clock,
    formats: new Map([['tool', format]]),
    routes: config.config.alertRoutes,
    log: createLogger('silent'),
    metrics,
    random: () => 0.5,
    checkpoint,
    checkUnrouted: createUnroutedCheck({ store, problems: createProblems({ store, clock, metrics }) }),
    isPrivateChannel: async () => false,
    permalink,
  });
  let posts = 0;
  return {
    /** Stores a webhook with these alerts. */
    deliver: async (...alerts: ReceivedAlert[]): Promise<boolean> => {
      const body = JSON.stringify(JSON.stringify(alerts));
      made.set(JSON.stringify(alerts), alerts);
      return store.webhooks.add({ source: 'tool', body, headers: {}, at: clock.now() });
    },
    work: () => round(new AbortController().signal),
    /** Posts what is to be said of received alerts. */
    post: async (): Promise<void> => {
      for (const row of await store.outbox.due(clock.now(), 99)) {
        if (row.kind !== 'alert' || row.sent !== '[]') continue;
        posts += 1;
        const ts = `${clock.now() / 1_000 + posts}.000100`;
        await store.transaction(async (tx) => {
          await tx.outbox.recordSent(row.key, JSON.stringify([{ ts, hash: '' }]));
          await placeAlert(
            tx,
            payloadOf('alert', row).received,
            { channel: row.channel, ts },
            { clock, permalink },
          );
        });
        await store.outbox.delivered(row.key, row.wanted, clock.now());
      }
    },
    /** Slack refuses them for good. */
    refuse: async (): Promise<void> => {
      for (const row of await store.outbox.due(clock.now(), 99)) {
        if (row.kind === 'alert') await giveUpGone(row, 'msg_too_long', { store, clock });
      }
    },
    /** Somebody presses *File all*. */
    fileHeld: (hold: Hold) => fileHeld(hold, 'all', 'U1', { ...limits, store, clock, permalink }),
    /** The tool's own Slack app writes in the channel. */
    slackApp: (alert: Partial<Alert>, ts: string, channel = 'C0AAAAAAA') =>
      considerMessage(
        {
          channel,
          ts,
          threadTs: null,
          permalink: permalink(channel, ts),
          alert: anAlert(alert),
          sender: 'The Tool',
          byPerson: false,
          edited: false,
          note: null,
        },
        { ...limits, store, clock },
      ),
  };
}
