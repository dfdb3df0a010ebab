import { expect, it } from 'vitest';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { type Exported, known, type LogLine } from '../../../src/service/telemetry/model.ts';
import { found, MINUTE, ONSET, red } from './freight.ts';

/** A counter of a target, as its rate: a sample every 15 s until the alert, and another rate from the onset on. */
function counter(service: string, name: string, rate: number, then: number, labels = {}): Exported {
  const times = Float64Array.from({ length: 72 }, (_, i) => ONSET - 10 * MINUTE + i * 15_000);
  return {
    ...{ name, service, type: 'counter', help: '', unit: '' },
    labels: { job: service, instance: `${service}:9100`, ...labels },
    points: { times, values: times.map((at) => (at >= ONSET ? then : rate)) },
  };
}

const exporting = (...all: Exported[]) =>
  partialSource({
    name: 'prometheus',
    check: async () => ({ name: 'prometheus', ok: true, summary: '', details: [] }),
    state: async () => known([]),
    exported: async () => known(all),
  });

/** `orders` grows by four messages a second from the onset on. */
const growing = {
  services: [
    { name: 'orders', kind: 'queue' as const },
    { name: 'packer' },
    { name: 'ledger' },
    { name: 'shop' },
  ],
  metrics: [
    ...red('packer'),
    {
      service: 'orders',
      measure: 'queue' as const,
      unit: '{message}',
      label: 'queue depth',
      at: (at: number) => Math.max(0, (4 * (at - ONSET)) / 1000),
    },
  ],
};
const about = { title: 'Too many messages in orders', service: 'orders' };
const handedOver = counter('broker', 'acked_total', 4, 0, { queue: 'orders' });
const other = counter('shop', 'mails_total', 40, 0);

it('a queue grows since who worked it off stopped: as much was done before as piles up', async () => {
  const jobs = counter('packer', 'jobs_total', 3.9, 0, { status: 'ok' });
  const written = counter('ledger', 'inserts_total', 4.2, 0);
  // Others still ask the ledger.
  const asked = counter('ledger', 'reads_total', 9, 9);
  const all = exporting(handedOver, other, written, asked, jobs);
  const { summary, actions } = await found(growing, about, [all]);
  expect(summary).toMatch(
    /^packer: `jobs_total\{status="ok"\}` fell from 3\.9\/s to 0 at 10:2\d UTC, and as much a second piles up at orders\. With it fell `inserts_total` of ledger, from 4\.2\/s to 0\. In the metrics: Queue backlog at orders/u,
  );
  expect(actions).toEqual(['Look at packer']);
});

it('what goes on, or did much more, or is the queue’s own, is no reason', async () => {
  const going = counter('packer', 'jobs_total', 4, 4);
  const { summary } = await found(growing, about, [exporting(handedOver, other, going)]);
  expect(summary).toMatch(/^Queue backlog at orders/u);
});

const lines = (service: string, level: string, message: string, from: number): LogLine[] =>
  Array.from({ length: 60 }, (_, i) => from + i * 5_000)
    .filter((at) => at <= ONSET + 8 * MINUTE)
    .map((at) => ({ at, service, instance: null, level, message, traceId: null }));
const writing = (...all: LogLine[][]) =>
  partialSource({
    name: 'logs',
    check: async () => ({ name: 'logs', ok: true, summary: '', details: [] }),
    logs: async (service) => known(all.flat().filter((one) => service === null || one.service === service)),
  });

it('who logs errors since a queue grows is said, and what it logs', async () => {
  const refused = lines('packer', 'error', 'gateway answered 429: monthly quota used up', ONSET + 10_000);
  const { summary, actions } = await found(growing, about, [writing(refused)]);
  expect(summary).toMatch(
    /^packer has logged errors since orders began to grow: `gateway answered 429: monthly quota used up` \(\d+ times since 10:22 UTC[^)]*\)\. In the metrics: Queue backlog at orders/u,
  );
  expect(actions).toEqual(['Look at packer']);
});

it('errors that came before the queue grew, and lines that are none, are no reason', async () => {
  const before = lines('packer', 'error', 'retry failed', ONSET - 30 * MINUTE);
  const later = lines('packer', 'error', 'retry failed', ONSET + 10_000);
  const fine = lines('ledger', 'info', 'stored', ONSET + 10_000);
  const { summary } = await found(growing, about, [writing(before, later, fine)]);
  expect(summary).toMatch(/^Queue backlog at orders/u);
});
