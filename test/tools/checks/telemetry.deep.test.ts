import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTelemetry } from '../../../src/tools/checks/telemetry.ts';
import { hasPrometheus, startPrometheus, type TestPrometheus } from '../../support/prometheus/prometheus.ts';
import { plainSystem } from '../../support/prometheus/systems.ts';

describe.skipIf(!hasPrometheus())('the check of a real Prometheus', () => {
  let prometheus: TestPrometheus;
  beforeAll(async () => {
    prometheus = await startPrometheus(plainSystem(Math.floor(Date.now() / 15_000) * 15_000).history);
  });
  afterAll(() => prometheus?.stop());

  it('lists what was recognised, and how far its samples reach', async () => {
    const [found] = await checkTelemetry({ PROMETHEUS_URL: prometheus.url });
    expect(found).toMatchObject({ name: 'prometheus', ok: true });
    expect(found?.detail).toMatch(/^Prometheus \S+ at \S+ answers: 4 services, 2 dependencies\.$/u);
    expect(found?.notes).toEqual([
      'Services: ledger, mailer, quotes, storefront.',
      expect.stringMatching(/^Recognised: .*OpenTelemetry HTTP, plain HTTP/u),
      'It scrapes every 15 s. It has samples of an hour or more. What is usual is learnt best from a week.',
    ]);
  });
});
