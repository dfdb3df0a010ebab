import type { InputBlock, KnownBlock, ModalView, Option, PlainTextElement } from '@slack/types';
import { cutAtWord } from '../../lib/text.ts';
import { label as labelled } from './escape.ts';
import { fitBlock } from './fit.ts';
import { limits } from './limits.ts';
import { context, type Rendered, withoutCharts } from './rendered.ts';

/** The parts of a modal. `title`, `submit`, `close`, labels, hints and options are plain text; mrkdwn is escaped. */
export interface Modal {
  /** One of `viewIds`. */
  callbackId: string;
  title: string;
  /** The submit button; Slack requires one if there is an input. */
  submit?: string;
  close?: string;
  /** State for the submission, which must verify it: at most 3,000 characters. */
  privateMetadata?: string;
  notifyOnClose?: boolean;
  blocks: readonly KnownBlock[];
}

/**
 * Brings a modal within every limit of Slack's, as `fitMessage` does a message. Texts too long are cut at a word;
 * blocks too many are left off, those that only tell something first, and a line says how many.
 *
 * @throws RangeError if `privateMetadata` is too long: truncated, it would mean something else.
 */
export function fitModal(modal: Modal): ModalView {
  const { privateMetadata = '' } = modal;
  if (privateMetadata.length > limits.viewMetadata) {
    throw new RangeError(
      `A modal can remember ${limits.viewMetadata} characters, not ${privateMetadata.length}: keep ids in it, and the rest in the store`,
    );
  }
  return {
    type: 'modal',
    callback_id: modal.callbackId,
    title: plainText(modal.title || 'Gumshoe', limits.viewTitle),
    ...(modal.submit === undefined ? {} : { submit: plainText(modal.submit, limits.viewTitle) }),
    close: plainText(modal.close ?? (modal.submit === undefined ? 'Close' : 'Cancel'), limits.viewTitle),
    private_metadata: privateMetadata,
    ...(modal.notifyOnClose === true ? { notify_on_close: true } : {}),
    blocks: fitTogether(
      modal.blocks.flatMap((block) => (block.type === 'input' ? fitInput(block) : fitBlock(block))),
    ),
  };
}

function fitTogether(blocks: KnownBlock[]): KnownBlock[] {
  if (fits(blocks)) return blocks;
  const kept = [...blocks];
  const note = () => context(`… shortened: ${blocks.length - kept.length} more parts`);
  while (kept.length > 0 && !fits([...kept, note()])) {
    const removable = kept.findLastIndex(({ type }) => type !== 'input' && type !== 'actions');
    kept.splice(removable < 0 ? kept.length - 1 : removable, 1);
  }
  return [...kept, note()];
}

function fits(blocks: readonly KnownBlock[]): boolean {
  return (
    blocks.length <= limits.blocksPerView && Buffer.byteLength(JSON.stringify(blocks)) <= limits.viewBytes
  );
}

function fitInput(block: InputBlock): InputBlock {
  const { label, hint, ...rest } = block;
  return {
    ...rest,
    label: plainText(label.text, limits.inputText),
    ...(hint ? { hint: plainText(hint.text, limits.inputText) } : {}),
    element: fitElement(block.element),
  };
}

function fitElement(element: InputBlock['element']): InputBlock['element'] {
  switch (element.type) {
    case 'plain_text_input': {
      const { initial_value: initial = '', placeholder, ...rest } = element;
      const max = Math.min(element.max_length ?? limits.inputValue, limits.inputValue);
      return {
        ...rest,
        ...(initial === '' ? {} : { initial_value: cutAtWord(initial.toWellFormed(), max) }),
        ...(placeholder?.text.trim() ? { placeholder: plainText(placeholder.text, limits.placeholder) } : {}),
      };
    }
    case 'static_select': {
      const { options, initial_option: initial, ...rest } = element;
      return options ? { ...rest, ...chosenOne(options, initial, limits.options) } : element;
    }
    case 'radio_buttons': {
      const { options, initial_option: initial, ...rest } = element;
      return { ...rest, ...chosenOne(options, initial, limits.choices) };
    }
    case 'multi_static_select': {
      const { options, initial_options: initial, ...rest } = element;
      return options ? { ...rest, ...chosenMany(options, initial, limits.options) } : element;
    }
    case 'checkboxes': {
      const { options, initial_options: initial, ...rest } = element;
      return { ...rest, ...chosenMany(options, initial, limits.choices) };
    }
    default:
      return element;
  }
}

// The initial choice must equal one of the options exactly.
function chosenMany<T extends Option>(all: readonly T[], initial: readonly T[] | undefined, max: number) {
  const options = all.slice(0, max).map(fitOption);
  const chosen = options.filter(({ value }) => initial?.some((one) => one.value === value));
  return { options, ...(chosen.length > 0 ? { initial_options: chosen } : {}) };
}

function chosenOne<T extends Option>(all: readonly T[], initial: T | undefined, max: number) {
  const { options, initial_options } = chosenMany(all, initial ? [initial] : [], max);
  return { options, ...(initial_options?.[0] ? { initial_option: initial_options[0] } : {}) };
}

// Values are never cut: two options could become the same.
function fitOption<T extends Option>(option: T): T {
  const { text, description } = option;
  return {
    ...option,
    text: { ...text, text: cutAtWord(labelled(text.text), limits.optionText) },
    ...(description
      ? { description: { ...description, text: cutAtWord(labelled(description.text), limits.optionText) } }
      : {}),
  };
}

function plainText(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: cutAtWord(labelled(text), max), emoji: true };
}

/** What is in a modal instead of its form: why what was sent cannot be done. */
export function sentenceModal({ blocks }: Rendered): ModalView {
  return fitModal({ callbackId: 'sentence', title: 'Gumshoe', blocks: withoutCharts(blocks) });
}
