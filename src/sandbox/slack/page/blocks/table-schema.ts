import { z } from 'zod';

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

/** A `table` block. Its first row is the head. */
export const tableBlock = z.object({
  type: z.literal('table'),
  rows: z.array(z.array(tableCell)),
  column_settings: z.array(column).default([]),
});

export type TableBlock = z.infer<typeof tableBlock>;
export type TableCell = z.infer<typeof tableCell>;
