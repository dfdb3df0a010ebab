import { z } from 'zod';
import type { AskedFile } from '../../../asking/asked-file.ts';
import type { MessageEvent } from './schema.ts';

const text = z.string().nullish().catch(null);

/** A file as Slack describes it in a message; of one from another organisation it may tell the id alone. */
const SlackFile = z.looseObject({
  id: z.string(),
  mode: text,
  name: text,
  title: text,
  mimetype: text,
  filetype: text,
  size: z.number().catch(0),
  url_private: text,
});

/** What is attached to a message, without what its author has taken away again. */
export function attachedTo({ files = [] }: Pick<MessageEvent, 'files'>): AskedFile[] {
  return files.flatMap((raw) => {
    const { success, data } = SlackFile.safeParse(raw);
    if (!success || data.mode === 'tombstone') return [];
    return {
      id: data.id,
      name: data.name || data.title || data.id,
      mimetype: data.mimetype ?? '',
      filetype: data.filetype ?? '',
      size: data.size,
      url: data.url_private ?? null,
    };
  });
}
