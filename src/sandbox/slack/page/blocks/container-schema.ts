import { z } from 'zod';
import { text } from './schema.ts';

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
