import { describe, expect, it } from 'vitest';
import { chosenIn, toggled, valuesOf } from '../../page/modal/values.ts';

const option = (value: string) => ({ text: { type: 'plain_text', text: value.toUpperCase() }, value });
const input = (block_id: string, element: object) => ({
  type: 'input',
  block_id,
  label: { type: 'plain_text', text: block_id },
  element: { action_id: 'held', ...element },
});
const text = (rest = {}) => ({ type: 'plain_text_input', ...rest });
const select = (values: string[], rest = {}) => ({
  type: 'static_select',
  options: values.map(option),
  ...rest,
});
const boxes = (values: string[], rest = {}) => ({ type: 'checkboxes', options: values.map(option), ...rest });

describe('what the inputs of a modal hold', () => {
  it('begins with what the app gave, else with nothing', () => {
    const blocks = [
      input('a', text()),
      input('b', text({ initial_value: 'x' })),
      input('c', select(['low', 'high'], { initial_option: option('high') })),
      input('d', select(['low'])),
      input('e', boxes(['p', 'q'], { initial_options: [option('q')] })),
      { type: 'section', block_id: 'f', accessory: { action_id: 'beside', ...select(['low']) } },
      {
        type: 'actions',
        block_id: 'g',
        elements: [
          { type: 'button', action_id: 'press' },
          { action_id: 'among', ...boxes(['p']) },
        ],
      },
      { type: 'divider' },
      input('h', { type: 'hologram' }),
    ];
    expect(valuesOf(blocks)).toEqual({
      a: { held: { type: 'plain_text_input', value: null } },
      b: { held: { type: 'plain_text_input', value: 'x' } },
      c: { held: { type: 'static_select', selected_option: option('high') } },
      d: { held: { type: 'static_select', selected_option: null } },
      e: { held: { type: 'checkboxes', selected_options: [option('q')] } },
      f: { beside: { type: 'static_select', selected_option: null } },
      g: { among: { type: 'checkboxes', selected_options: [] } },
    });
  });

  it('keeps what was put in where block, action and kind stay, whatever the app now begins with', () => {
    const before = {
      a: { held: { type: 'plain_text_input' as const, value: 'typed' } },
      b: { held: { type: 'plain_text_input' as const, value: 'typed' } },
      c: { other: { type: 'plain_text_input' as const, value: 'typed' } },
      d: { held: { type: 'plain_text_input' as const, value: null } },
      gone: { held: { type: 'plain_text_input' as const, value: 'typed' } },
    };
    const blocks = [
      input('a', text({ initial_value: 'x' })),
      input('b', { type: 'number_input', initial_value: '7' }),
      input('c', text({ initial_value: 'x' })),
      input('d', text({ initial_value: 'x' })),
    ];
    expect(valuesOf(blocks, before)).toEqual({
      a: { held: { type: 'plain_text_input', value: 'typed' } },
      b: { held: { type: 'number_input', value: '7' } },
      c: { held: { type: 'plain_text_input', value: 'x' } },
      d: { held: { type: 'plain_text_input', value: null } },
    });
  });

  it('lets go of options that are offered no more', () => {
    const before = {
      a: { held: { type: 'static_select' as const, selected_option: option('low') } },
      b: { held: { type: 'static_select' as const, selected_option: option('high') } },
      c: { held: { type: 'checkboxes' as const, selected_options: [option('p'), option('q')] } },
    };
    const blocks = [
      input('a', select(['high', 'top'], { initial_option: option('top') })),
      input('b', {
        ...select([]),
        option_groups: [{ label: { type: 'plain_text', text: 'G' }, options: [option('high')] }],
      }),
      input('c', boxes(['q', 'r'])),
    ];
    expect(valuesOf(blocks, before)).toEqual({
      a: { held: { type: 'static_select', selected_option: option('top') } },
      b: { held: { type: 'static_select', selected_option: option('high') } },
      c: { held: { type: 'checkboxes', selected_options: [option('q')] } },
    });
  });

  it('adds and takes away single options, in the order they are offered', () => {
    const element = {
      type: 'checkboxes' as const,
      action_id: 'held',
      focus_on_load: false,
      options: ['p', 'q', 'r'].map(option),
      option_groups: [],
      initial_options: [],
    };
    const both = toggled(element, new Set(['r']), option('p'));
    expect(both).toEqual({ type: 'checkboxes', selected_options: [option('p'), option('r')] });
    expect(toggled(element, chosenIn(both), option('r'))).toEqual({
      type: 'checkboxes',
      selected_options: [option('p')],
    });
  });
});
