import type { ModalView } from '@slack/types';
import { fitModal } from './modal.ts';
import { withoutCharts } from './newer-blocks.ts';
import type { Rendered } from './rendered.ts';

/** What is in a modal instead of its form: why what was sent cannot be done. */
export function sentenceModal({ blocks }: Rendered): ModalView {
  return fitModal({ callbackId: 'sentence', title: 'Gumshoe', blocks: withoutCharts(blocks) });
}
