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

/** Blocks that some workspaces do not have yet; each has a fallback. */
export const NEWER_BLOCKS = ['container', 'data_table', 'data_visualization', 'plan'] as const;
export type NewerBlock = (typeof NEWER_BLOCKS)[number];

/** Whether a type of block is one of those. */
export function isNewerBlock(type: string | undefined): type is NewerBlock {
  return NEWER_BLOCKS.some((one) => one === type);
}

/** The blocks that a view may hold too. */
export function withoutCharts(blocks: readonly MessageBlock[]): KnownBlock[] {
  return blocks.filter((block) => block.type !== 'data_visualization');
}
