import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { blockId, line } from './text.ts';

const label = line(LIMITS.chartLabel);

const pie = z.strictObject({
  type: z.literal('pie'),
  segments: z
    .array(z.strictObject({ label, value: z.number().positive() }))
    .min(1)
    .max(LIMITS.chartSeries),
});

const series = z.strictObject({
  name: label,
  data: z
    .array(z.strictObject({ label, value: z.number() }))
    .min(1)
    .max(LIMITS.chartPoints),
});

const axes = z
  .strictObject({
    type: z.enum(['bar', 'area', 'line']),
    series: z.array(series).min(1).max(LIMITS.chartSeries),
    axis_config: z.strictObject({
      categories: z.array(label).min(1).max(LIMITS.chartPoints),
      x_label: line(LIMITS.chartTitle).optional(),
      y_label: line(LIMITS.chartTitle).optional(),
    }),
  })
  .refine((chart) => new Set(chart.series.map(({ name }) => name)).size === chart.series.length, {
    error: 'names of series must be unique',
    path: ['series'],
  })
  .refine(
    ({ series: plotted, axis_config: { categories } }) =>
      plotted.every(({ data }) => data.every((point) => categories.includes(point.label))),
    { error: 'labels of data must be among the categories', path: ['series'] },
  );

/** A chart: a pie, or series over one axis of categories. */
export const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockId,
  title: line(LIMITS.chartTitle),
  chart: z.discriminatedUnion('type', [pie, axes]),
});
