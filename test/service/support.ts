import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type SimulatedServiceOptions, startSimulatedService } from '../../src/demo/simulated-service.ts';
import { type Description, describedBy } from '../support/described.ts';
import { manualClock } from '../support/manual-clock.ts';
import { createDatabase, onPostgres } from '../support/postgres/databases.ts';
import { takeDatabase } from '../support/postgres/emptied.ts';
import { slowTelemetry } from '../support/slow-telemetry.ts';

export const START = Date.parse('2026-03-17T12:00:00.000Z');

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, else the text; undefined where there is none. */
  body: unknown;
}

interface CallOptions {
  key?: string | null;
  headers?: Record<string, string>;
  /** A string, or bytes, go as they are. */
  body?: unknown;
}

/** A folder that is gone when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-service-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A service on SQLite, or in the project `postgres` on PostgreSQL (but for one whose `file` is given), on a free port for two organizations (`acme-key`, `globex-key`), closed when the test ends. Every
 * answer is held against the service's own `/openapi.json`: one that is not as described fails the test.
 */
export async function testService(
  {
    investigationMs = 6000,
    ...options
  }: Partial<SimulatedServiceOptions> & { investigationMs?: number } = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
) {
  const database = onPostgres && options.file === undefined ? await takeDatabase('service') : null;
  const clock = options.clock ?? manualClock();
  const complete: SimulatedServiceOptions = {
    file: options.file ?? join(temporaryFolder(), 'service.db'),
    keys: { 'acme-key': 'acme', 'globex-key': 'globex' },
    postgres: database === null ? null : { url: database.url, directUrl: database.url },
    clock,
    seenAs: slowTelemetry(clock, investigationMs),
    ...options,
  };
  let service = await startSimulatedService(complete);
  let open = true;
  const close = async () => {
    if (open) await service.close();
    open = false;
  };
  atEnd(async () => {
    await close();
    await database?.giveBack();
  });
  const call = (method: string, path: string, callOptions: CallOptions = {}) =>
    callAt(service.url, method, path, callOptions);
  return {
    call,
    close,
    get: (path: string, callOptions?: CallOptions) => call('GET', path, callOptions),
    post: (path: string, body: unknown, callOptions?: CallOptions) =>
      call('POST', path, { ...callOptions, body }),
    patch: (path: string, body: unknown, callOptions?: CallOptions) =>
      call('PATCH', path, { ...callOptions, body }),
    create: async (fields: Record<string, unknown> = {}, callOptions?: CallOptions) =>
      Created.parse((await call('POST', '/issues', { ...callOptions, body: { ...ISSUE, ...fields } })).body),
    service: () => service,
    restart: async (changes: Partial<SimulatedServiceOptions> = {}) => {
      await close();
      service = await startSimulatedService({ ...complete, ...changes });
      open = true;
    },
  };
}
export type TestService = Awaited<ReturnType<typeof testService>>;

/** On the server of the test run. */
export async function emptyDatabase(): Promise<{ url: string; directUrl: string }> {
  const { url } = await createDatabase();
  return { url, directUrl: url };
}

async function callAt(url: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  const { key = 'acme-key', body, headers } = options;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: asSent(body) }),
  });
  const text = await response.text();
  const { status, headers: answered } = response;
  const seen = { method, path: path.split('?')[0] ?? path, status, headers: answered, text };
  const faults = seen.path === '/openapi.json' ? [] : (await described(url)).faults(seen);
  if (faults.length > 0)
    throw new Error(`${method} ${path} is not as described: ${faults.join('; ')}\n${text}`);
  const json = /json/u.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : json ? JSON.parse(text) : text,
  };
}

function asSent(body: unknown): string | Buffer<ArrayBuffer> {
  return typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : JSON.stringify(body);
}

let description: Promise<Description> | undefined;

/** Made once: the description is the same for every service of the program. */
export function described(url: string): Promise<Description> {
  description ??= fetch(`${url}/openapi.json`).then(async (answer) => describedBy(await answer.json()));
  return description;
}

export const ISSUE = {
  title: 'Checkout fails',
  description: 'One request in five ends with 502',
  environment: 'production',
};

const Created = z.looseObject({ uuid: z.string(), number: z.int() });

/** The parts of answers that tests go on with. */
export const Page = z.looseObject({
  data: z.array(z.looseObject({ uuid: z.string(), number: z.int(), title: z.string() })),
  has_more: z.boolean(),
  after: z.string().optional(),
  before: z.string().optional(),
});
