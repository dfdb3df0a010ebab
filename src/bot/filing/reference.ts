import { createHash } from 'node:crypto';
import type { ServiceClient } from '../../contract/client/client.ts';

const PREFIX = 'gumshoe-';

/** The id of an issue, derived from its cause: the same cause always gives the same id. */
export function issueIdOf(...cause: string[]): string {
  return createHash('sha256').update(cause.join('\n')).digest('hex').slice(0, 20);
}

/**
 * The reference by which an issue is found again at the service, which has no idempotency key.
 */
export function referenceOf(issueId: string): string {
  return `${PREFIX}${issueId}`;
}

/** The description, followed by the lines that lead back to Slack. */
export function withReference(description: string, issueId: string, permalink: string | null): string {
  const lines = [...(permalink ? [`Slack: ${permalink}`] : []), `Reference: ${referenceOf(issueId)}`];
  return `${description.trim()}\n\n---\n${lines.join('\n')}`;
}

/** The description of an issue that had no message in Slack so far. */
export function withPermalink(description: string, issueId: string, permalink: string | null): string {
  const end = `---\nReference: ${referenceOf(issueId)}`;
  return description.endsWith(end)
    ? withReference(description.slice(0, -end.length), issueId, permalink)
    : description;
}

const LAST_LINE = /(?:^|\n)Reference: gumshoe-([\w-]{1,64})\s*$/u;
/** A reference in any spelling: after its keyword, alone on a line, or one of our ids anywhere. */
const ANY =
  /\breference[ \t]{0,8}:[^\w\n]{0,8}gumshoe-[\w-]+|^[^\w\n]{0,8}gumshoe-[\w-]+[^\w\n]{0,8}$|(?<![\w-])gumshoe-[0-9a-f]{20}(?![\w-])/gimu;
/** Both lines as `withReference` writes them. */
const WITH_PERMALINK = /^Slack: (\S{1,300})[ \t]*\nReference: gumshoe-[\w-]{1,64}[ \t]*$/gmu;
const PERMALINK =
  /^https?:\/\/[^/\s]+\/archives\/([A-Z0-9]{2,30})\/p(\d{7,20})(?:\?thread_ts=[\d.]{3,30}&cid=([A-Z0-9]{2,30}))?$/u;

/** Slack is called for each: no person needs so many, but alert text may contain them. */
const MOST_CHANNELS = 5;

/** The id of the issue with this description, from its last line; `null` if that is not a reference. */
export function issueIdIn(description: string): string | null {
  return LAST_LINE.exec(description)?.[1] ?? null;
}

/** Whether a description ends with this issue's reference; alert text above it may quote others. */
export function hasReference(description: string, issueId: string): boolean {
  const [, last] = [...description.matchAll(/gumshoe-([\w-]{1,64})/gu)].at(-1) ?? [];
  return last === issueId;
}

/** Where an issue belongs, according to the references in its texts. */
type ReferencedPlace =
  /** No reference: Gumshoe did not file it. */
  | { kind: 'none' }
  /** To these channels of our workspace. */
  | { kind: 'channels'; channels: readonly string[] }
  /** Gumshoe filed it, but its channel cannot be determined. */
  | { kind: 'unreadable' };

/**
 * Reads where an issue belongs from its texts: the description, and what else the service quotes from it. Alert text
 * in them may contain made-up references, so every one counts: a single one that is not exactly as we write it, or
 * whose permalink is not ours, makes the result unreadable.
 *
 * @param permalink our link to a message, as written into the description
 */
export function readReferences(
  texts: readonly string[],
  permalink: (channel: string, ts: string) => string,
): ReferencedPlace {
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

/** The channel of one of our permalinks; `null` for any other URL. */
function channelOf(link: string, permalink: (channel: string, ts: string) => string): string | null {
  const [, channel = '', digits = '', cid = channel] = PERMALINK.exec(link) ?? [];
  const ts = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  const isOurs = cid === channel && link.split('?')[0] === permalink(channel, ts);
  return isOurs ? channel : null;
}

/** What the create call would have returned. */
export interface FoundIssue {
  uuid: string;
  number: number;
  status: string;
  latestVersion?: number | undefined;
}

/** Looks for an issue that may have been created, by the reference in its description, with one request. */
export async function findByReference(
  service: ServiceClient,
  issueId: string,
  signal: AbortSignal,
): Promise<FoundIssue | null> {
  const reference = referenceOf(issueId);
  const page = await service.issues.page({ search: reference, limit: 10 }, signal);
  return page.data.find((issue) => hasReference(issue.description, issueId)) ?? null;
}
