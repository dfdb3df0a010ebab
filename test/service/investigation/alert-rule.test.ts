import { describe, expect, it } from 'vitest';
import type { AlertRule } from '../../../src/service/telemetry/model.ts';
import { deploy, found, level, MINUTE, noise, ONSET, system } from './freight.ts';

function ruleOf(expression: string, comparison: string, value: number): AlertRule {
  const labels = {};
  return {
    name: 'TooManyRetries',
    expression,
    threshold: { comparison, value },
    labels,
    annotations: {},
    heldFor: 0,
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
      title: 'Condition of TooManyRetries',
      description: expect.stringMatching(
        /^`sum by \(app\) \(rate\(retries_total\[5m\]\)\)` was \d+(?:\.\d)? at 10:30 UTC\. It fires > 10\. It left its usual level at 10:22 UTC\.$/u,
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
      expect.objectContaining({ title: 'Condition of TooManyRetries', status: 'irrelevant' }),
    );
  });

  it('is relevant while it fires, although nothing is found', async () => {
    const always = [{ service: '', labels: { app: 'tariffs' }, at: level(40) }];
    const { summary, evidence } = await found(
      system({ felt: false, tariffs: {}, rule: { rule, series: always } }),
    );
    expect(summary).toBe('');
    expect(evidence.map(({ title, status }) => [title, status])).toEqual([
      ['Condition of TooManyRetries', 'relevant'],
    ]);
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

  it('is the first that a change is compared with: what came after it is no suspect, whatever departed long before', async () => {
    const rising = ruleOf('sum by (app) (rate(retries_total[5m]))', '>', 10);
    const change = (title: string, at: number) => ({ ...deploy('tariffs', at), kind: 'config', title });
    const before = change('timeout 3000 → 20', ONSET - 20_000);
    const after = change('log level', ONSET + 3 * MINUTE);
    // A past that was restless long before, and worse since.
    const shares = [level(0.002), level(0.04), level(0.12)] as const;
    const errors = (at: number) => shares[at < ONSET - 50 * MINUTE ? 0 : at < ONSET ? 1 : 2](at);
    const restless = { latency: level(0.04, 0.3, ONSET - 50 * MINUTE), errors };
    const { overview, summary, evidence } = await found(
      system({ tariffs: restless, changes: [before, after], rule: { rule: rising, series } }),
      { title: 'TooManyRetries', service: 'tariffs' },
    );
    expect(evidence.map(({ description }) => description)).toContainEqual(
      expect.stringMatching(/It left its usual level at 10:22 UTC\.$/u),
    );
    expect(summary).toContain(
      '"timeout 3000 → 20" went live at 10:21 UTC, and the alert’s metric moved 20 s later; not proven to be the cause.',
    );
    expect(`${summary} ${overview}`).not.toContain('log level');
  });
});
