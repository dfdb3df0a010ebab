import type { RequestListener } from 'node:http';
import { fetch } from 'undici';
import type { Worker } from '../../lib/worker-loop.ts';
import type { WebhookFormat } from '../alerts/format.ts';
import { mappedSource, webhookFormats } from '../alerts/formats/index.ts';
import type { NeedsConsent } from '../slack/access/consent.ts';
import type { Admins } from '../slack/access/people.ts';
import { replaceBlockerPayload, tellBlocker } from '../slack/blockers/blockers.ts';
import type { WebhookSources } from '../slack/listening/deps.ts';
import { createAlertmanagerPull, createSilences } from '../webhooks/alertmanager.ts';
import { createAuthentication } from '../webhooks/authentication.ts';
import { createWebhookEndpoint } from '../webhooks/endpoint.ts';
import { readPayload } from '../webhooks/stored.ts';
import { createUnroutedNotice, createWebhookWorker } from '../webhooks/worker.ts';
import type { Common, CompleteConfig, Shared } from './common.ts';

const FETCH_MS = 5_000;
/** A certificate has two kilobytes. */
const MAX_FETCHED = 100_000;

/** The sources that webhooks may come from. */
function formatsOf({ webhooks }: Pick<CompleteConfig, 'webhooks'>): ReadonlyMap<string, WebhookFormat> {
  const mapped = [...webhooks.maps].map(([name, map]) => mappedSource(name, map));
  return new Map([...webhookFormats, ...mapped].map((format) => [format.name, format]));
}

/** What answers `POST /alerts/<source>`. Any replica does. */
export function composeWebhookEndpoint(common: Common, { config }: Pick<Shared, 'config'>): RequestListener {
  const { clock, log } = common;
  const formats = formatsOf(config);
  const authentication = createAuthentication({
    settings: config.webhooks,
    clock,
    fetchText: fetchFromAmazon,
  });
  for (const source of new Set(config.alertRoutes.map((route) => route.source))) {
    if (source === '*') continue;
    if (!formats.has(source)) log.warn({ source }, 'unknown source in ALERT_ROUTES');
    else if (!authentication.isOn(source)) {
      log.warn({ source }, 'ALERT_ROUTES names a source that is off, because no secret is configured for it');
    }
  }
  return createWebhookEndpoint({
    ...common,
    formats,
    authentication,
    fetchText: fetchFromAmazon,
  });
}

/** What people are told of sources and routes. */
export function composeWebhookSources(
  { clock }: Pick<Common, 'clock'>,
  config: CompleteConfig,
): WebhookSources {
  const formats = formatsOf(config);
  const { isOn } = createAuthentication({ settings: config.webhooks, clock, fetchText: fetchFromAmazon });
  return {
    sources: [...formats.keys()].map((name) => ({ name, isOn: isOn(name) })),
    routes: config.alertRoutes,
    read: (source, payload) => {
      const format = formats.get(source);
      return format === undefined ? null : readPayload(format, payload, '{}');
    },
  };
}

/** What of Slack the worker needs. */
interface SlackForWebhooks {
  listeners: { needsConsent: NeedsConsent };
  isPrivateChannel: (channel: string) => Promise<boolean>;
  permalink: (channel: string, ts: string) => string;
  client: Parameters<typeof tellBlocker>[1]['client'];
  admins: Admins;
}

/** What reads stored webhooks. One process at a time does. */
export function composeWebhookWorker(
  common: Common,
  { config, wakeups }: Pick<Shared, 'config' | 'wakeups'>,
  { isPrivateChannel, permalink, client, admins, listeners }: SlackForWebhooks,
): Worker {
  const { store, clock } = common;
  return createWebhookWorker({
    ...common,
    formats: formatsOf(config),
    routes: config.alertRoutes,
    defaultEnvironment: config.defaultEnvironment,
    maxIssuesPerDay: config.maxIssuesPerDay,
    needsConsent: listeners.needsConsent,
    wakeup: wakeups.webhooks,
    isPrivateChannel,
    permalink,
    tellUnrouted: createUnroutedNotice({
      ...common,
      tell: (blocker) => tellBlocker(blocker, { store, client, clock, admins }),
      replacePayload: replaceBlockerPayload,
    }),
  });
}

/** What reads an Alertmanager once a minute; `null` if none is configured. One process at a time does. */
export function composeAlertmanagerPull(common: Common, { config }: Pick<Shared, 'config'>): Worker | null {
  const { alertmanager, alertRoutes: routes, defaultEnvironment, maxIssuesPerDay } = config;
  if (alertmanager === null) return null;
  return createAlertmanagerPull({ ...common, alertmanager, routes, defaultEnvironment, maxIssuesPerDay });
}

/** What silences muted issues; `null` if that is not wanted. One process at a time does. */
export function composeSilences(common: Common, { config }: Pick<Shared, 'config'>): Worker | null {
  const { alertmanager } = config;
  return alertmanager?.silences ? createSilences({ ...common, alertmanager }) : null;
}

async function fetchFromAmazon(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) });
  if (response.status !== 200) throw new Error(`Amazon SNS answered with ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_FETCHED) throw new Error('Amazon SNS answered with more than a certificate');
  return text;
}
