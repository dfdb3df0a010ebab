import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SimulatedService, startSimulatedService } from '../../../src/demo/simulated-service.ts';
import { callTool, connectMcp } from '../../support/mcp.ts';
import { pacedClock } from '../../support/paced-clock.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'gumshoe-mcp-'));
let service: SimulatedService;

beforeAll(async () => {
  const clock = pacedClock();
  service = await startSimulatedService({
    clock,
    file: join(folder, 'service.db'),
    keys: { 'first-key': 'first', 'other-key': 'other' },
  });
  const from = clock.now() - 6 * 60_000;
  service.inject({ kind: 'bad_deploy', service: 'payments', from, to: from + 40 * 60_000 });
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const url = () => new URL(service.url).origin;

it.each(['legacy', 'modern'] as const)('a client of the %s era investigates without Slack', async (era) => {
  const client = await connectMcp(url(), { era, key: 'first-key' });
  const { data } = await callTool(client, 'investigate', {
    title: 'payments returns errors',
    service: 'payments',
  });
  const issue = Number(data.number);
  const result = await until('it is investigated', async () => {
    const got = await callTool(client, 'get_result', { issue });
    return got.data.status === 'investigating' ? undefined : got;
  });
  expect(result.data).toMatchObject({ number: issue, rootCause: expect.stringContaining('payments') });
  for (const [name, args] of [
    ['ask', { question: 'What is open?' }],
    ['get_topology', {}],
    ['query_metric', { service: 'payments', metric: 'error rate' }],
    ['list_changes', { service: 'payments' }],
  ] as const) {
    expect(await callTool(client, name, args), name).toMatchObject({ failed: false });
  }
  const other = await connectMcp(url(), { era, key: 'other-key' });
  expect(await callTool(other, 'get_result', { issue })).toMatchObject({
    failed: true,
    text: `Issue ${issue} was not found`,
  });
});

it('answers no one without a key', async () => {
  await expect(connectMcp(url(), { key: 'nobody' })).rejects.toThrow();
});
