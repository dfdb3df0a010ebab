import { describe, expect, it } from 'vitest';
import {
  browserForTests,
  chromiumPath,
  contrastProblems,
  namingProblems,
  openPage,
  picture,
} from '../../testing/browser.ts';
import { clientOf, testWorkspace } from '../../testing/index.ts';

const TIMES = ['10:00', '10:05', '10:10', '10:15'];
const points = (values: number[]) => TIMES.map((label, at) => ({ label, value: values[at] ?? 0 }));
const axes = (type: 'line' | 'bar' | 'area') => ({
  type: 'data_visualization',
  title: `Errors as ${type}`,
  chart: {
    type,
    axis_config: { categories: TIMES, x_label: 'UTC', y_label: 'errors' },
    series: [
      { name: 'checkout', data: points([3, 41, 38, 12]) },
      { name: 'payments', data: points([1, 12, -4, 0]) },
    ],
  },
});
const PIE = {
  type: 'data_visualization',
  title: 'Errors by service',
  chart: {
    type: 'pie',
    segments: [
      { label: 'checkout', value: 41 },
      { label: 'payments', value: 12 },
    ],
  },
};

describe.skipIf(chromiumPath() === null)('charts on the page', () => {
  const browser = browserForTests();

  it('are drawn with an accessible name, and can be read as a table', async () => {
    const workspace = await testWorkspace();
    const client = clientOf(workspace);
    const channel = workspace.channels.alerts;
    // A message holds two.
    for (const blocks of [
      [axes('line'), axes('bar')],
      [axes('area'), PIE],
    ]) {
      await client.apiCall('chat.postMessage', { channel, text: 'Errors', blocks });
    }
    const page = await openPage(browser, workspace);
    await page.setViewportSize({ width: 1280, height: 1800 });
    for (const name of ['Errors as line', 'Errors as bar', 'Errors as area', 'Errors by service']) {
      await page.getByRole('img', { name }).waitFor();
    }
    expect(await page.getByText('cannot draw').count()).toBe(0);
    expect(await contrastProblems(page.locator('body'))).toEqual([]);
    expect(await namingProblems(page)).toEqual([]);
    await picture(page, 'charts');

    await page.getByRole('button', { name: 'View as table' }).first().click();
    await page.getByRole('columnheader', { name: 'payments' }).waitFor();
    expect(await page.getByRole('cell', { name: '41' }).count()).toBeGreaterThan(0);
  });

  it('show no labels over each other, and always the one that is marked', async () => {
    const workspace = await testWorkspace();
    const labels = Array.from({ length: 20 }, (_, at) => (at === 14 ? '▲ 19:55' : `19:${10 + at}`));
    const series = [{ name: 'p95', data: labels.map((label, value) => ({ label, value })) }];
    const chart = { type: 'line', axis_config: { categories: labels, x_label: 'UTC' }, series };
    const blocks = [{ type: 'data_visualization', title: 'Latency', chart }];
    await clientOf(workspace).apiCall('chat.postMessage', {
      channel: workspace.channels.alerts,
      text: 'Latency',
      blocks,
    });
    const page = await openPage(browser, workspace);
    await page.getByRole('img', { name: 'Latency' }).waitFor();
    const shown = page.locator('svg[role="img"] > text').filter({ visible: true, hasText: /\d\d:\d\d/u });
    await expect.poll(() => shown.count()).toBeLessThan(20);
    const boxes = await shown.evaluateAll((all) =>
      all.map((text) => text.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
    );
    expect(boxes.filter(({ right }, at) => right > (boxes[at + 1]?.left ?? right))).toEqual([]);
    expect(await shown.allTextContents()).toContain('▲ 19:55');
  });
});
