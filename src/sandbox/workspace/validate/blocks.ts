import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import {
  feedbackButtons,
  hasOneSource,
  iconButton,
  image,
  imageFields,
  inputs,
  interactive,
} from './elements.ts';
import { richTextElements } from './rich-text.ts';
import { anyText, blockId, line, mrkdwn, plainText } from './text.ts';

const section = z
  .strictObject({
    type: z.literal('section'),
    block_id: blockId,
    text: anyText(LIMITS.sectionText).optional(),
    fields: z.array(anyText(LIMITS.sectionField)).min(1).max(LIMITS.sectionFields).optional(),
    accessory: z.discriminatedUnion('type', [...interactive, image]).optional(),
    expand: z.boolean().optional(),
  })
  .refine((block) => block.text !== undefined || block.fields !== undefined, {
    error: 'missing required field: text or fields',
  });

const header = z.strictObject({
  type: z.literal('header'),
  block_id: blockId,
  text: plainText(LIMITS.header),
});

const context = z.strictObject({
  type: z.literal('context'),
  block_id: blockId,
  elements: z
    .array(z.discriminatedUnion('type', [image, plainText(LIMITS.contextText), mrkdwn(LIMITS.contextText)]))
    .min(1)
    .max(LIMITS.contextElements),
});

const actions = z.strictObject({
  type: z.literal('actions'),
  block_id: blockId,
  elements: z.array(z.discriminatedUnion('type', interactive)).min(1).max(LIMITS.actionsElements),
});

const contextActions = z.strictObject({
  type: z.literal('context_actions'),
  block_id: blockId,
  elements: z
    .array(z.discriminatedUnion('type', [feedbackButtons, iconButton]))
    .min(1)
    .max(LIMITS.contextActionsElements),
});

const divider = z.strictObject({ type: z.literal('divider'), block_id: blockId });

const imageBlock = z
  .strictObject({
    type: z.literal('image'),
    block_id: blockId,
    ...imageFields,
    title: plainText(LIMITS.imageTitle).optional(),
  })
  .refine(hasOneSource, { error: 'must have exactly one of: image_url, slack_file' });

const input = z.strictObject({
  type: z.literal('input'),
  block_id: blockId,
  label: plainText(LIMITS.inputLabel),
  element: z.discriminatedUnion('type', inputs),
  hint: plainText(LIMITS.inputHint).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
});

const markdown = z.strictObject({
  type: z.literal('markdown'),
  block_id: blockId,
  text: line(LIMITS.markdown),
});

const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: blockId,
  elements: richTextElements,
});

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  richText,
]);

const table = z.strictObject({
  type: z.literal('table'),
  block_id: blockId,
  rows: z.array(z.array(cell).min(1).max(LIMITS.tableCells)).min(1).max(LIMITS.tableRows),
  column_settings: z
    .array(
      z
        .strictObject({
          align: z.enum(['left', 'center', 'right']).optional(),
          is_wrapped: z.boolean().optional(),
        })
        .nullable(),
    )
    .max(LIMITS.tableCells)
    .optional(),
});

/** Every block that a message may hold here; any other type is refused as unsupported. */
export const block = z.discriminatedUnion('type', [
  section,
  header,
  context,
  actions,
  contextActions,
  divider,
  imageBlock,
  input,
  markdown,
  richText,
  table,
]);
