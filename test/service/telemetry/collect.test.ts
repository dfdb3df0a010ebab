import { expect, it } from 'vitest';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { collect, distinctBy } from '../../../src/service/telemetry/collect.ts';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { type Edge, known, type LogLine } from '../../../src/service/telemetry/model.ts';

it('keeps one item for each key: the last, where the first stood', () => {
  const items = [
    { name: 'a', seen: 1 },
    { name: 'b', seen: 2 },
    { name: 'a', seen: 3 },
  ];
  expect(distinctBy(items, ({ name }) => name)).toEqual([
    { name: 'a', seen: 3 },
    { name: 'b', seen: 2 },
  ]);
});

it('takes who calls whom from failing lines where nothing else tells', async () => {
  const service = (name: string) => ({ name, kind: 'service', aliases: [], workload: null }) as const;
  const line = (at: number): LogLine => ({
    ...{ at, service: 'portal', instance: null, level: 'error', traceId: null },
    message: 'connect ECONNREFUSED ledger:8080',
  });
  const window = { from: 0, to: 60_000 };
  const edgesOf = async (told: readonly Edge[]) => {
    const source = partialSource({
      name: 'test',
      check: async () => ({ name: 'test', ok: true, summary: '', details: [] }),
      services: async () => known([service('portal'), service('ledger'), service('vault')]),
      edges: async () => known([...told]),
      logs: async () => known([line(1_000), line(2_000)]),
    });
    const options = { window, trigger: 60_000, stepMs: 15_000, pastMs: 0, alert: null, interest: () => null };
    return (await collect(source, options, UNLIMITED)).edges;
  };
  expect(await edgesOf([])).toEqual([{ caller: 'portal', callee: 'ledger' }]);
  expect(await edgesOf([{ caller: 'portal', callee: 'vault' }])).toEqual([
    { caller: 'portal', callee: 'vault' },
  ]);
});
