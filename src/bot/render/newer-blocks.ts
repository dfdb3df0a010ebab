import type { Block, KnownBlock } from '@slack/types';

/** The blocks of a message: Slack's types are behind its platform. */
export type MessageBlock = KnownBlock | DataVisualizationBlock;

/** A native chart (`data_visualization`, 2026-06): one value per series and category. */
export interface DataVisualizationBlock extends Block {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'line';
    axis_config: { categories: string[]; x_label?: string; y_label?: string };
    series: { name: string; data: { label: string; value: number }[] }[];
  };
}

/** The blocks that a view may hold too. */
export function withoutCharts(blocks: readonly MessageBlock[]): KnownBlock[] {
  return blocks.filter((block) => block.type !== 'data_visualization');
}
