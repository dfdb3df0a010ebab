import { z } from 'zod';
import { renderAnnouncement } from '../../render/announcements.ts';
import type { ContentSource } from './source.ts';

const changes = z.array(z.string());

const Payload = z.discriminatedUnion('what', [
  z.object({ what: z.literal('watched'), by: z.string(), suggests: z.boolean(), changes }),
  z.object({ what: z.literal('changed'), by: z.string(), changes }),
  z.object({ what: z.literal('unwatched'), by: z.string() }),
  z.object({ what: z.literal('paused'), by: z.string() }),
  z.object({ what: z.literal('resumed'), by: z.string(), held: z.number() }),
]);

export const announcement: ContentSource = async (row) => ({
  kind: 'messages',
  parts: [renderAnnouncement(Payload.parse(JSON.parse(row.payload)))],
  channel: row.channel,
  threadTs: row.thread_ts,
});
