import { expect, it } from 'vitest';
import { namedInLines } from '../../../src/service/telemetry/collect.ts';
import type { LogLine } from '../../../src/service/telemetry/model.ts';

const service = (name: string, ...aliases: string[]) =>
  ({ name, aliases, kind: 'service', workload: null }) as const;
const SERVICES = [service('portal'), service('ledger'), service('seat_store', 'seats'), service('orders')];
const line = (message: string, level: string | null = 'error'): LogLine => ({
  ...{ at: 1, service: 'portal', instance: null, traceId: null },
  message,
  level,
});
const edgesOf = (...lines: LogLine[]) => namedInLines(lines, SERVICES).map(({ callee }) => callee);

it.each([
  ['dial tcp: lookup ledger on 10.0.0.10:53: no such host', 'ledger'],
  ['connect ECONNREFUSED ledger.grid.svc.cluster.local:8080', 'ledger'],
  ['GET http://user@seats/free: 502', 'seat_store'],
  ['connection to seat-store:5432 refused', 'seat_store'],
])('%s names who is called', (message, callee) => {
  expect(edgesOf(line(message), line(message))).toEqual([callee]);
  expect(edgesOf(line(message))).toEqual([]);
});

it('a name that is no host, the service itself, an unknown one, and a line that does not fail name nobody', () => {
  for (const message of ['failed to save orders', 'http://portal/ failed', 'http://elsewhere:80 failed'])
    expect(edgesOf(line(message), line(message))).toEqual([]);
  const served = line('GET http://ledger/ 200', 'info');
  expect(edgesOf(served, served)).toEqual([]);
  const refused = line('http://ledger/: connection refused', null);
  expect(edgesOf(refused, refused)).toEqual(['ledger']);
});
