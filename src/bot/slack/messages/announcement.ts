import { z } from 'zod';
import { WaitingLine } from '../../filing/waiting-line.ts';
import { renderServiceTrouble } from '../../render/admin/service-trouble.ts';
import { renderTrouble } from '../../render/admin/trouble.ts';
import { renderMissed } from '../../render/alerts/missed.ts';
import { renderWaiting } from '../../render/alerts/waiting.ts';
import type { Rendered } from '../../render/rendered.ts';
import { renderAnnouncement } from '../../render/settings/announcements.ts';
import { renderPatternOff } from '../../render/settings/pattern-off.ts';
import { renderUnreadable } from '../../render/unreadable.ts';
import { rightOf, serviceTroubleOf } from '../../watching/service-notices.ts';
import type { Identity } from '../app.ts';
import { channelOf, scopeOf } from '../blockers/names.ts';
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
  z.object({
    what: z.literal('trouble'),
    name: z.string(),
    reason: z.string(),
    since: z.number(),
    mendedAt: z.number().nullable(),
  }),
  z.object({ what: z.literal('unreadable') }),
  z.object({
    what: z.literal('pattern_off'),
    pattern: z.string(),
    why: z.enum(['too_large', 'too_slow']),
    list: z.enum(['include', 'exclude']),
  }),
  WaitingLine,
]);

export const announcement: ContentSource = async (row, { identity, store }) => {
  const said = Payload.parse(JSON.parse(row.payload));
  const rendered =
    said.what === 'waiting'
      ? renderWaiting({ ...said, ...(await store.waiting.counts(row.key)) })
      : render(said, identity);
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: row.threadTs };
};

function render(
  said: Exclude<z.infer<typeof Payload>, { what: 'waiting' }>,
  { botUserId }: Identity,
): Rendered {
  if (said.what === 'backfilled') return renderMissed(said);
  if (said.what === 'unreadable') return renderUnreadable();
  if (said.what === 'pattern_off') return renderPatternOff(said);
  if (said.what !== 'trouble') return renderAnnouncement(said);
  const ofService = serviceTroubleOf(said.name);
  if (ofService !== null) {
    const { organization } = ofService;
    return renderServiceTrouble({ ...said, organization, right: rightOf(said.name) });
  }
  const channel = channelOf(said.name);
  const of = channel === null ? { scope: scopeOf(said.name) ?? said.name } : { channel };
  return renderTrouble({ ...said, of, botUserId });
}
