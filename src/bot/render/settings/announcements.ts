import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { literal, userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';
import { verbatimSection } from '../verbatim.ts';

/** The announcement of a change in a channel. `changes` are untrusted: they contain patterns. */
export type Announcement = { by: string } & (
  | { what: 'watched'; suggests: boolean; changes: readonly string[] }
  | { what: 'changed'; changes: readonly string[] }
  | { what: 'unwatched' }
  | { what: 'named_elsewhere' }
  | { what: 'paused' }
  | { what: 'resumed'; held: number }
  /** `when` in words; `null` if it was turned off. */
  | { what: 'digest'; when: string | null }
  | { what: 'systems_watched'; isOn: boolean }
);

const MAX_CHANGE = 500;

/** Announced in the channel, so that nobody is surprised by a change. */
export function renderAnnouncement(announcement: Announcement): Rendered {
  const line = sentence(announcement, userMention(announcement.by));
  const changes = changesOf(announcement);
  return fitMessage({
    text: [line, ...changes.map(literal)].join('\n'),
    blocks: [section(line), ...(changes.length > 0 ? [verbatimSection(changes.join('\n'))] : [])],
  });
}

function sentence(announcement: Announcement, who: string): string {
  switch (announcement.what) {
    case 'watched':
      return announcement.suggests
        ? `👀 ${who} turned on Gumshoe in this channel: new alerts get a _File it_ button.`
        : `👀 ${who} turned on Gumshoe in this channel: new alerts are filed and investigated.`;
    case 'changed':
      return `⚙️ ${who} changed Gumshoe’s settings here:`;
    case 'unwatched':
      return `💤 ${who} turned off Gumshoe in this channel: new alerts are no longer filed. Open issues carry on.`;
    case 'named_elsewhere':
      return `${who} agreed that issues of this private channel may be named in answers that I give elsewhere. \`/gumshoe unwatch\` takes it back.`;
    case 'paused':
      return `⏸️ ${who} paused filing in all channels. Alerts are put on hold until an admin runs \`/gumshoe resume\`.`;
    case 'resumed':
      return `▶️ ${who} resumed filing: new alerts are filed again. ${heldWords(announcement.held)}`;
    case 'digest':
      return announcement.when === null
        ? `📊 ${who} turned off this channel’s digest.`
        : `📊 ${who} set this channel’s digest: ${literal(announcement.when)}.`;
    case 'systems_watched':
      return announcement.isOn
        ? `🔭 ${who} turned on hourly checks in this channel for what is about to break.`
        : `🔭 ${who} turned off the hourly checks for what is about to break.`;
  }
}

function heldWords(held: number): string {
  if (held === 0) return 'No alerts arrived here in the meantime.';
  return held === 1
    ? 'One alert arrived here in the meantime and awaits your decision.'
    : `${held} alerts arrived here in the meantime and await your decision.`;
}

function changesOf(announcement: Announcement): string[] {
  if (!('changes' in announcement)) return [];
  return announcement.changes.map((change) => `• ${cutAtWord(oneLine(change), MAX_CHANGE)}`);
}
