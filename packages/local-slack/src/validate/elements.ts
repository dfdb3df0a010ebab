import { z } from 'zod';
import { LIMITS } from '../limits.ts';

/** A string of 1 to `max` characters. */
export const line = (max: number) => z.string().min(1).max(max);

/** A `plain_text` object of at most `max` characters. */
export const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: line(max), emoji: z.boolean().optional() });

/** A `mrkdwn` object of at most `max` characters. */
export const mrkdwn = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: line(max), verbatim: z.boolean().optional() });

/** Either text object. */
export const anyText = (max: number) => z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);

export const blockId = z.string().max(LIMITS.blockId).optional();
const actionId = z.string().max(LIMITS.actionId).optional();
const placeholder = plainText(LIMITS.placeholder).optional();

/** The question asked before an element acts. */
const confirm = z
  .strictObject({
    title: plainText(LIMITS.confirmTitle),
    text: anyText(LIMITS.confirmText),
    confirm: plainText(LIMITS.confirmButton),
    deny: plainText(LIMITS.confirmButton),
    style: z.enum(['primary', 'danger']).optional(),
  })
  .optional();

const optionFields = {
  value: line(LIMITS.option),
  description: anyText(LIMITS.option).optional(),
};

/** An option of a select or an overflow menu. */
export const option = z.strictObject({
  text: plainText(LIMITS.option),
  ...optionFields,
  url: line(LIMITS.url).optional(),
});

/** An option of checkboxes or radio buttons, which may be formatted. */
const choice = z.strictObject({ text: anyText(LIMITS.option), ...optionFields });

export const optionGroup = z.strictObject({
  label: plainText(LIMITS.option),
  options: z.array(option).min(1).max(LIMITS.options),
});

const common = { action_id: actionId, confirm };
const focus = z.boolean().optional();
const picking = { ...common, placeholder, focus_on_load: focus };
const many = { max_selected_items: z.int().min(1).optional() };
const ids = z.array(z.string()).optional();

export const button = z.strictObject({
  type: z.literal('button'),
  ...common,
  text: plainText(LIMITS.buttonText),
  value: z.string().max(LIMITS.buttonValue).optional(),
  url: line(LIMITS.url).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: z.string().max(LIMITS.accessibilityLabel).optional(),
});

const OFFERS = { error: 'initial options must be among the options' };

const overflow = z.strictObject({
  type: z.literal('overflow'),
  ...common,
  options: z.array(option).min(1).max(LIMITS.overflowOptions),
});

const options = z.array(option).min(1).max(LIMITS.options).optional();
const groups = z.array(optionGroup).min(1).max(LIMITS.optionGroups).optional();

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...picking,
    options,
    option_groups: groups,
    initial_option: option.optional(),
  })
  .refine(hasOptions, { error: 'missing required field: options' })
  .refine(offersInitial, OFFERS);

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...picking,
    ...many,
    options,
    option_groups: groups,
    initial_options: z.array(option).max(LIMITS.options).optional(),
  })
  .refine(hasOptions, { error: 'missing required field: options' })
  .refine(offersInitial, OFFERS);

type Offered = { value: string };

/** What is chosen at first must be among what is offered. */
function offersInitial(element: {
  options?: readonly Offered[] | undefined;
  option_groups?: readonly { options: readonly Offered[] }[] | undefined;
  initial_option?: Offered | undefined;
  initial_options?: readonly Offered[] | undefined;
}): boolean {
  const { options = [], option_groups = [], initial_option, initial_options = [] } = element;
  const offered = [...options, ...option_groups.flatMap((group) => group.options)].map(({ value }) => value);
  const chosen = initial_option ? [initial_option] : initial_options;
  return chosen.every(({ value }) => offered.includes(value));
}

function hasOptions(element: { options?: unknown; option_groups?: unknown }): boolean {
  return (element.options === undefined) !== (element.option_groups === undefined);
}

const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  ...picking,
  initial_option: option.optional(),
  min_query_length: z.int().min(0).optional(),
});

const multiExternalSelect = z.strictObject({
  type: z.literal('multi_external_select'),
  ...picking,
  ...many,
  initial_options: z.array(option).max(LIMITS.options).optional(),
  min_query_length: z.int().min(0).optional(),
});

const usersSelect = z.strictObject({
  type: z.literal('users_select'),
  ...picking,
  initial_user: z.string().optional(),
});

const multiUsersSelect = z.strictObject({
  type: z.literal('multi_users_select'),
  ...picking,
  ...many,
  initial_users: ids,
});

