import { hasCome } from '../../../lib/clock.ts';

/** When Slack accepts the next call. Times in milliseconds. */
export interface Pace {
  /** The earliest moment for this call; at or before `now` means now. */
  earliest(call: Call, now: number): number;
  took(call: Call, now: number): void;
  /** Slack answered 429: no call of that kind before then. */
  blocked(call: Call, until: number): void;
}

export interface Call {
  method:
    | 'agents.sessions.rename'
    | 'agents.sessions.setStatus'
    | 'chat.appendStream'
    | 'chat.postMessage'
    | 'chat.startStream'
    | 'chat.stopStream'
    | 'chat.update'
    | 'reactions.add'
    | 'reactions.remove'
    | 'conversations.replies'
    | 'conversations.history'
    | 'conversations.info'
    | 'files.getUploadURLExternal'
    | 'files.completeUploadExternal'
    | 'files.info';
  channel: string;
  /** The message being edited or streamed to: calls for it are spaced out. */
  message?: string;
  /** Low priority: leaves room in its method's rate limit for calls that people wait for. */
  background?: boolean;
}

/** About one post a second in each channel, and one edit a second of each message. */
export const SPACING_MS = 1_050;
/** Tier 3 is about 50 calls a minute and method; some room is left for other callers. */
const PER_MINUTE = 45;
const PER_MINUTE_IN_BACKGROUND = 30;
/** Tier 2 is about 20 calls a minute, tier 4 about 100. */
const OTHER_TIERS: Partial<Record<Call['method'], number>> = {
  'chat.startStream': 18,
  'chat.stopStream': 18,
  'chat.appendStream': 92,
  'files.getUploadURLExternal': 92,
  'files.completeUploadExternal': 92,
};
/** Words follow each other quickly at first; the fuller the minute, the more of them go into one call. */
const APPENDS_MS = 250;
const APPENDS_SLOW_DOWN_EACH = 20;
const MINUTE_MS = 60_000;
/** Longer waits are cut to this: Slack asks again if need be. */
export const LONGEST_BLOCK_MS = 60_000;

export function createPace(): Pace {
  const nextAt = new Map<string, number>();
  const calls = new Map<string, number[]>();

  const spaced = (call: Call): string | null => {
    if (postsIn(call)) return `post ${call.channel}`;
    if (call.message === undefined) return null;
    return `${call.method === 'chat.update' ? 'edit' : call.method} ${call.channel} ${call.message}`;
  };
  const limit = (call: Call) =>
    call.method === 'chat.postMessage' ? `blocked ${call.channel}` : `blocked ${call.method}`;

  return {
    earliest: (call, now) => {
      const key = spaced(call);
      const bySpacing = key === null ? now : (nextAt.get(key) ?? now);
      const byBlock = nextAt.get(limit(call)) ?? now;
      if (hasCome(Math.max(bySpacing, byBlock), now, LONGEST_BLOCK_MS))
        return byTier(calls.get(call.method) ?? [], call, now);
      return Math.max(bySpacing, byBlock, byTier(calls.get(call.method) ?? [], call, now));
    },
    took: (call, now) => {
      forget(nextAt, now);
      const recent = (calls.get(call.method) ?? []).filter((at) => at > now - MINUTE_MS && at <= now);
      const key = spaced(call);
      if (key !== null) nextAt.set(key, now + spacing(call, recent.length));
      calls.set(call.method, [...recent, now]);
    },
    blocked: (call, until) => nextAt.set(limit(call), until),
  };
}

/** @param recent how many calls of the method there were in the last minute */
function spacing({ method }: Call, recent: number): number {
  if (method !== 'chat.appendStream') return SPACING_MS;
  return APPENDS_MS * 2 ** Math.floor(recent / APPENDS_SLOW_DOWN_EACH);
}

/** A file completed in a channel is posted as a message. */
function postsIn({ method, channel }: Call): boolean {
  return method === 'chat.postMessage' || (method === 'files.completeUploadExternal' && channel !== '');
}

function byTier(recent: number[], { method, background = false }: Call, now: number): number {
  if (method === 'chat.postMessage') return now;
  const within = recent.filter((at) => at > now - MINUTE_MS && at <= now);
  const most = background ? PER_MINUTE_IN_BACKGROUND : (OTHER_TIERS[method] ?? PER_MINUTE);
  const oldest = within.at(-most);
  return oldest === undefined ? now : oldest + MINUTE_MS;
}

/** Past times are dropped; otherwise the map would grow with every message. */
function forget(nextAt: Map<string, number>, now: number): void {
  if (nextAt.size < 1_000) return;
  for (const [key, at] of nextAt) if (at <= now) nextAt.delete(key);
}
