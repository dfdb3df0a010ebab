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

const words = z.string().optional().catch(undefined);

/** A message attachment. Malformed parts are left out. */
export const attachmentSchema = z.object({
  color: words,
  pretext: words,
  author_name: words,
  author_link: words,
  title: words,
  title_link: words,
  text: words,
  fallback: words,
  image_url: words,
  footer: words,
  ts: z.union([z.number(), z.string()]).optional().catch(undefined),
  fields: z
    .array(
      z.object({
        title: z.string().default(''),
        value: z.coerce.string().default(''),
        short: z.boolean().default(false),
      }),
    )
    .default([])
    .catch([]),
  blocks: z.array(z.unknown()).default([]).catch([]),
});

interface ClickedOption {
  text: { type: string; text: string };
  value?: string;
}

/** The payload of a click on an interactive element, besides its place. */
export interface Click {
  block_id: string;
  action_id: string;
  value?: string;
  selected_option?: ClickedOption;
  selected_options?: ClickedOption[];
  selected_date?: string | null;
  selected_time?: string | null;
  selected_date_time?: number | null;
  selected_user?: string | null;
  selected_channel?: string | null;
  selected_conversation?: string | null;
}

/** The payload of an element when it is used; its place is added where it is drawn. */
export type Use = Omit<Click, 'block_id' | 'action_id'>;

/** The properties of every kind of interactive element. */
export interface ElementProps<T> {
  element: T;
  /** A click on it is being handled. */
  isBusy: boolean;
  onUse: (use: Use) => void;
}

/** A chosen option, as Slack's `selected_option` names it. */
export function optionUse({ text, value }: Option): Pick<Option, 'text'> & { value?: string } {
  return { text, ...(value === undefined ? {} : { value }) };
}