const channelsSelect = z.strictObject({
  type: z.literal('channels_select'),
  ...picking,
  initial_channel: z.string().optional(),
  response_url_enabled: z.boolean().optional(),
});

const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  ...picking,
  initial_conversation: z.string().optional(),
  default_to_current_conversation: z.boolean().optional(),
  response_url_enabled: z.boolean().optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
});

const choices = z.array(choice).min(1).max(LIMITS.choices);

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...common,
    options: choices,
    initial_options: z.array(choice).max(LIMITS.choices).optional(),
    focus_on_load: focus,
  })
  .refine(offersInitial, OFFERS);

const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    ...common,
    options: choices,
    initial_option: choice.optional(),
    focus_on_load: focus,
  })
  .refine(offersInitial, OFFERS);

const datepicker = z.strictObject({
  type: z.literal('datepicker'),
  ...picking,
  initial_date: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .optional(),
});

const timepicker = z.strictObject({
  type: z.literal('timepicker'),
  ...picking,
  initial_time: z
    .string()
    .regex(/^\d\d:\d\d$/)
    .optional(),
  timezone: z.string().optional(),
});

const datetimepicker = z.strictObject({
  type: z.literal('datetimepicker'),
  ...common,
  initial_date_time: z.int().optional(),
  focus_on_load: focus,
});

const typed = {
  action_id: actionId,
  placeholder,
  focus_on_load: focus,
  dispatch_action_config: z
    .strictObject({
      trigger_actions_on: z
        .array(z.enum(['on_enter_pressed', 'on_character_entered']))
        .min(1)
        .optional(),
    })
    .optional(),
};

const plainTextInput = z.strictObject({
  type: z.literal('plain_text_input'),
  ...typed,
  initial_value: z.string().max(LIMITS.inputText).optional(),
  multiline: z.boolean().optional(),
  min_length: z.int().min(0).max(LIMITS.inputText).optional(),
  max_length: z.int().min(1).max(LIMITS.inputText).optional(),
});

const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .optional();

const numberInput = z.strictObject({
  type: z.literal('number_input'),
  ...typed,
  is_decimal_allowed: z.boolean(),
  initial_value: decimal,
  min_value: decimal,
  max_value: decimal,
});

const urlTextInput = z.strictObject({
  type: z.literal('url_text_input'),
  ...typed,
  initial_value: z.string().optional(),
});

const emailTextInput = z.strictObject({
  type: z.literal('email_text_input'),
  ...typed,
  initial_value: z.string().optional(),
});

const imageSource = {
  image_url: line(LIMITS.imageUrl).optional(),
  slack_file: z
    .strictObject({ id: z.string().optional(), url: z.string().optional() })
    .refine((file) => (file.id === undefined) !== (file.url === undefined), {
      error: 'must have exactly one of: id, url',
    })
    .optional(),
};

/** The fields of an image, as an element or as a block. */
export const imageFields = { ...imageSource, alt_text: line(LIMITS.imageAlt) };

export function hasOneSource(image: { image_url?: unknown; slack_file?: unknown }): boolean {
  return (image.image_url === undefined) !== (image.slack_file === undefined);
}

export const image = z
  .strictObject({ type: z.literal('image'), ...imageFields })
  .refine(hasOneSource, { error: 'must have exactly one of: image_url, slack_file' });

const feedbackButton = z.strictObject({
  text: plainText(LIMITS.buttonText),
  value: line(LIMITS.buttonValue),
  accessibility_label: z.string().max(LIMITS.accessibilityLabel).optional(),
});

export const feedbackButtons = z.strictObject({
  type: z.literal('feedback_buttons'),
  action_id: actionId,
  positive_button: feedbackButton,
  negative_button: feedbackButton,
});

export const iconButton = z.strictObject({
  type: z.literal('icon_button'),
  ...common,
  icon: z.literal('trash'),
  text: plainText(LIMITS.buttonText),
  value: z.string().max(LIMITS.buttonValue).optional(),
  accessibility_label: z.string().max(LIMITS.accessibilityLabel).optional(),
  visible_to_user_ids: ids,
});

/** What a person can choose with, on a message and in a form. */
const choosers = [
  staticSelect,
  multiStaticSelect,
  externalSelect,
  multiExternalSelect,
  usersSelect,
  multiUsersSelect,
  channelsSelect,
  conversationsSelect,
  checkboxes,
  radioButtons,
  datepicker,
  timepicker,
  datetimepicker,
] as const;

/** What a person can choose or press, wherever it is. */
export const interactive = [button, overflow, ...choosers] as const;

/** What an `input` block may ask with. */
export const inputs = [plainTextInput, numberInput, urlTextInput, emailTextInput, ...choosers] as const;
