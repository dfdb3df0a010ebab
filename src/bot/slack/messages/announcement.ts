import { renderServiceTrouble } from '../../render/admin/service-trouble.ts';
import { renderTrouble } from '../../render/admin/trouble.ts';
import { renderMissed } from '../../render/alerts/missed.ts';
import { renderWaiting } from '../../render/alerts/waiting.ts';
import type { Rendered } from '../../render/rendered.ts';
import { renderAnnouncement } from '../../render/settings/announcements.ts';
import { renderUnreadable } from '../../render/unreadable.ts';
import { renderUnrouted } from '../../render/webhooks/unrouted.ts';
import { type Payload, payloadOf } from '../../store/intents/payloads.ts';
import { rightOf, serviceTroubleOf } from '../../watching/service-watch.ts';
import { UNROUTED } from '../../webhooks/worker.ts';
import type { Identity } from '../app.ts';
import { channelOf, scopeOf } from '../blockers/names.ts';
import type { ContentSource } from './source.ts';

export const announcement: ContentSource = async (row, { identity, store }) => {
  const said = payloadOf('announcement', row);
  const rendered =
    said.what === 'waiting'
      ? renderWaiting({ ...said, ...(await store.waiting.counts(row.key)) })
      : render(said, identity);
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: row.threadTs };
};

function render(
  said: Exclude<Payload<'announcement'>, { what: 'waiting' }>,
  { botUserId }: Identity,
): Rendered {
  if (said.what === 'backfilled') return renderMissed(said);
  if (said.what === 'unreadable') return renderUnreadable();
  if (said.what !== 'trouble') return renderAnnouncement(said);
  if (said.name === UNROUTED) return renderUnrouted(said);
  const ofService = serviceTroubleOf(said.name);
  if (ofService !== null) {
    const { organization } = ofService;
    return renderServiceTrouble({ ...said, organization, right: rightOf(said.name) });
  }
  const channel = channelOf(said.name);
  const of = channel === null ? { scope: scopeOf(said.name) ?? said.name } : { channel };
  return renderTrouble({ ...said, of, botUserId });
}
