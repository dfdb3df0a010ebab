import { z } from 'zod';
import type { AskedFile } from '../../asking/question.ts';

const text = z.string().nullish().catch(null);

/** A file as Slack describes it; of one from another organisation an event may tell the id alone. */
const SlackFile = z.looseObject({
  id: z.string(),
  mode: text,
  name: text,
  title: text,
  mimetype: text,
  filetype: text,
  size: z.number().catch(0),
  url_private: text,
  is_external: z.boolean().nullish().catch(null),
});

/** @returns `null` for what is no file, or is one that its author has taken away again. */
export function askedFileOf(raw: unknown): AskedFile | null {
  const { success, data } = SlackFile.safeParse(raw);
  if (!success || data.mode === 'tombstone') return null;
  // The address of an external file is one of another company's.
  const isExternal = data.mode === 'external' || data.is_external === true;
  return {
    id: data.id,
    name: data.name || data.title || data.id,
    mimetype: data.mimetype ?? '',
    filetype: data.filetype ?? '',
    size: data.size,
    url: isExternal ? null : (data.url_private ?? null),
  };
}
