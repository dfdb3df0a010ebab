import { createHash } from 'node:crypto';

const PREFIX = 'gumshoe-';

/** Our id of an issue, derived from what caused it: the same cause always gives the same issue. */
export function issueIdOf(...cause: string[]): string {
  return createHash('sha256').update(cause.join('\n')).digest('hex').slice(0, 20);
}

/** By this an issue is found again at the service, which has no idempotency key (DESIGN section 5, *Issues*). */
export function referenceOf(issueId: string): string {
  return `${PREFIX}${issueId}`;
}

/** The description with the lines that lead back to Slack at its end. */
export function withReference(description: string, issueId: string, permalink: string | null): string {
  const lines = [...(permalink ? [`Slack: ${permalink}`] : []), `Reference: ${referenceOf(issueId)}`];
  return `${description.trim()}\n\n---\n${lines.join('\n')}`;
}

/** The last line as `withReference` writes it. */
const LAST_LINE = /(?:^|\n)Reference: gumshoe-([\w-]{1,64})\s*$/u;
/** A reference however it is written: after its word, alone on a line, or with an id of ours anywhere. */
const ANY =
  /\breference[ \t]{0,8}:[^\w\n]{0,8}gumshoe-[\w-]+|^[^\w\n]{0,8}gumshoe-[\w-]+[^\w\n]{0,8}$|(?<![\w-])gumshoe-[0-9a-f]{20}(?![\w-])/gimu;
/** Both lines as `withReference` writes them. */
const WITH_PERMALINK = /^Slack: (\S{1,300})[ \t]*\nReference: gumshoe-[\w-]{1,64}[ \t]*$/gmu;
const PERMALINK =
  /^https?:\/\/[^/\s]+\/archives\/([A-Z0-9]{2,30})\/p(\d{7,20})(?:\?thread_ts=[\d.]{3,30}&cid=([A-Z0-9]{2,30}))?$/u;

/** Slack is asked of each: nobody has so many, but alert text may. */
const MOST_CHANNELS = 5;

/** Our id of the issue whose description this is, by its last line; `null` where that is no reference. */
export function issueIdIn(description: string): string | null {
  return LAST_LINE.exec(description)?.[1] ?? null;
}

/** Whether an issue's description ends with its reference: alert text before it may quote those of others. */
export function bearsReference(description: string, issueId: string): boolean {
  const [, last] = [...description.matchAll(/gumshoe-([\w-]{1,64})/gu)].at(-1) ?? [];
  return last === issueId;
}

/** What the references in an issue's texts say of where it belongs. */
export type Referenced =
  /** There is no reference: Gumshoe did not file it. */
  | { kind: 'none' }
  /** To these channels of our workspace. */
  | { kind: 'channels'; channels: readonly string[] }
  /** Gumshoe filed it, and where cannot be told for certain. */
  | { kind: 'unreadable' };

/**
 * Reads where an issue belongs from its texts: the description, and what else the service quotes of it. Alert text
 * stands in them too and may hold references of its own making, so every one that there is counts: one that is not
 * written exactly as we write it, or whose permalink is none of ours, makes all of it unreadable.
 *
 * @param permalink our link to a message, as it was written into the description
 */
export function readReferences(
  texts: readonly string[],
  permalink: (channel: string, ts: string) => string,
): Referenced {
  const channels = new Set<string>();
  for (const text of texts.map((one) => one.replaceAll('\r\n', '\n'))) {
    const references = [...text.matchAll(ANY)].length;
    if (references === 0) continue;
    const named = [...text.matchAll(WITH_PERMALINK)].map(([, link = '']) => channelOf(link, permalink));
    if (issueIdIn(text) === null || named.length !== references) return { kind: 'unreadable' };
    for (const channel of named) {
      if (channel === null) return { kind: 'unreadable' };
      channels.add(channel);
    }
  }
  if (channels.size > MOST_CHANNELS) return { kind: 'unreadable' };
  return channels.size === 0 ? { kind: 'none' } : { kind: 'channels', channels: [...channels] };
}

/** The channel of one of our permalinks; `null` for any other address. */
function channelOf(link: string, permalink: (channel: string, ts: string) => string): string | null {
  const [, channel = '', digits = '', cid = channel] = PERMALINK.exec(link) ?? [];
  const ts = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  const isOurs = cid === channel && link.split('?')[0] === permalink(channel, ts);
  return isOurs ? channel : null;
}
