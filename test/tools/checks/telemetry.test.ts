import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTelemetry } from '../../../src/tools/checks/telemetry.ts';
import { hasPrometheus, startPrometheus, type TestPrometheus } from '../../support/prometheus/prometheus.ts';
import { plainSystem } from '../../support/prometheus/systems.ts';
import { unusedAddress } from '../../support/scripted-service.ts';
import { Refusal, scriptedSource } from '../../support/scripted-source.ts';

describe('the check of telemetry', () => {
  it('says nothing where no source is configured', async () => {
    expect(await checkTelemetry({})).toEqual([]);
  });

  it('says which variable is wrong', async () => {
    expect(await checkTelemetry({ PROMETHEUS_URL: 'prometheus' })).toMatchObject([
      { ok: false, detail: expect.stringContaining('PROMETHEUS_URL must be an http:// or https:// address') },
    ]);
  });

  it('says that a source cannot be reached, and what to check', async () => {
    const [loki] = await checkTelemetry({ LOKI_URL: await unusedAddress() });
    expect(loki).toMatchObject({ name: 'loki', ok: false });
    expect(loki?.detail).toMatch(/could not be reached .*: check LOKI_URL, and that it is running\./u);
  });

  it('says that credentials were refused, and never what they are', async () => {
    const { url } = await scriptedSource({
      '/*': { parameters: ['start', 'end'], answer: () => new Refusal(401) },
    });
    const results = await checkTelemetry({ TEMPO_URL: url, TEMPO_TOKEN: 'a-secret-of-mine' });
    expect(results[0]).toMatchObject({ name: 'tempo', ok: false });
    expect(results[0]?.detail).toMatch(/401|TEMPO_TOKEN/u);
    expect(JSON.stringify(results)).not.toContain('a-secret-of-mine');
  });

  it('says what else could be connected, with the variable that does it', async () => {
    const results = await checkTelemetry({ LOKI_URL: await unusedAddress() });
    expect(results.at(-1)).toMatchObject({
      name: 'telemetry',
      ok: true,
      notes: [
        expect.stringContaining('PROMETHEUS_URL=http://prometheus:9090'),
        expect.stringContaining('TEMPO_URL'),
        expect.stringContaining('KUBERNETES'),
        expect.stringContaining('CHANGES_TOKEN'),
      ],
    });
  });

  it('says that changes alone are nothing to investigate', async () => {
    const { url } = await scriptedSource({
      '/*': { parameters: ['start', 'end'], answer: () => new Refusal(401) },
    });
    const results = await checkTelemetry({ ARGOCD_URL: url, ARGOCD_TOKEN: 'x' });
    expect(results.at(-1)).toMatchObject({ name: 'telemetry', ok: false, fix: 'set PROMETHEUS_URL' });
  });
});

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
