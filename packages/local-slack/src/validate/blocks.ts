import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { dataVisualization } from './charts.ts';
import {
  feedbackButtons,
  hasOneSource,
  iconButton,
  image,
  imageFields,
  inputs,
  interactive,
} from './elements.ts';
import { alert, card, carousel, plan, taskCard } from './new-blocks.ts';
import { richText } from './rich-text.ts';
import { dataTable, table } from './tables.ts';
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

const container = z
  .strictObject({
    type: z.literal('container'),
    block_id: blockId,
    title: plainText(LIMITS.containerTitle).optional(),
    rich_text_title: richText.optional(),
    subtitle: anyText(LIMITS.containerTitle).optional(),
    child_blocks: z
      .array(
        z.discriminatedUnion('type', [
          actions,
          context,
          divider,
          header,
          imageBlock,
          input,
          richText,
          section,
          table,
        ]),
      )
      .max(LIMITS.containerBlocks),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    icon: image.optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
  })
  .refine((block) => block.title !== undefined || block.rich_text_title !== undefined, {
    error: 'missing required field: title or rich_text_title',
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
  dataTable,
  dataVisualization,
  alert,
  card,
  carousel,
  container,
  taskCard,
  plan,
]);

/** The types of those blocks. */
export const BLOCK_TYPES: ReadonlySet<string> = new Set(block.options.map(({ shape }) => shape.type.value));
