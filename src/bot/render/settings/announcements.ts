import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { literal, userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';
import { verbatimSection } from '../verbatim.ts';

/** What a channel is told of a change that a person made. `changes` are untrusted: they hold patterns. */
export type Announcement = { by: string } & (
  | { what: 'watched'; suggests: boolean; changes: readonly string[] }
  | { what: 'changed'; changes: readonly string[] }
  | { what: 'unwatched' }
  | { what: 'paused' }
  | { what: 'resumed'; held: number }
  /** `when` in words; `null` where it was turned off. */
  | { what: 'digest'; when: string | null }
);

const MAX_CHANGE = 500;

/** Said in the channel, so that nobody is surprised by what another has set (DESIGN section 4, *Who may*). */
export function renderAnnouncement(announcement: Announcement): Rendered {
  const said = sentence(announcement, userMention(announcement.by));
  const changes = changesOf(announcement);
  return fitMessage({
    text: [said, ...changes.map(literal)].join('\n'),
    blocks: [section(said), ...(changes.length > 0 ? [verbatimSection(changes.join('\n'))] : [])],
  });
}

function sentence(announcement: Announcement, who: string): string {
  switch (announcement.what) {
    case 'watched':
      return announcement.suggests
        ? `👀 ${who} had Gumshoe watch this channel: new alerts get a _File it_ button from now on.`
        : `👀 ${who} had Gumshoe watch this channel: new alerts are filed from now on.`;
    case 'changed':
      return `⚙️ ${who} changed Gumshoe’s settings here:`;
    case 'unwatched':
      return `💤 ${who} had Gumshoe stop watching this channel: new alerts are not filed any more. What was filed goes on.`;
    case 'paused':
      return `⏸️ ${who} paused filing in all channels. Alerts are kept and counted, and offered here once an admin writes \`/gumshoe resume\`.`;
    case 'resumed':
      return `▶️ ${who} resumed filing: new alerts are filed again. ${heldWords(announcement.held)}`;
    case 'digest':
      return announcement.when === null
        ? `📊 ${who} turned off this channel’s digest.`
        : `📊 ${who} set this channel’s digest: ${literal(announcement.when)}.`;
  }
}

function heldWords(held: number): string {
  if (held === 0) return 'No alerts came here meanwhile.';
  return held === 1
    ? 'One alert that came here meanwhile waits for your decision.'
    : `${held} alerts that came here meanwhile wait for your decision.`;
}

function changesOf(announcement: Announcement): string[] {
  if (!('changes' in announcement)) return [];
  return announcement.changes.map((change) => `• ${cutAtWord(oneLine(change), MAX_CHANGE)}`);
}
