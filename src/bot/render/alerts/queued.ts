import { date } from '../dates.ts';
import { notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';
import { count } from '../words.ts';

/** Alerts of one channel that wait, or waited, for the service; moments in milliseconds. */
export interface QueuedView {
  /** Why: it does not work, it refuses the key, it does not let the key file issues. */
  cause: 'service:down' | 'service:key' | 'service:right:issues.create';
  since: number;
  /** When it took one of them again; `null` while it does not. */
  back: number | null;
  queued: number;
  filed: number;
  /** Those that it did not take for what they say. */
  refused: number;
}

/** The notice that a channel gets of an outage: since when, how many alerts wait, and in the end their outcome. */
export function renderQueued(view: QueuedView): Rendered {
  return notice(sentence(view));
}

function sentence({ cause, since, back, queued, filed, refused }: QueuedView): string {
  const all = queued + filed + refused;
  if (back === null && queued > 0) {
    const wait = `${count(queued, 'alert')} ${queued === 1 ? 'is queued' : 'are queued'}`;
    return `⏳ ${why(cause, since)} ${wait} here and will be filed in order once it is back. No action needed.`;
  }
  const after = `The investigation service is back${back === null ? '' : ` since ${date(back)}`}; it went down ${date(since)}.`;
  if (queued > 0) {
    return `🔄 ${after} Filing what was queued here, oldest first: ${filed} of ${count(all, 'alert')} so far.`;
  }
  return `✅ ${after} ${outcome(filed, refused)}`;
}

function why(cause: QueuedView['cause'], since: number): string {
  switch (cause) {
    case 'service:down':
      return `The investigation service has been down since ${date(since)}.`;
    case 'service:key':
      return `The investigation service has rejected my API key since ${date(since)}; my admins know.`;
    case 'service:right:issues.create':
      return `The investigation service has not allowed me to file issues since ${date(since)}; my admins know.`;
  }
}

function outcome(filed: number, refused: number): string {
  const done =
    filed === 1 ? 'The queued alert has been filed.' : `All ${filed} queued alerts have been filed.`;
  if (refused === 0) return done;
  const were = `${filed} of ${count(filed + refused, 'queued alert')} ${filed === 1 ? 'was' : 'were'} filed`;
  return `${were}; the service rejected ${refused === 1 ? 'the other' : 'the others'} (see ${refused === 1 ? 'its card' : 'their cards'}).`;
}
