import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SimulatedService, startSimulatedService } from '../../../src/demo/simulated-service.ts';
import { fastClock } from '../../support/paced-clock.ts';
import { slowTelemetry } from '../../support/slow-telemetry.ts';
import { until } from '../../support/until.ts';

const KEY = 'key-of-the-test';
const FAULT = { kind: 'bad_deploy', service: 'payments' } as const;

let folder: string;
let service: SimulatedService;

const start = () =>
  startSimulatedService({
    file: join(folder, 'service.db'),
    keys: { [KEY]: 'tests' },
    seenAs: slowTelemetry(fastClock(1), 1_500),
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-down-'));
  service = await start();
});

afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(path: string, body?: object) {
  const answer = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return Object(await answer.json());
}

const statusOf = async (uuid: string) => (await call(`/issues/${uuid}`)).status;

/** What becomes of a new connection. */
function connecting(): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  return new Promise<string>((resolve) => {
    socket.on('connect', () => resolve('connected')).on('error', (error) => resolve(String(error)));
  }).finally(() => socket.destroy());
}

describe('a service that is taken down', () => {
  it('refuses connections, comes back on the same port with all it had, and ends its investigations', async () => {
    const { uuid } = await call('/issues', {
      title: 'Checkout fails',
      description: 'Errors at checkout',
      environment: 'production',
      severity: 'high',
      triggeredAt: new Date(fastClock(1).now()).toISOString(),
    });
    expect(await statusOf(uuid)).toBe('investigating');
    await service.goDown();
    expect(service.isDown()).toBe(true);
    expect(await connecting()).toContain('ECONNREFUSED');
    const address = service.url;

    await service.comeBack();
    expect(service.isDown()).toBe(false);
    expect(service.url).toBe(address);
    await until('the investigation ends', async () => (await statusOf(uuid)) === 'ready_to_fix');
    expect((await call('/issues')).data).toHaveLength(1);
  });

  it('takes both twice, and at once, and closes while it is down', async () => {
    await Promise.all([service.goDown(), service.comeBack(), service.goDown(), service.goDown()]);
    expect(await connecting()).toContain('ECONNREFUSED');
    await Promise.all([service.comeBack(), service.comeBack()]);
    expect((await call('/issues')).data).toEqual([]);
    await service.goDown();
  });

  it('says so where its port is taken meanwhile, and comes back when it is free', async () => {
    await service.goDown();
    const other = createServer();
    const { port } = new URL(service.url);
    await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.1', resolve));
    await expect(service.comeBack()).rejects.toThrow(`could not listen on port ${port} again`);
    expect(service.isDown()).toBe(true);
    await new Promise((resolve) => other.close(resolve));
    await service.comeBack();
    expect((await call('/issues')).data).toEqual([]);
  });
});

describe('faults of its shop', () => {
  it('end when it is mended, begin anew when they are renewed, and stay so over a restart', async () => {
    const now = fastClock(1).now();
    const of = (from: number, to: number) => ({ ...FAULT, from, to });
    service.inject(of(now - 9_000, now - 8_000));
    service.inject(of(now - 7_000, now + 600_000));
    service.renew({ olderThan: now - 6_000, from: now - 1_000 });
    service.renew({ olderThan: now - 6_000, from: now });
    const renewed = [of(now - 9_000, now - 8_000), of(now - 1_000, now + 600_000)];
    expect(service.faults()).toEqual(renewed);
    await service.close();
    service = await start();
    expect(service.faults()).toEqual(renewed);
    service.repair();
    const mended = service.faults();
    expect(mended[0]).toEqual(renewed[0]);
    expect(mended[1]?.to).toBeLessThan(now + 600_000);
    await service.close();
    service = await start();
    expect(service.faults()).toEqual(mended);
  });
});
