import { describe, expect, it } from 'vitest';
import { checkTelemetry } from '../../../src/tools/checks/telemetry.ts';
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
