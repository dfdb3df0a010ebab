import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import { createWorkerLoop, type Worker } from '../../../lib/worker-loop.ts';
import { statusChanges } from '../../issues/change-status.ts';
import type { Store } from '../../store/open.ts';
import type { Session } from '../../store/sessions.ts';
import type { Sessions } from './sessions.ts';

const EVERY_MS = 1_000;
/** Nobody waits for the answer to an offer any more that is older. */
const OFFERED_MS = 24 * 60 * 60_000;
/** An investigation that takes longer is not what somebody sits and waits for. */
const INVESTIGATING_MS = 2 * 60 * 60_000;
/** An answer that cannot be posted keeps its session busy no longer. */
const POSTING_MS = 10 * 60_000;

/**
 * Keeps what Slack shows of the sessions equal to what goes on, as the store knows it: `processing` while an answer, or an
 * investigation that somebody asked for, is under way; `suspended` while late questions wait for a press; else `active`.
 * What an earlier process left `processing` is looked at like everything else.
 */
export function createSessionKeeper({
  store,
  sessions,
  clock,
  log,
}: {
  store: Store;
  sessions: Pick<Sessions, 'show'>;
  clock: Clock;
  log: Logger;
}): Worker & { round(signal: AbortSignal): Promise<void> } {
  async function round(signal: AbortSignal): Promise<void> {
    const now = clock.now();
    const wanted = await store.sessions.wanted({
      offered: now - OFFERED_MS,
      investigating: now - INVESTIGATING_MS,
      again: statusChanges.investigateAgain.did,
    });
    const busy = new Set(wanted.map(keyOf));
    const over = (await store.sessions.open()).filter((session) => !busy.has(keyOf(session)));
    for (const session of over) {
      if (signal.aborted) return;
      if (!(await isBeingPosted(session, now))) await sessions.show(session, 'active');
    }
    for (const { status, ...thread } of wanted) {
      if (signal.aborted) return;
      await sessions.show(thread, status);
    }
  }

  /** Slack shows the work as over only once people can read what came of it. */
  async function isBeingPosted(session: Session, now: number): Promise<boolean> {
    if (session.status !== 'processing' || now - session.toldAt > POSTING_MS) return false;
    return store.sessions.isAnswerDue(session);
  }

  const rounds = createWorkerLoop({
    round,
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.error({ err: error }, 'the sessions could not be kept up to date'),
  });
  return { start: rounds.start, stop: rounds.stop, round };
}

function keyOf({ channel, threadTs }: Pick<Session, 'channel' | 'threadTs'>): string {
  return `${channel} ${threadTs}`;
}
