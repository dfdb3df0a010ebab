import { describe, expect, it } from 'vitest';
import type { AlertRule } from '../../../src/service/telemetry/model.ts';
import { found, level, noise, system } from './freight.ts';

function ruleOf(expression: string, comparison: string, value: number): AlertRule {
  const labels = {};
  return {
    name: 'TooManyRetries',
    expression,
    threshold: { comparison, value },
    labels,
    annotations: {},
    heldFor: 0,
    health: 'ok',
    lastError: null,
  };
}

describe('the rule of an alert', () => {
  const rule = ruleOf('sum by (app) (rate(retries_total[5m]))', '>', 10);
  const series = [
    { service: '', labels: { app: 'printer' }, at: (at: number) => 1 + 0.1 * noise(1, at) },
    { service: '', labels: { app: 'tariffs' }, at: level(1, 40) },
  ];

  it('names the service where the alert does not: the one that fires', async () => {
    const { cause, overview } = await found(system({ rule: { rule, series } }), {
      title: 'TooManyRetries',
      service: null,
    });
    expect(cause).toBe('Unexplained degradation of tariffs');
    expect(overview).not.toContain('names no known service');
  });

  it('shows that something is wrong where no convention does', async () => {
    const quiet = system({ felt: false, tariffs: {}, rule: { rule, series } });
    const { summary, evidence } = await found(quiet, { title: 'TooManyRetries', service: null });
    expect(summary).toContain('Unexplained degradation of tariffs');
    expect(evidence.map(({ title, description }) => ({ title, description }))).toContainEqual({
      title: 'What TooManyRetries measures',
      description: expect.stringMatching(
        /^`sum by \(app\) \(rate\(retries_total\[5m\]\)\)` was \d+(?:\.\d)? at 10:30 UTC\. It fires > 10\.$/u,
      ),
    });
  });

  it('below its threshold is shown too, with nothing found', async () => {
    const calm = [{ service: '', labels: { app: 'tariffs' }, at: level(1) }];
    const { summary, investigation } = await found(
      system({ felt: false, tariffs: {}, rule: { rule, series: calm } }),
    );
    expect(summary).toBe('');
    expect(investigation.results.rootCause.irrelevantEvidence).toContainEqual(
      expect.objectContaining({ title: 'What TooManyRetries measures', status: 'irrelevant' }),
    );
  });

  it('that fires when something is too low shows that as well', async () => {
    const low = ruleOf('min by (app) (workers_idle)', '<', 2);
    const idle = [{ service: '', labels: { app: 'tariffs' }, at: level(20, 0.5) }];
    const { summary } = await found(system({ felt: false, tariffs: {}, rule: { rule: low, series: idle } }), {
      title: 'TooManyRetries',
      service: null,
    });
    expect(summary).toContain('tariffs');
  });
});
