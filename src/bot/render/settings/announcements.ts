import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { literal, quoted, userMention } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { lineOfRecord, type RecordLineView } from '../record/record.ts';
import { actions, button, context, type Rendered, section, verbatimSection } from '../rendered.ts';
import { count } from '../words.ts';

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

const MAX_REASON = 500;

export function trialBegins(days: number): Rendered {
  return notice(
    `🧪 I am investigating the alerts of the last ${count(days, 'day')} as of then, at a pace that your servers can take. Only you get the page, as a direct message; 200 alerts take up to ten minutes.`,
  );
}

export function usageTrial(): Rendered {
  return notice(
    '`/gumshoe trial` investigates the last 14 days, `/gumshoe trial 7` as many as you say, from 1 to 90.',
  );
}

/** The service is somebody else's. */
export function noTrial(): Rendered {
  return notice(
    'The investigation service that I use cannot look at the past. `npm run -s trial -- --days 14` does, with `PROMETHEUS_URL` or `GRAFANA_URL`.',
  );
}

/** There is no page; `reason` is untrusted. */
export function trialFailed(reason: string): Rendered {
  return notice(`⚠️ No trial: ${quoted(reason, MAX_REASON)}`);
}

export function noDirectMessage(): Rendered {
  return notice('I could not open a direct message with you, so there is nowhere to put the page.');
}

export function watchedOnTrial(days: number): Rendered {
  return notice(
    `🤫 This channel is on trial: I file and investigate its alerts, and post nothing but reactions and what is in their threads. After ${count(days, 'day')} I report once how often I was right, and ask whether to go on. \`/gumshoe unwatch\` ends it.`,
  );
}

export function onTrialBefore(): Rendered {
  return notice(
    'This channel is already on trial. `/gumshoe watch` makes it permanent, `/gumshoe unwatch` ends it.',
  );
}

export function usageWatch(): Rendered {
  return notice(
    '`/gumshoe watch` watches this channel, `/gumshoe watch trial` without posting anything in it.',
  );
}

/** The one message of a trial: its record, and whether to go on. */
export function renderTrialOver(channel: string, lines: readonly RecordLineView[]): Rendered {
  const verdicts = lines.reduce((sum, { all }) => sum + all, 0);
  const text = `🤫 The trial in this channel is over: ${count(verdicts, 'verdict')} on its alerts, all in their threads. Shall I go on?`;
  const record = verdicts === 0 ? [] : [section(lines.map(lineOfRecord).join('\n'))];
  return fitMessage({
    text,
    blocks: [
      section(text),
      ...record,
      actions([button('Go on', actionIds.openSettings, channel, 'primary')]),
      context(
        'Until somebody presses it, I stay quiet. `/gumshoe record` has the misses, `/gumshoe unwatch` ends it.',
      ),
    ],
  });
}
