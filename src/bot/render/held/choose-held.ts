import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean } from '../escape.ts';
import { limits } from '../limits.ts';
import { fitModal } from '../modal.ts';
import { nothingWaits } from '../notices.ts';
import { section, withoutCharts } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';
import { count } from '../words.ts';
import { alertsOf, type HeldProblemView } from './held-view.ts';

/** How many problems fit in a modal: nine rows of ten. */
const MAX_PROBLEMS = 90;
const PART_MAX = 24;

/** Prefix of the checkbox blocks' ids, followed by their number. */
export const CHOSEN = 'problems';

/** State for the submission. */
export interface ChooseHeldMetadata {
  hold: string;
  channel: string;
}

/** *Choose*: checkboxes for the problems of a held batch, waiting ones first, newest first. */
export function chooseHeld(about: ChooseHeldMetadata, problems: readonly HeldProblemView[]): ModalView {
  const of = (wanted: HeldProblemView['state']) => problems.filter(({ state }) => state === wanted);
  const all = [...of('waiting'), ...of('recovered')];
  const shown = all.slice(0, MAX_PROBLEMS);
  const others = all.slice(MAX_PROBLEMS);
  const more =
    others.length === 0
      ? []
      : [
          section(
            `Showing the newest ${MAX_PROBLEMS}. ${alertsOf(others)} are not listed: come back after these, or press *File all*.`,
          ),
        ];
  return fitModal({
    callbackId: viewIds.chooseHeld,
    title: 'Choose alerts to file',
    submit: 'File',
    privateMetadata: JSON.stringify(about),
    blocks: [
      section('Each alert you select becomes its own issue. Unselected alerts stay on hold.'),
      ...more,
      ...inputs(shown),
    ],
  });
}

/** Shown instead of the modal if nothing is left to file, or this person may not. */
export function chooseNothing(): ModalView {
  return fitModal({
    callbackId: viewIds.chooseHeld,
    title: 'Choose alerts to file',
    blocks: withoutCharts(nothingWaits().blocks),
  });
}

function inputs(problems: readonly HeldProblemView[]): InputBlock[] {
  const blocks: InputBlock[] = [];
  for (let from = 0; from < problems.length; from += limits.choices) {
    const some = problems.slice(from, from + limits.choices);
    blocks.push({
      type: 'input',
      block_id: `${CHOSEN}:${blocks.length}`,
      optional: true,
      label: { type: 'plain_text', text: `${from + 1} to ${from + some.length}` },
      element: { type: 'checkboxes', action_id: CHOSEN, options: some.map(option) },
    });
  }
  return blocks;
}

function option({ key, title, service, tool, messages, state }: HeldProblemView): PlainTextOption {
  const facts = [
    state === 'recovered' ? 'recovered' : null,
    count(messages, 'alert'),
    short(service),
    short(tool),
  ];
  return {
    text: { type: 'plain_text', text: oneLine(clean(title ?? '')) || 'Alert without a title', emoji: false },
    description: {
      type: 'plain_text',
      text: cutAtWord(facts.filter(Boolean).join(' · '), limits.optionText),
      emoji: false,
    },
    value: key,
  };
}

function short(name: string | null): string {
  return cutAtWord(oneLine(clean(name ?? '')), PART_MAX);
}
