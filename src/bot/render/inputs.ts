import type { InputBlock, PlainTextElement } from '@slack/types';

/** A field of a modal. `name` is its `block_id`, and if nothing listens to it the `action_id` too; texts are plain. */
interface Field {
  name: string;
  label: string;
  hint?: string;
}

/** Plain text, which Slack shows as it is. */
export function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: true };
}

/** A field with a custom element. */
export function field(
  { name, label, hint }: Field,
  element: InputBlock['element'],
  optional = false,
): InputBlock {
  return {
    type: 'input',
    block_id: name,
    label: plain(label),
    ...(hint === undefined ? {} : { hint: plain(hint) }),
    element,
    ...(optional ? { optional } : {}),
  };
}

/** Radio buttons; `options` are labels by value. */
export function radio(of: Field, chosen: string, options: Readonly<Record<string, string>>): InputBlock {
  const { all, initial } = offered(options, chosen);
  return field(of, { type: 'radio_buttons', action_id: of.name, options: all, ...initial });
}

/** A select menu; `options` are labels by value. */
export function select(of: Field, chosen: string, options: Readonly<Record<string, string>>): InputBlock {
  const { all, initial } = offered(options, chosen);
  return field(of, { type: 'static_select', action_id: of.name, options: all, ...initial });
}

/** A menu in which several may be chosen; `options` are labels by value. */
export function selectMany(
  of: Field,
  chosen: readonly string[],
  options: Readonly<Record<string, string>>,
): InputBlock {
  const { all } = offered(options, '');
  const initial = all.filter(({ value }) => chosen.includes(value));
  return field(
    of,
    {
      type: 'multi_static_select',
      action_id: of.name,
      options: all,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    },
    true,
  );
}

/** A checkbox; `says` is its label. */
export function checkbox(of: Field, checked: boolean, text: string): InputBlock {
  const option = { text: plain(text), value: 'yes' };
  const initial = checked ? { initial_options: [option] } : {};
  return field(of, { type: 'checkboxes', action_id: of.name, options: [option], ...initial }, true);
}

/** A whole number within bounds; `value` is as it was typed. */
export function wholeNumber(
  of: Field,
  value: string,
  { min, max }: { min: number; max: number },
): InputBlock {
  return field(of, {
    type: 'number_input',
    action_id: of.name,
    is_decimal_allowed: false,
    min_value: String(min),
    max_value: String(max),
    ...(value === '' ? {} : { initial_value: value }),
  });
}

function offered(options: Readonly<Record<string, string>>, chosen: string) {
  const all = Object.entries(options).map(([value, label]) => ({ text: plain(label), value }));
  const initial = all.find(({ value }) => value === chosen);
  return { all, initial: initial ? { initial_option: initial } : {} };
}
