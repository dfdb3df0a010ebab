import { z } from 'zod';

/** A text object. */
export const text = z.object({ type: z.string(), text: z.string() });
/** The confirmation before an element acts. */
export const confirm = z.object({
  title: text.optional(),
  text: text.optional(),
  confirm: text.optional(),
  deny: text.optional(),
  style: z.string().optional(),
});
/** An option of a list, a menu or a group of checkboxes. */
export const option = z.object({
  text,
  value: z.string().optional(),
  description: text.optional(),
  url: z.string().optional(),
});
/** Options under a label. */
export const optionGroup = z.object({ label: text, options: z.array(option) });
const clickable = { action_id: z.string().default(''), confirm: confirm.optional() };

const button = z.object({
  ...clickable,
  type: z.literal('button'),
  text,
  value: z.string().optional(),
  url: z.string().optional(),
  style: z.string().optional(),
  accessibility_label: z.string().optional(),
});

const overflow = z.object({ ...clickable, type: z.literal('overflow'), options: z.array(option) });

const feedbackButtons = z.object({
  ...clickable,
  type: z.literal('feedback_buttons'),
  positive_button: z.object({ text, value: z.string() }),
  negative_button: z.object({ text, value: z.string() }),
});

const iconButton = z.object({
  ...clickable,
  type: z.literal('icon_button'),
  icon: z.string(),
  text,
  value: z.string().optional(),
});

/** An element that the page draws itself, because it can be clicked. */
export const interactiveElement = z.discriminatedUnion('type', [
  button,
  overflow,
  feedbackButtons,
  iconButton,
]);

/** An `actions` or `context_actions` block. An unknown element does not affect the others. */
export const actionsBlock = z.object({
  type: z.enum(['actions', 'context_actions']),
  block_id: z.string().default(''),
  elements: z.array(z.unknown()),
});

/** A section with an accessory; the rest is drawn like any other section. */
export const sectionWithAccessory = z.looseObject({
  type: z.literal('section'),
  block_id: z.string().default(''),
  accessory: z.object({ type: z.string() }).loose(),
});

export type InteractiveElement = z.infer<typeof interactiveElement>;
export type Option = z.infer<typeof option>;
export type Confirm = z.infer<typeof confirm>;
export type ButtonElement = z.infer<typeof button>;
export type OverflowElement = z.infer<typeof overflow>;
export type FeedbackButtonsElement = z.infer<typeof feedbackButtons>;
export type IconButtonElement = z.infer<typeof iconButton>;

/** A `container` block. */
export const containerBlock = z.object({
  type: z.literal('container'),
  title: text.optional(),
  rich_text_title: z.unknown().optional(),
  subtitle: text.optional(),
  child_blocks: z.array(z.unknown()),
  is_collapsible: z.boolean().default(false),
  default_collapsed: z.boolean().default(false),
});

/** A cell of a table. */
export const tableCell = z.discriminatedUnion('type', [
  z.object({ type: z.literal('raw_text'), text: z.string() }),
  z.object({ type: z.literal('raw_number'), value: z.number(), text: z.string().optional() }),
  z.looseObject({ type: z.literal('rich_text') }),
]);

const column = z
  .object({
    align: z.enum(['left', 'center', 'right']).default('left'),
    is_wrapped: z.boolean().default(false),
  })
  .nullable();

/** A `table` block. Its first row is the header. */
export const tableBlock = z.object({
  type: z.literal('table'),
  rows: z.array(z.array(tableCell)),
  column_settings: z.array(column).default([]),
});

export type TableBlock = z.infer<typeof tableBlock>;
export type TableCell = z.infer<typeof tableCell>;
