import { expect, it } from 'vitest';
import type { LogLine } from '../../../src/service/telemetry/model.ts';
import { found, level, MINUTE, ONSET, system } from './freight.ts';

/** What `tariffs` logs of each request, without ids of traces: from `since` on it no longer stores them. */
function lines(since: number): LogLine[] {
  const says = (message: string, at: number): LogLine => ({
    at,
    service: 'tariffs',
    instance: 'tariffs-0',
    level: 'info',
    message,
    traceId: null,
  });
  return Array.from({ length: 600 }, (_, i) => ONSET - 42 * MINUTE + i * 5_000).flatMap((at, i) => [
    says(`payment received for booking ${i}`, at),
    ...(at < since ? [says(`payment stored as ${i * 7}`, at + 300)] : []),
  ]);
}

const well = { felt: false, tariffs: { latency: level(0.04), errors: level(0.002) } };
const alert = { title: 'Bookings without a payment', service: 'portal' };

it('the service that stopped logging what always followed is named, without traces and with metrics that are well', async () => {
  const { causes, summary, evidence, investigation } = await found(
    system({ ...well, logs: lines(ONSET + 5 * MINUTE) }),
    alert,
  );
  expect(investigation.results.rootCause.isUnexplained).toBe(true);
  expect({ causes, summary, evidence: evidence.map(({ title }) => title) }).toEqual({
    causes: ['Unexplained degradation of tariffs'],
    summary:
      'Unexplained degradation of tariffs: share of `payment received for booking #` with "payment stored as #" went from 100% to 0% at 10:27 UTC; telemetry does not show why.',
    evidence: [
      'tariffs share of `payment received for booking #` with "payment stored as #" fell from 100% to 0%',
    ],
  });
});

it('nothing is named where lines are as always', async () => {
  const { causes } = await found(system({ ...well, logs: lines(Number.POSITIVE_INFINITY) }), alert);
  expect(causes).toEqual([]);
});
