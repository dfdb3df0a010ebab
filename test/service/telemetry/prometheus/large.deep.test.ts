import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/lib/clock.ts';
import { investigate } from '../../../../src/service/investigation/investigate.ts';
import { createBudget } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import type { TelemetrySource } from '../../../../src/service/telemetry/source.ts';
import { type LargeSystem, writeLargeSystem } from '../../../bench/systems/large-system.ts';
import { type ServedHistory, servePrometheus } from '../../../bench/systems/prometheus.ts';
import { serveVictoriaMetrics } from '../../../bench/systems/victoria-metrics.ts';
import { hasPrometheus } from '../../../support/prometheus/prometheus.ts';
import { hasVictoriaMetrics } from '../../../support/victoria-metrics.ts';

const MINUTE = 60_000;
const SERVICES = 120;
const TO = Math.floor(Date.now() / MINUTE) * MINUTE;

describe.each([
  ['Prometheus', hasPrometheus, servePrometheus],
  ['VictoriaMetrics', hasVictoriaMetrics, serveVictoriaMetrics],
] as const)('of a large system in a real %s', (_name, isHere, serve) => {
  describe.skipIf(!isHere())('an investigation', () => {
    let system: LargeSystem;
    let server: ServedHistory;

    beforeAll(async () => {
      const times = { from: TO - 200 * MINUTE, to: TO, stepMs: MINUTE };
      const write = (path: string) => {
        system = writeLargeSystem(path, { services: SERVICES, instances: 2, times });
      };
      server = await serve([write], { inFolder: '/var/tmp' });
    });
    afterAll(() => server.stop());

    async function investigated(
      service: string | null,
      change: (source: TelemetrySource) => TelemetrySource,
    ) {
      const source = createPrometheusSource({ url: server.url }, { clock: systemClock });
      const budget = createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
      const issue = {
        title: 'HighErrorRatio',
        description: '',
        environment: 'production',
        triggeredAt: TO,
        service,
        context: {},
      };
      const { results, gaps } = await investigate(issue, change(source), { id: randomUUID, now: TO, budget });
      const spent = budget.spent();
      budget.end();
      await source.close();
      return { ...results.rootCause, gaps, spent };
    }
    /** A count is a sum over series in whatever order they come, so that its last digit is anyone's. */
    const counted = /About (?<failed>[\d,]+) of/u;
    const failedIn = (summary: string | undefined) =>
      Number(counted.exec(summary ?? '')?.groups?.failed?.replaceAll(',', ''));
    /** All of it is read where nothing says what departs. */
    const wholly = ({ unusual: _unusual, ...source }: TelemetrySource) => source;

    it.each([
      ['named by its alert', () => system.symptom],
      ['not named', () => null],
    ])('reads a part, and finds the same as in the whole, with the service %s', async (_which, service) => {
      const part = await investigated(service(), (source) => source);
      const whole = await investigated(service(), wholly);
      expect(part.rootCauseSummary).toContain(system.cause);
      expect(part.rootCauseSummary?.replace(counted, '')).toBe(whole.rootCauseSummary?.replace(counted, ''));
      expect(
        Math.abs(failedIn(part.rootCauseSummary) - failedIn(whole.rootCauseSummary)),
      ).toBeLessThanOrEqual(1);
      expect(part.gaps).toEqual([]);
      expect(part.incidentOverview).toMatch(/I looked at \d+ of 120 services/u);
      expect(whole.incidentOverview).not.toContain('I looked at');
      expect(part.spent.requests).toBeLessThanOrEqual(100);
      expect(part.spent.samples).toBeLessThan(whole.spent.samples / 2);
    });
  });
});
