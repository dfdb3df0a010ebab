import { expect, it } from 'vitest';
import { unknown } from '../../../src/service/telemetry/model.ts';
import { testService } from '../support.ts';

const AWAY = 'Prometheus at http://prometheus:9090 could not be reached: check PROMETHEUS_URL.';

/** Of two sources one is gone; the other has nothing to say of metrics. */
function halfAway() {
  return testService({
    investigationMs: 0,
    seenAs: (shop) => ({
      ...shop,
      series: async () => unknown(AWAY),
      logs: async () => unknown(AWAY),
      spans: async () => unknown(AWAY),
      check: async () => ({
        name: 'prometheus+files',
        ok: false,
        summary: `${AWAY} The log files are read.`,
        details: [],
        parts: [
          { name: 'prometheus', ok: false, summary: AWAY, details: [] },
          { name: 'files', ok: true, summary: 'The log files are read.', details: [] },
        ],
      }),
    }),
  });
}

it('says of each source whether it answers, and is degraded by those alone that do not', async () => {
  const { service } = await halfAway();
  const headers = { authorization: 'Bearer acme-key' };
  expect(await (await fetch(`${service().url}/sources`, { headers })).json()).toEqual({
    sources: [
      { name: 'prometheus', ok: false, summary: AWAY },
      { name: 'files', ok: true, summary: 'The log files are read.' },
    ],
  });
  const ready = await (await fetch(new URL('/readyz', service().url))).json();
  expect(ready).toEqual({ ready: true, reasons: [], degraded: [AWAY] });
});

it('has not investigated where services are known and nothing of them could be read', async () => {
  const { create, get } = await halfAway();
  const { uuid } = await create();
  await expect
    .poll(async () => Object((await get(`/issues/${uuid}`)).body).versions)
    .toEqual([
      expect.objectContaining({
        status: 'FAILED',
        description: `Not investigated: no metrics could be read. ${AWAY}`,
      }),
    ]);
});
