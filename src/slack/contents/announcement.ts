import { z } from 'zod';
import { renderAnnouncement } from '../../render/announcements.ts';
import { renderMissed } from '../../render/missed.ts';
import type { ContentSource } from './source.ts';

const changes = z.array(z.string());

const Payload = z.discriminatedUnion('what', [
  z.object({ what: z.literal('watched'), by: z.string(), suggests: z.boolean(), changes }),
  z.object({ what: z.literal('changed'), by: z.string(), changes }),
  z.object({ what: z.literal('unwatched'), by: z.string() }),
  z.object({ what: z.literal('paused'), by: z.string() }),
  z.object({ what: z.literal('resumed'), by: z.string(), held: z.number() }),
  z.object({ what: z.literal('digest'), by: z.string(), when: z.string().nullable() }),
  z.object({
    what: z.literal('backfilled'),
    from: z.number(),
    to: z.number(),
    messages: z.number(),
    older: z.number(),
    isMore: z.boolean(),
  }),
]);

export const announcement: ContentSource = async (row) => {
  const said = Payload.parse(JSON.parse(row.payload));
  const rendered = said.what === 'backfilled' ? renderMissed(said) : renderAnnouncement(said);
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: row.thread_ts };
};
