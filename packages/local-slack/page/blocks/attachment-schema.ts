import { z } from 'zod';

const text = z.string().optional().catch(undefined);

/** A message attachment. Malformed parts are left out. */
export const attachmentSchema = z.object({
  color: text,
  pretext: text,
  author_name: text,
  author_link: text,
  title: text,
  title_link: text,
  text,
  fallback: text,
  image_url: text,
  footer: text,
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
