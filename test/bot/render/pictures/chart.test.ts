import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartPicture } from '../../../../src/bot/render/pictures/chart.ts';
import type { Artifact } from '../../../../src/contract/answers.ts';
import { HARD_CHARTS, TRIGGERED_AT } from '../../../support/gallery/hard-pictures.ts';
import { runs } from '../../../support/property-runs.ts';
import { anyMetric } from './arbitrary.ts';
import { problemsOf } from './soundness.ts';

function hard(name: string): string {
  return chartPicture(HARD_CHARTS[name] ?? {}, TRIGGERED_AT)?.svg ?? '';
}

function metric(values: (number | null)[], more: Record<string, unknown> = {}): Artifact {
  const dataPoints = values.map((asDouble, minute) => ({
    timeUnixNano: `${BigInt(TRIGGERED_AT + minute * 60_000)}000000`,
    asDouble,
  }));
  return { type: 'metric', data: { name: 'm', unit: '', dataPoints, ...more } };
}

describe('the chart of a metric', () => {
  it.each(['eight series', 'gaps and what is no number', 'names that are hard', 'one point'])(
    '%s is drawn as before',
    async (name) => {
      await expect(hard(name)).toMatchFileSnapshot(`snapshots/chart ${name}.svg`);
    },
  );

  it('says in words what is to be seen', () => {
    const picture = chartPicture(HARD_CHARTS['three series over days'] ?? {}, TRIGGERED_AT);
    expect(picture?.alt).toBe(
      'Chart of queue depth, in messages, 29 May 2026 14:36 to 2 Jun 2026 13:36 UTC. The alert was triggered at 14:28 UTC on 2 Jun 2026. eu-west-1: lowest 3.12k at 31 May 09:36, highest 4.88k at 31 May 13:36, last 3.37k. us-east-1: lowest 7.11k at 31 May 15:36, highest 36k at 2 Jun 13:36, last 36k. ap-south-1: lowest 11.1k at 31 May 21:36, highest 12.9k at 1 Jun 01:36, last 12.8k.',
    );
  });

  it('names in words what the font cannot draw', () => {
    const picture = chartPicture(HARD_CHARTS['names that are hard'] ?? {}, undefined);
    expect(picture?.alt).toContain('Chart of 数据库 <latency> & "more" 🔥, in furlongs');
    expect(picture?.alt).toContain('服务器-1 · b: lowest');
  });

  it('marks the trigger where it is near, and says when it was where it is not', () => {
    expect(hard('one point')).toContain('>Triggered 14:28<');
    const before = hard('long before the trigger');
    expect(before).not.toContain('>Triggered 14:28<');
    expect(before).toContain('Triggered on 2 Jun 2026 at 14:28 UTC, outside this chart.');
    expect(chartPicture(HARD_CHARTS['one point'] ?? {}, undefined)?.svg).not.toContain('Triggered');
  });

  it('shows of more than eight series those that vary most, and says so', () => {
    const svg = hard('far too many series');
    expect(svg).toContain('8 of 23 series shown (those that vary most).');
    expect(svg).toContain('>checkout-api-7d9f-22<');
    expect(svg).not.toContain('>checkout-api-7d9f-3<');
  });

  it('begins at 0, unless a level far from it hardly moves, which it says', () => {
    expect(hard('integers that do not change')).not.toContain('does not begin at 0');
    expect(hard('a level far from zero')).toContain('The axis does not start at 0.');
    expect(hard('below and above zero')).toContain('>-6 ms<');
  });

  it('draws nothing of an artifact that is no metric, or has no value', () => {
    expect(chartPicture({ type: 'logs', data: { dataPoints: [] } }, undefined)).toBeNull();
    expect(chartPicture({ type: 'metric' }, undefined)).toBeNull();
    expect(chartPicture(metric([null, Number.NaN, Number.POSITIVE_INFINITY]), undefined)).toBeNull();
  });

  it('stays small over 100,000 points', () => {
    expect(hard('a hundred thousand points').length).toBeLessThan(30_000);
  });

  it('takes whatever a service answers: sound, and within the page', () => {
    fc.assert(
      fc.property(
        anyMetric,
        fc.option(fc.constantFrom(TRIGGERED_AT, 0, 1_782_000_000_000), { nil: undefined }),
        (artifact, triggeredAt) => {
          const picture = chartPicture(artifact, triggeredAt);
          if (picture) expect(problemsOf(picture)).toEqual([]);
        },
      ),
      { numRuns: runs(250) },
    );
  });

  it.each([
    [[1e29, -1e29]],
    [[1e-300, 2e-300]],
    [[0]],
    [[-5, -5, -5]],
    [[Number.MAX_SAFE_INTEGER]],
    [[99.99, 100]],
  ])('is sound for %j in every unit', (values) => {
    for (const unit of ['', '1', '%', 'ms', 'ns', 'd', 'By', 'GiBy', '{request}/s', 'Cel', 'By/s', 'rps']) {
      const picture = chartPicture(metric(values, { unit }), TRIGGERED_AT);
      expect(picture && problemsOf(picture), unit).toEqual([]);
    }
  });
});
