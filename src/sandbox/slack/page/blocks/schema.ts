import { z } from 'zod';

/** A text object. */
export const text = z.object({ type: z.string(), text: z.string() });
/** What is asked before an element acts. */
export const confirm = z.object({
  title: text.optional(),
  text: text.optional(),
  confirm: text.optional(),
  deny: text.optional(),
  style: z.string().optional(),
});
/** What can be chosen in a list, a menu or a group of boxes. */
export const option = z.object({
  text,
  value: z.string().optional(),
  description: text.optional(),
  url: z.string().optional(),
});
/** Options under a label of their own. */
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

/** An element that the page draws itself, because it must answer to clicks. */
export const interactiveElement = z.discriminatedUnion('type', [
  button,
  overflow,
  feedbackButtons,
  iconButton,
]);

/** An `actions` or `context_actions` block. An element that is not understood does not lose the others. */
export const actionsBlock = z.object({
  type: z.enum(['actions', 'context_actions']),
  block_id: z.string().default(''),
  elements: z.array(z.unknown()),
});

/** A section with something beside it; the rest of it is drawn like any other section. */
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
