import { z } from 'zod';
import { confirm, option, optionGroup, text } from '../blocks/schema.ts';

const action_id = z.string().default('');
const focus_on_load = z.boolean().default(false);
const typed = {
  action_id,
  focus_on_load,
  placeholder: text.optional(),
  initial_value: z.string().optional(),
  max_length: z.number().optional(),
  dispatch_action_config: z
    .object({ trigger_actions_on: z.array(z.string()).default(['on_enter_pressed']) })
    .optional(),
};
const chosen = {
  action_id,
  confirm: confirm.optional(),
  focus_on_load,
  placeholder: text.optional(),
  options: z.array(option).default([]),
  option_groups: z.array(optionGroup).default([]),
};

const textInput = z.object({
  ...typed,
  type: z.enum(['plain_text_input', 'number_input', 'url_text_input', 'email_text_input']),
  multiline: z.boolean().default(false),
});

const oneOf = z.object({
  ...chosen,
  type: z.enum(['static_select', 'radio_buttons']),
  initial_option: option.optional(),
});

const someOf = z.object({
  ...chosen,
  type: z.enum(['multi_static_select', 'checkboxes']),
  initial_options: z.array(option).default([]),
});

const picker = z.object({
  action_id,
  confirm: confirm.optional(),
  focus_on_load,
  placeholder: text.optional(),
  type: z.enum([
    'datepicker',
    'timepicker',
    'datetimepicker',
    'users_select',
    'channels_select',
    'conversations_select',
  ]),
  initial_date: z.string().optional(),
  initial_time: z.string().optional(),
  initial_date_time: z.number().optional(),
  initial_user: z.string().optional(),
  initial_channel: z.string().optional(),
  initial_conversation: z.string().optional(),
});

/** A list whose options come from the app. */
const external = z.object({
  action_id,
  confirm: confirm.optional(),
  focus_on_load,
  placeholder: text.optional(),
  type: z.enum(['external_select', 'multi_external_select']),
  min_query_length: z.number().default(3),
  initial_option: option.optional(),
  initial_options: z.array(option).default([]),
});

/** An element with a value. */
export const inputElement = z.discriminatedUnion('type', [textInput, oneOf, someOf, picker, external]);

/** An `input` block; its element may be unknown to the page. */
export const inputBlock = z.object({
  type: z.literal('input'),
  block_id: z.string().default(''),
  label: text,
  element: z.unknown(),
  hint: text.nullish(),
  optional: z.boolean().default(false),
  dispatch_action: z.boolean().default(false),
});

/** The other places of an input: beside a section, or among actions. */
export const inputHolder = z.object({
  block_id: z.string().default(''),
  element: z.unknown().optional(),
  accessory: z.unknown().optional(),
  elements: z.array(z.unknown()).default([]),
  child_blocks: z.array(z.unknown()).default([]),
});

export type TextInputElement = z.infer<typeof textInput>;
export type OneOfElement = z.infer<typeof oneOf>;
export type SomeOfElement = z.infer<typeof someOf>;
export type PickerElement = z.infer<typeof picker>;
export type ExternalElement = z.infer<typeof external>;
export type InputElement = z.infer<typeof inputElement>;
export type InputBlock = z.infer<typeof inputBlock>;
type Option = z.infer<typeof option>;

/** The value of an input, as in Slack's payloads. */
export type ElementState =
  | { type: TextInputElement['type']; value: string | null }
  | { type: OneOfElement['type'] | 'external_select'; selected_option: Option | null }
  | { type: SomeOfElement['type'] | 'multi_external_select'; selected_options: Option[] }
  | PickedState;

/** The value of a picker: a day, a time of day, a time in seconds since the epoch, an id. */
export type PickedState =
  | { type: 'datepicker'; selected_date: string | null }
  | { type: 'timepicker'; selected_time: string | null }
  | { type: 'datetimepicker'; selected_date_time: number | null }
  | { type: 'users_select'; selected_user: string | null }
  | { type: 'channels_select'; selected_channel: string | null }
  | { type: 'conversations_select'; selected_conversation: string | null };

/** The values of a modal's inputs, by `block_id` and `action_id`. */
export type Values = Record<string, Record<string, ElementState>>;

const label = text.transform(({ text: words }) => words);

/** The texts around a modal's body; malformed ones count as missing. */
export const viewFrame = z.object({
  title: label.catch(''),
  submit: label.nullable().catch(null).default(null),
  close: label.nullable().catch(null).default(null),
});
