import { describe, expect, it } from 'vitest';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { known } from '../../../src/service/telemetry/model.ts';
import { deploy, found, level, MINUTE, ONSET, system } from './freight.ts';

const edge = { caller: 'booking', callee: 'tariffs', side: 'caller' as const };
/** `tariffs` is well, and `booking` cannot reach it. */
const broken = {
  tariffs: {},
  metrics: [
    { service: 'booking', measure: 'requests' as const, unit: '{request}/s', edge, at: level(80) },
    { service: 'booking', measure: 'errors' as const, unit: '1', edge, at: level(0.002, 0.12) },
  ],
};

describe('a change that nothing proves', () => {
  it('of who calls stands with the calls that fail, to a service that is well', async () => {
    const { summary, evidence } = await found(
      system({ ...broken, changes: [deploy('booking', ONSET - 2 * MINUTE)] }),
    );
    expect(summary).toMatch(
      /^Degradation of booking after a deploy: 7\.3\.0 rolled out .*; calls from booking to tariffs: errors went from 0\.2% to 12% at 10:22 UTC, while tariffs itself answers as usual; not proven to be the cause\./u,
    );
    expect(evidence.map(({ title }) => title)).toContain(
      'Calls from booking to tariffs: errors rose from 0.2% to 12%',
    );
  });

  it('of who calls, longer before, is looked at before what lies between', async () => {
    const { cause, actions } = await found(
      system({ ...broken, changes: [deploy('booking', ONSET - 20 * MINUTE)] }),
    );
    expect([cause, ...actions.slice(0, 2)]).toEqual([
      'Broken connection from booking to tariffs',
      'Look at 7.3.0 of booking',
      'Restore the connection from booking to tariffs',
    ]);
  });

  it('is a suspect where only what a database exports departs', async () => {
    const lowered = deploy('pg-main', ONSET - 2 * MINUTE, {
      kind: 'config',
      title: 'pg-main: work_mem 64MB -> 4MB',
      version: null,
    });
    const departs = partialSource({
      name: 'exporters',
      check: async () => ({ name: 'exporters', ok: true, summary: '', details: [] }),
      state: async () =>
        known([
          {
            object: 'app/pg-main',
            cause: 'departs',
            namespace: null,
            sentence: 'pg-main writes 40 MB/s to temporary files.',
            evidence: [],
            show: null,
            mend: null,
            confidence: 0.6,
            since: ONSET,
            source: 'prometheus',
          },
        ]),
    });
    const quiet = {
      felt: false,
      booking: {},
      tariffs: {},
      services: [{ name: 'portal' }, { name: 'pg-main', kind: 'database' as const }],
      edges: [],
      metrics: [
        {
          service: 'pg-main',
          measure: 'up' as const,
          unit: '{instance}',
          label: 'instances up',
          at: () => 1,
        },
      ],
      changes: [lowered, deploy('printer', ONSET - MINUTE)],
    };
    const alert = { title: 'PostgresTempFiles', service: 'pg-main' };
    const { overview } = await found(system(quiet), alert, [departs]);
    expect(overview).toMatch(
      /pg-main writes 40 MB\/s to temporary files\..* Changed shortly before, not proven: "pg-main: work_mem 64MB -> 4MB" \(\d+ min before\)\./u,
    );
    expect(overview).not.toContain('printer');
    expect((await found(system(quiet), alert)).overview).not.toContain('Changed shortly before');
  });
});

it('a database of which only the latency is known has slow queries, and none that is to be canceled', async () => {
  const { cause, actions } = await found(
    system({
      services: [{ name: 'portal' }, { name: 'booking' }, { name: 'pg-main', kind: 'database' }],
      edges: [
        { caller: 'portal', callee: 'booking' },
        { caller: 'booking', callee: 'pg-main' },
      ],
      tariffs: {},
      metrics: [
        {
          service: 'pg-main',
          measure: 'latency',
          unit: 's',
          label: 'mean query time',
          at: level(0.004, 0.3),
        },
      ],
    }),
  );
  expect([cause, actions[0]]).toEqual([
    'Slow queries on pg-main',
    'Find out what slows the queries on pg-main down',
  ]);
});
