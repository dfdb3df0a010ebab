import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Status } from '../../src/contract/schema.ts';
import { createShop } from '../../src/demo/shop/shop.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createApp } from '../../src/service/api/app.ts';
import { createServiceMetrics } from '../../src/service/metrics.ts';
import { type Aggregates, openStore } from '../../src/service/store/store.ts';

/** A service with many issues in a temporary file, which is asked without a network between. */
export interface ServiceWorld {
  /** Sends one request; the body as JSON. Rejects where the answer is a failure. */
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<string>;
  /** UUIDs by number, the oldest (number 1) first. */
  uuids: readonly string[];
  close(): Promise<void>;
}

const ORGANIZATION = 'bench';
const KEY = 'bench-key';
const SERVICES = ['payments', 'cart', 'catalogue', 'inventory', 'gateway', 'orders-db', 'search-indexer'];
const BEGIN = Date.UTC(2026, 0, 1);

/** In every issue, and the line by which Gumshoe finds one again. */
export const COMMON_WORD = 'requests';
export function rareWord(number: number): string {
  return `gumshoe-${(Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}`;
}

/** Fills a new file with that many issues in one transaction. Three in four are resolved, two in five in staging, none is muted. */
export async function fillService(count: number): Promise<ServiceWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-bench-'));
  const store = await openStore({ file: join(folder, 'service.db') });
  const uuids = await store.transaction(async (tx) => {
    const added: string[] = [];
    for (let i = 0; i < count; i++) added.push(await add(tx));
    return added;
  });
  const app = createApp({
    store,
    // Creating is measured, not what it starts.
    runner: { start: () => undefined, wake: () => undefined, stop: async () => undefined },
    limits: { requests: 300, ms: 60_000 },
    telemetry: createShop({ seed: 1, injected: () => [] }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    metrics: createServiceMetrics(),
    changesToken: null,
    changesSecrets: new Map(),
    keys: new Map([[KEY, ORGANIZATION]]),
    rateLimit: undefined,
    closing: new AbortController().signal,
  });
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  return {
    uuids,
    request: async (method, path, body) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await app.request(`/api/v2${path}`, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    },
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function add(tx: Aggregates): Promise<string> {
  const number = await tx.issues.takeNumber(ORGANIZATION);
  const service = SERVICES[number % SERVICES.length] ?? 'web';
  const now = BEGIN + number * 60_000;
  const issue = {
    number,
    title: `High error ratio on ${service}`,
    description: `One in ${2 + (number % 50)} ${COMMON_WORD} fails with 502.\n\nhttps://example.slack.com/archives/C01/p${now} ${rareWord(number)}`,
    environment: number % 5 < 2 ? 'staging' : 'production',
    severity: 'medium' as const,
    triggeredAt: now,
    context: { service },
  };
  const { uuid } = await tx.issues.create(ORGANIZATION, issue, now);
  const version = await tx.versions.start(uuid, now);
  const description = 'The investigation is complete.';
  await tx.versions.claim(ORGANIZATION, 1);
  await tx.versions.finish(version.uuid, ORGANIZATION, { status: 'SUCCESS', description, now });
  const status: Status = number % 4 === 0 ? 'ready_to_fix' : 'resolved';
  await tx.issues.setStatus(uuid, status, now);
  return uuid;
}
