import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { richText } from './rich-text.ts';
import { blockId } from './text.ts';

const rawText = z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) });
const rawNumber = z.strictObject({
  type: z.literal('raw_number'),
  value: z.number(),
  text: z.string().min(1),
});
const cell = z.discriminatedUnion('type', [rawText, rawNumber, richText]);
const row = z.array(cell).min(1).max(LIMITS.tableCells);

export const table = z.strictObject({
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
export const dataTable = z
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
  });
