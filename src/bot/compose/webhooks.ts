import type { RequestListener } from 'node:http';
import { fetch } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import type { Worker } from '../../lib/worker-loop.ts';
import type { WebhookFormat } from '../alerts/format.ts';
import { mappedSource, webhookFormats } from '../alerts/formats/index.ts';
import type { CompleteConfig, Deps, WebhookSources } from '../deps.ts';
import { createAuthentication } from '../webhooks/authentication.ts';
import { createPlansEndpoint, createWebhookEndpoint } from '../webhooks/endpoint.ts';
import { readPayload } from '../webhooks/stored.ts';
import { createUnroutedCheck, createWebhookWorker } from '../webhooks/worker.ts';

const FETCH_MS = 5_000;
/** A certificate has two kilobytes. */
const MAX_FETCHED = 100_000;

function formatsOf({ webhooks }: CompleteConfig): ReadonlyMap<string, WebhookFormat> {
  const mapped = [...webhooks.maps].map(([name, map]) => mappedSource(name, map));
  return new Map([...webhookFormats, ...mapped].map((format) => [format.name, format]));
}

/** What answers `POST /alerts/<source>` and `POST /plans`. Any replica does. */
export function composeWebhookEndpoints(
  deps: CompleteConfig & Pick<Deps, 'store' | 'clock' | 'log' | 'metrics'>,
): { alerts: RequestListener; plans: RequestListener } {
  const { clock, log } = deps;
  const formats = formatsOf(deps);
  const authentication = createAuthentication({
    settings: deps.webhooks,
    clock,
    fetchText: fetchFromAmazon,
  });
  for (const source of new Set(deps.alertRoutes.map((route) => route.source))) {
    if (source === '*') continue;
    if (!formats.has(source)) log.warn({ source }, 'unknown source in ALERT_ROUTES');
    else if (!authentication.isOn(source)) {
      log.warn({ source }, 'ALERT_ROUTES names a source that is off, because no secret is configured for it');
    }
  }
  const common = { ...deps, authentication };
  return {
    alerts: createWebhookEndpoint({ ...common, formats, fetchText: fetchFromAmazon }),
    plans: createPlansEndpoint(common),
  };
}

/** What people are shown of sources and routes. */
export function composeWebhookSources(config: CompleteConfig & { clock: Clock }): WebhookSources {
  const formats = formatsOf(config);
  const { isOn } = createAuthentication({ ...config, settings: config.webhooks, fetchText: fetchFromAmazon });
  return {
    sources: [...formats.keys()].map((name) => ({ name, isOn: isOn(name) })),
    routes: config.alertRoutes,
    read: async (source, payload) => {
      const format = formats.get(source);
      return format === undefined ? null : readPayload(format, payload, '{}');
    },
  };
}

/** What reads stored webhooks. One process at a time does. */
export function composeWebhookWorker(deps: Deps): Worker {
  return createWebhookWorker({
    ...deps,
    formats: formatsOf(deps),
    routes: deps.alertRoutes,
    wakeup: deps.wakeups.webhooks,
    checkUnrouted: createUnroutedCheck(deps),
  });
}

async function fetchFromAmazon(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) });
  if (response.status !== 200) throw new Error(`Amazon SNS answered with ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_FETCHED) throw new Error('Amazon SNS answered with more than a certificate');
  return text;
}
