/** When Slack will take the next call (DESIGN section 5, *Slack's pacing*). Times in milliseconds. */
export interface Pace {
  /** The earliest moment for this call; at or before `now` means now. */
  earliest(call: Call, now: number): number;
  /** The call is being made. */
  took(call: Call, now: number): void;
  /** Slack answered 429: nothing of that kind before then. */
  blocked(call: Call, until: number): void;
}

export interface Call {
  method:
    | 'chat.postMessage'
    | 'chat.update'
    | 'reactions.add'
    | 'conversations.replies'
    | 'conversations.history'
    | 'conversations.info'
    | 'files.getUploadURLExternal'
    | 'files.completeUploadExternal'
    | 'files.info';
  channel: string;
  /** The message that is edited: its edits are at least a second apart. */
  message?: string;
  /** It can wait: leaves room in its method's minute for what people wait for. */
  background?: boolean;
}

/** About one post a second in each channel, and one edit a second of each message. */
export const SPACING_MS = 1_050;
/** Tier 3 is about 50 calls a minute and method; some room is left for other callers. */
const PER_MINUTE = 45;
const PER_MINUTE_IN_BACKGROUND = 30;
const MINUTE_MS = 60_000;

export function createPace(): Pace {
  const nextAt = new Map<string, number>();
  const calls = new Map<string, number[]>();

  const spaced = (call: Call): string | null => {
    if (postsIn(call)) return `post ${call.channel}`;
    return call.message === undefined ? null : `edit ${call.channel} ${call.message}`;
  };
  const limit = (call: Call) =>
    call.method === 'chat.postMessage' ? `blocked ${call.channel}` : `blocked ${call.method}`;

  return {
    earliest: (call, now) => {
      const key = spaced(call);
      const bySpacing = key === null ? now : (nextAt.get(key) ?? now);
      const byBlock = nextAt.get(limit(call)) ?? now;
      return Math.max(bySpacing, byBlock, byTier(calls.get(call.method) ?? [], call, now));
    },
    took: (call, now) => {
      forget(nextAt, now);
      const key = spaced(call);
      if (key !== null) nextAt.set(key, now + SPACING_MS);
      const recent = (calls.get(call.method) ?? []).filter((at) => at > now - MINUTE_MS);
      calls.set(call.method, [...recent, now]);
    },
    blocked: (call, until) => nextAt.set(limit(call), until),
  };
}

/** A file that is completed in a channel comes as a message. */
function postsIn({ method, channel }: Call): boolean {
  return method === 'chat.postMessage' || (method === 'files.completeUploadExternal' && channel !== '');
}

function byTier(recent: number[], call: Call, now: number): number {
  if (call.method === 'chat.postMessage') return now;
  const within = recent.filter((at) => at > now - MINUTE_MS);
  const oldest = within.at(-(call.background === true ? PER_MINUTE_IN_BACKGROUND : PER_MINUTE));
  return oldest === undefined ? now : oldest + MINUTE_MS;
}

/** Moments that have passed say nothing any more; without this the map would grow with every message. */
function forget(nextAt: Map<string, number>, now: number): void {
  if (nextAt.size < 1_000) return;
  for (const [key, at] of nextAt) if (at <= now) nextAt.delete(key);
}
