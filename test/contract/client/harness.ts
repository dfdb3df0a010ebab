import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from '../../../src/contract/client/client.ts';
import type { CallReport } from '../../../src/contract/client/guard.ts';
import type { DropReport } from '../../../src/contract/client/http.ts';
import { type InstantClock, instantClock } from '../../support/manual-clock.ts';
import { type Reply, type ScriptedService, startScriptedService } from '../../support/scripted-service.ts';

export const API_KEY = 'key-7f3a-secret';

export interface Harness {
  client: ServiceClient;
  service: ScriptedService;
  clock: InstantClock;
  calls: CallReport[];
  drops: DropReport[];
  /** The time of the calls under way is up. */
  runOut(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A client against a service that answers with these replies; `await using` closes both. */
export async function harness(
  replies: Reply[],
  options: Partial<ServiceClientOptions> = {},
): Promise<Harness> {
  const service = await startScriptedService(...replies);
  const clock = instantClock();
  const deadlines = new Set<() => void>();
  const runOut = () => {
    for (const pass of [...deadlines]) pass();
  };
  if (options.timeoutMs !== undefined) service.onHang = runOut;
  const calls: CallReport[] = [];
  const drops: DropReport[] = [];
  const client = createServiceClient({
    url: service.url,
    apiKey: API_KEY,
    version: '2026-03-17',
    clock,
    random: () => 0,
    timeoutMs: 5_000,
    // The time of a call is up once the service keeps it waiting, or a test says so; not where the machine is slow.
    deadline: (_ms, pass) => {
      deadlines.add(pass);
      return () => void deadlines.delete(pass);
    },
    onCall: (call) => calls.push(call),
    onDropped: (drop) => drops.push(drop),
    ...options,
  });
  return {
    client,
    service,
    clock,
    calls,
    drops,
    runOut,
    async [Symbol.asyncDispose]() {
      await client.close();
      await service.close();
    },
  };
}

/** The error with which a promise ends; fails where it does not. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the call succeeded, though it should have failed');
}

/** Everything that is yielded. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export const UUID = '3f0c6a52-9d1b-4c11-8a55-0b7f0a1c2d3e';

export function summary(number: number): Record<string, unknown> {
  return {
    uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    number,
    title: `Issue ${number}`,
    description: 'Latency is high',
    severity: 'high',
    status: 'investigating',
    environment: 'production',
    triggeredAt: '2026-03-17T11:59Z',
    seedCount: 1,
  };
}
