import { date } from '../dates.ts';
import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';
import { count } from '../words.ts';

/** Alerts of one channel that wait, or waited, for the service; moments in milliseconds. */
export interface WaitingView {
  /** Why: it does not work, it refuses the key, it does not let the key file issues. */
  cause: 'service:down' | 'service:key' | 'service:right:issues.create';
  since: number;
  /** When it took one of them again; `null` while it does not. */
  back: number | null;
  waiting: number;
  filed: number;
  /** Those that it did not take for what they say. */
  refused: number;
}

/** The one line that a channel gets of an outage: since when, how many wait, and in the end what became of them. */
export function renderWaiting(view: WaitingView): Rendered {
  const text = sentence(view);
  return fitMessage({ text, blocks: [section(text)] });
}

function sentence({ cause, since, back, waiting, filed, refused }: WaitingView): string {
  const all = waiting + filed + refused;
  if (back === null && waiting > 0) {
    const wait = `${count(waiting, 'alert')} ${waiting === 1 ? 'waits' : 'wait'}`;
    return `⏳ ${why(cause, since)} ${wait} here, in order, to be filed when it is back. Nothing has to be done.`;
  }
  const after = `The investigation service is back${back === null ? '' : ` since ${date(back)}`}; it was away from ${date(since)} on.`;
  if (waiting > 0) {
    return `🔄 ${after} What waited here is being filed, the oldest first: ${filed} of ${count(all, 'alert')} so far.`;
  }
  return `✅ ${after} ${outcome(filed, refused)}`;
}

function why(cause: WaitingView['cause'], since: number): string {
  switch (cause) {
    case 'service:down':
      return `The investigation service has not worked since ${date(since)}.`;
    case 'service:key':
      return `The investigation service has not taken my API key since ${date(since)}; my admins have been told.`;
    case 'service:right:issues.create':
      return `The investigation service has not let me file issues since ${date(since)}; my admins have been told.`;
  }
}

function outcome(filed: number, refused: number): string {
  const done =
    filed === 1
      ? 'The alert that waited here was filed.'
      : `All ${filed} alerts that waited here were filed.`;
  if (refused === 0) return done;
  const were = `${filed} of ${count(filed + refused, 'alert')} that waited here ${filed === 1 ? 'was' : 'were'} filed`;
  return `${were}; the service did not take ${refused === 1 ? 'the other' : 'the others'}, as ${refused === 1 ? 'its card says' : 'their cards say'}.`;
}
