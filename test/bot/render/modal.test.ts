import type { KnownBlock } from '@slack/types';
import { checkModal } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { checkbox, field, radio, select, wholeNumber } from '../../../src/bot/render/inputs.ts';
import { fitModal } from '../../../src/bot/render/modal.ts';
import { section } from '../../../src/bot/render/rendered.ts';

const labels = (n: number) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`v${i}`, `${'word '.repeat(20)}${i}`]));

/** The modal, which Slack's limits as the local workspace knows them must let through. */
function fitted(blocks: readonly KnownBlock[]) {
  const view = fitModal({ callbackId: 'a:b', title: 'Title', submit: 'Send', blocks });
  expect(() => checkModal(JSON.parse(JSON.stringify(view)))).not.toThrow();
  return view;
}

describe('a modal', () => {
  it('has its texts, what it remembers, and its blocks', () => {
    expect(
      fitModal({
        callbackId: 'settings:save',
        title: 'Settings',
        submit: 'Save',
        privateMetadata: '{"channel":"C1"}',
        blocks: [section('Hello')],
      }),
    ).toEqual({
      type: 'modal',
      callback_id: 'settings:save',
      title: { type: 'plain_text', text: 'Settings', emoji: true },
      submit: { type: 'plain_text', text: 'Save', emoji: true },
      close: { type: 'plain_text', text: 'Cancel', emoji: true },
      private_metadata: '{"channel":"C1"}',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello', verbatim: true } }],
    });
  });

  it('that only tells something is closed, not cancelled', () => {
    const { submit, close } = fitModal({ callbackId: 'a', title: 'a', blocks: [section('a')] });
    expect([submit, close?.text]).toEqual([undefined, 'Close']);
  });

  it('has its title and buttons cut to 24 characters, at a word', () => {
    const long = 'Stop watching channels for ever';
    const { title, submit, close } = fitModal({
      callbackId: 'a',
      title: long,
      submit: long,
      close: long,
      blocks: [],
    });
    expect([title.text, submit?.text, close?.text]).toEqual(Array(3).fill('Stop watching channels…'));
  });

  it('cannot remember more than Slack takes: a part of it would say something else', () => {
    const modal = { callbackId: 'a', title: 'a', blocks: [] };
    expect(() => fitModal({ ...modal, privateMetadata: 'x'.repeat(3001) })).toThrow(RangeError);
    expect(fitModal({ ...modal, privateMetadata: 'x'.repeat(3000) }).private_metadata).toHaveLength(3000);
  });
});

describe('the blocks of a modal', () => {
  it('are a hundred at most: what only tells something goes first, and a line says how many', () => {
    const telling = Array.from({ length: 100 }, (_, i) => section(`line ${i}`));
    const input = checkbox({ name: 'yes', label: 'Yes' }, true, 'Really');
    const { blocks } = fitted([...telling, input]);
    expect(blocks).toHaveLength(100);
    expect(blocks.at(-3)).toMatchObject({ text: { text: 'line 97' } });
    expect(blocks.at(-2)).toMatchObject({ type: 'input', block_id: 'yes' });
    expect(JSON.stringify(blocks.at(-1))).toContain('… shortened: 2 more parts');
  });

  it('are never larger together than Slack takes', () => {
    const { blocks } = fitted(Array.from({ length: 100 }, () => section('é'.repeat(2900))));
    expect(Buffer.byteLength(JSON.stringify(blocks))).toBeLessThan(245_000);
    expect(JSON.stringify(blocks.at(-1))).toMatch(/shortened: \d+ more parts/);
  });

  it('that would show nothing are left off', () => {
    expect(fitted([section(' '), section('a')]).blocks).toHaveLength(1);
  });
});

describe('the fields of a modal', () => {
  it('have texts within the limits', () => {
    const long = 'word '.repeat(1000);
    const [block] = fitted([
      field(
        { name: 'text', label: long, hint: long },
        {
          type: 'plain_text_input',
          action_id: 'text',
          max_length: 100,
          initial_value: long,
          placeholder: { type: 'plain_text', text: long },
        },
      ),
    ]).blocks;
    expect(block).toMatchObject({ element: { initial_value: expect.stringMatching(/^word .{50,94}…$/) } });
  });

  it('begin without a value where there is none', () => {
    const { blocks } = fitted([
      field({ name: 'a', label: 'a' }, { type: 'plain_text_input', action_id: 'a', initial_value: '' }),
      wholeNumber({ name: 'b', label: 'b' }, '', { min: 1, max: 2 }),
    ]);
    expect(JSON.stringify(blocks)).not.toContain('initial_value');
  });

  it.each([
    ['a menu', select({ name: 'a', label: 'a' }, 'v1', labels(150)), 100],
    ['radio buttons', radio({ name: 'a', label: 'a' }, 'v1', labels(15)), 10],
  ])(
    '%s has no more options than Slack takes, and what is chosen is among them as it is shown',
    (_, input, most) => {
      const [block] = fitted([input]).blocks;
      const element = block && 'element' in block ? block.element : undefined;
      if (element?.type !== 'static_select' && element?.type !== 'radio_buttons')
        throw new Error('another element');
      expect(element.options).toHaveLength(most);
      expect(element.initial_option).toEqual(element.options?.[1]);
      expect(element.options?.[1]?.text.text.length).toBeLessThanOrEqual(75);
    },
  );

  it('choose nothing at first where what was chosen is not offered', () => {
    const [block] = fitted([select({ name: 'a', label: 'a' }, 'v120', labels(150))]).blocks;
    expect(JSON.stringify(block)).not.toContain('initial_option');
  });

  it('several of which are ticked stay ticked', () => {
    const options = Object.entries(labels(12)).map(([value, text]) => ({
      text: { type: 'plain_text' as const, text },
      value,
    }));
    const [block] = fitted([
      field(
        { name: 'a', label: 'a' },
        { type: 'checkboxes', action_id: 'a', options, initial_options: options.slice(8) },
      ),
    ]).blocks;
    const element = block && 'element' in block ? block.element : undefined;
    if (element?.type !== 'checkboxes') throw new Error('another element');
    expect(element.options).toHaveLength(10);
    expect(element.initial_options?.map(({ value }) => value)).toEqual(['v8', 'v9']);
  });
});
