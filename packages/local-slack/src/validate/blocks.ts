import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import {
  anyText,
  blockId,
  button,
  feedbackButtons,
  hasOneSource,
  iconButton,
  image,
  imageFields,
  inputs,
  interactive,
  line,
  mrkdwn,
  plainText,
} from './elements.ts';

const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    underline: z.boolean().optional(),
    highlight: z.boolean().optional(),
    client_highlight: z.boolean().optional(),
    unlink: z.boolean().optional(),
    code: z.boolean().optional(),
  })
  .optional();

const inline = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), style }),
  z.strictObject({
    type: z.literal('link'),
    url: z.string().min(1),
    text: z.string().optional(),
    unsafe: z.boolean().optional(),
    style,
  }),
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string(),
    unicode: z.string().optional(),
    skin_tone: z.int().optional(),
    style,
  }),
  z.strictObject({ type: z.literal('user'), user_id: z.string(), style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string(), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string(), style }),
  z.strictObject({ type: z.literal('team'), team_id: z.string(), style }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: z.string(),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style,
  }),
  z.strictObject({ type: z.literal('color'), value: z.string(), style }),
]);

const richSection = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) });
const border = z.int().min(0).max(1).optional();

const richTextElements = z.array(
  z.discriminatedUnion('type', [
    richSection,
    z.strictObject({
      type: z.literal('rich_text_list'),
      style: z.enum(['bullet', 'ordered']),
      elements: z.array(richSection),
      indent: z.int().min(0).max(8).optional(),
      offset: z.int().min(0).optional(),
      border,
    }),
    z.strictObject({
      type: z.literal('rich_text_preformatted'),
      elements: z.array(inline),
      language: z.string().optional(),
      border,
    }),
    z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), border }),
  ]),
);

const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: blockId,
  elements: richTextElements,
});

const rawText = z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) });
const rawNumber = z.strictObject({
  type: z.literal('raw_number'),
  value: z.number(),
  text: z.string().min(1),
});
const cell = z.discriminatedUnion('type', [rawText, rawNumber, richText]);
const row = z.array(cell).min(1).max(LIMITS.tableCells);

const table = z.strictObject({
  type: z.literal('table'),
  block_id: blockId,
  rows: z.array(row).min(1).max(LIMITS.tableRows),
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

/** A table that people can page through; its first row is the head, of plain cells. */
const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: blockId,
    caption: z.string().min(1),
    rows: z.array(row).min(2).max(LIMITS.dataTableRows),
    page_size: z.int().min(1).max(LIMITS.dataTablePage).optional(),
    row_header_column_index: z.int().min(0).optional(),
  })
  .refine(({ rows }) => rows.every((cells) => cells.length === rows[0]?.length), {
    error: 'all rows must have the same number of cells',
    path: ['rows'],
  })
  .refine(({ rows }) => rows[0]?.every(({ type }) => type !== 'rich_text'), {
    error: 'header cells must not be rich_text',
    path: ['rows', 0],
  })
  .refine(({ rows, row_header_column_index: column = 0 }) => column < (rows[0]?.length ?? 0), {
    error: 'must be the index of a column',
    path: ['row_header_column_index'],
  });

const label = line(LIMITS.chartLabel);

const pie = z.strictObject({
  type: z.literal('pie'),
  segments: z
    .array(z.strictObject({ label, value: z.number().positive() }))
    .min(1)
    .max(LIMITS.chartSeries),
});

const series = z.strictObject({
  name: label,
  data: z
    .array(z.strictObject({ label, value: z.number() }))
    .min(1)
    .max(LIMITS.chartPoints),
});

const axes = z
  .strictObject({
    type: z.enum(['bar', 'area', 'line']),
    series: z.array(series).min(1).max(LIMITS.chartSeries),
    axis_config: z.strictObject({
      categories: z.array(label).min(1).max(LIMITS.chartPoints),
      x_label: line(LIMITS.chartTitle).optional(),
      y_label: line(LIMITS.chartTitle).optional(),
    }),
  })
  .refine((chart) => new Set(chart.series.map(({ name }) => name)).size === chart.series.length, {
    error: 'names of series must be unique',
    path: ['series'],
  })
  .refine(
    ({ series: plotted, axis_config: { categories } }) =>
      plotted.every(({ data }) => data.every((point) => categories.includes(point.label))),
    { error: 'labels of data must be among the categories', path: ['series'] },
  );

/** A chart: a pie, or series over one axis of categories. */
const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockId,
  title: line(LIMITS.chartTitle),
  chart: z.discriminatedUnion('type', [pie, axes]),
});

const alert = z.strictObject({
  type: z.literal('alert'),
  block_id: blockId,
  text: anyText(LIMITS.sectionText),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
});

const card = z
  .strictObject({
    type: z.literal('card'),
    block_id: blockId,
    hero_image: image.optional(),
    icon: image.optional(),
    title: mrkdwn(LIMITS.cardTitle).optional(),
    subtitle: mrkdwn(LIMITS.cardTitle).optional(),
    body: mrkdwn(LIMITS.cardBody).optional(),
    actions: z.array(button).min(1).max(LIMITS.actionsElements).optional(),
  })
  .refine((block) => block.hero_image ?? block.title ?? block.actions ?? block.body, {
    error: 'missing required field: hero_image, title, actions or body',
  });

const carousel = z.strictObject({
  type: z.literal('carousel'),
  block_id: blockId,
  elements: z.array(card).min(1).max(LIMITS.carouselCards),
});

const taskCard = z.strictObject({
  type: z.literal('task_card'),
  block_id: blockId,
  task_id: line(LIMITS.blockId),
  title: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
  details: richText.optional(),
  output: richText.optional(),
  sources: z
    .array(z.strictObject({ type: z.literal('url'), url: line(LIMITS.url), text: z.string().min(1) }))
    .optional(),
});

const plan = z.strictObject({
  type: z.literal('plan'),
  block_id: blockId,
  title: z.string().min(1),
  tasks: z.array(taskCard).optional(),
});

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

export const BLOCK_TYPES: ReadonlySet<string> = new Set(block.options.map(({ shape }) => shape.type.value));
