import fc from 'fast-check';
import { checkBlocks } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { slackChart } from '../../../../src/bot/render/charts/slack-chart.ts';
import { asPlainText } from '../../../../src/bot/render/plain.ts';
import { renderResults } from '../../../../src/bot/render/results/results.ts';
import { runs } from '../../../support/property-runs.ts';
import { resultsView } from '../../../support/views.ts';
import { anyMetric } from './arbitrary.ts';

const AT = Date.UTC(2026, 10, 20, 14, 0);
const point = (minute: number, asDouble: number, pod?: string) => ({
  timeUnixNano: `${AT + minute * 60_000}000000`,
  asDouble,
  ...(pod === undefined ? {} : { attributes: [{ key: 'pod', value: { stringValue: pod } }] }),
});
const metric = (dataPoints: object[], more: object = {}) => ({
  type: 'metric',
  data: { name: 'pool_waiting', unit: 'ms', dataPoints, ...more },
});

describe('a chart that Slack draws', () => {
  it('has a value of each series at each time', () => {
    const chart = slackChart(
      metric([point(0, 1, 'a'), point(1, 3.54321, 'a'), point(2, 2, 'a'), point(1, 7, 'b')]),
    );
    expect(chart).toEqual({
      type: 'data_visualization',
      title: 'pool_waiting',
      chart: {
        type: 'line',
        axis_config: { categories: ['14:00', '14:01', '14:02'], x_label: 'UTC', y_label: 'ms' },
        series: [
          {
            name: 'a',
            data: [
              { label: '14:00', value: 1 },
              { label: '14:01', value: 3.543 },
              { label: '14:02', value: 2 },
            ],
          },
          {
            name: 'b',
            data: [
              { label: '14:00', value: 7 },
              { label: '14:01', value: 7 },
              { label: '14:02', value: 7 },
            ],
          },
        ],
      },
    });
  });

  it('has at most twenty points, each the one of its stretch that is farthest from what is usual', () => {
    const chart = slackChart(metric(Array.from({ length: 200 }, (_, minute) => point(minute, minute))));
    const [series] = chart?.chart.series ?? [];
    expect(series?.data).toHaveLength(20);
    const values = series?.data.map(({ value }) => value) ?? [];
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect([values[0], values.at(-1)]).toEqual([0, 199]);
  });

  it('shows a peak that lasted one of two hundred minutes', () => {
    const values = Array.from({ length: 200 }, (_, minute) => point(minute, minute === 71 ? 18.7 : 0.2));
    const [series] = slackChart(metric(values))?.chart.series ?? [];
    expect(series?.data.map(({ value }) => value)).toContain(18.7);
  });

  it('marks a change at its time, and names it once', () => {
    const change = { at: AT + 60_500, title: 'Deploy payments 1.186.95 (was 1.185.95) of <!here>' };
    const chart = slackChart(metric([point(0, 1), point(1, 2), point(2, 3)]), [change])?.chart;
    expect(chart?.axis_config.categories).toEqual(['14:00', '▲ 14:01', '14:02']);
    expect(chart?.axis_config.x_label).toBe('UTC · ▲ Deploy payments 1.186.95 (was 1.185.95)…');
  });

  it('leaves out the time in which nothing was measured', () => {
    const chart = slackChart(metric([point(0, 1), point(1, 2), point(30, 3), point(31, 4)]))?.chart;
    expect(chart?.axis_config.categories).toEqual(['14:00', '14:31']);
  });

  it('shows shares as percentages', () => {
    const chart = slackChart(metric([point(0, 0.0025), point(1, 0.254)], { unit: '1' }))?.chart;
    expect(chart?.axis_config.y_label).toBe('%');
    expect(chart?.series[0]?.data.map(({ value }) => value)).toEqual([0.25, 25.4]);
  });

  it('names the day where the times are of several', () => {
    const chart = slackChart(metric([point(0, 1), point(3 * 24 * 60, 2)]));
    expect(chart?.chart.axis_config.categories).toEqual(['20 Nov 14:00', '23 Nov 14:00']);
  });

  it('is none of what is no metric, or has no value', () => {
    expect(slackChart({ type: 'logs', data: {} })).toBeNull();
    expect(slackChart(metric([]))).toBeNull();
  });

  it('stands in the results, and is left out where Slack refuses newer blocks', () => {
    const results = { rootCause: { rootCauseSummary: 'The pool is full.' } };
    const types = renderResults(resultsView(results, { metrics: [metric([point(0, 1), point(1, 2)])] })).map(
      ({ blocks, plainer }) =>
        [blocks, plainer ?? []].map(
          (some) => some.filter(({ type }) => type === 'data_visualization').length,
        ),
    );
    expect(types).toEqual([[1, 0]]);
  });

  it('is a line of words where Slack refuses the blocks', () => {
    const drawn = slackChart(metric([point(0, 1), point(1, 40), point(2, 5)], { name: '<!here> & co' }));
    const blocks = drawn === null ? [] : [drawn];
    expect(asPlainText({ text: 'x', blocks })).toEqual({
      text: '‹!here&gt; &amp; co, ms (‹!here&gt; &amp; co: from 1 to 40, last 5)',
    });
  });

  it('stays within Slack’s limits whatever the metric holds', () => {
    fc.assert(
      fc.property(anyMetric, (artifact) => {
        const chart = slackChart(artifact);
        if (chart === null) return;
        expect(() => checkBlocks(JSON.parse(JSON.stringify([chart])))).not.toThrow();
      }),
      { numRuns: runs(300) },
    );
  });
});
