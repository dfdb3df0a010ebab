import { z } from 'zod';
import type { Checkpoint, Clock } from '../../lib/clock.ts';
import { createInTurn, createQueueWorker, type Wakeup, type Worker } from '../../lib/worker-loop.ts';
import { statusChanges } from '../issues/change-status.ts';
import { threadTitle } from '../render/asking/prompts.ts';
import type { Logger } from '../shared/log.ts';
import type { Store } from '../store/open.ts';
import type { Session, SessionStatus, SessionThread } from '../store/sessions.ts';
import { NO_STOP_BUTTON } from './bolt-logger.ts';
import { call, type Slack, TooEarly } from './delivery/calls.ts';
import { classifySlackError } from './errors.ts';

/**
 * What a session is called: as the issue that lives in its thread, or else as the thread's first question. `null` if
 * there is neither.
 */
async function sessionTitle(
  { channel, threadTs }: SessionThread,
  { conversations, questions, issues }: Pick<Store, 'conversations' | 'questions' | 'issues'>,
): Promise<string | null> {
  const issue = await issues.byThread(channel, threadTs);
  if (issue !== null) return threadTitle(issue.title);
  const conversation = await conversations.byThread(channel, threadTs);
  const first = conversation === null ? null : await questions.first(conversation.id);
  return first === null ? null : threadTitle(first.text);
}

/** The app may be declared an agent, and the plan may change, at any time: so often it is found out. */
const ASK_AGAIN_MS = 60 * 60_000;
const MOST = 1_000;

/** What Slack does not do for this app, or in a conversation, until it is asked again. */
export interface Refusals {
  has(what: string): boolean;
  /**
   * Slack has refused it: it is not asked for an hour.
   *
   * @param consequence what happens instead, for the log, once for each sentence
   */
  add(what: string, error: unknown, consequence: string): void;
}

export function createRefusals({ clock, log }: { clock: Clock; log: Pick<Logger, 'info'> }): Refusals {
  const until = new Map<string, number>();
  const logged = new Set<string>();
  return {
    has: (what) => (until.get(what) ?? 0) > clock.now(),
    add: (what, error, consequence) => {
      if (until.size >= MOST) until.clear();
      until.set(what, clock.now() + ASK_AGAIN_MS);
      if (logged.has(consequence)) return;
      logged.add(consequence);
      log.info({ err: error }, consequence);
    },
  };
}

/** Slack lets `processing` lapse after an hour; setting it again starts the hour again. */
const RENEW_MS = 50 * 60_000;

/** Slack's errors for an app that is no agent, and where there are no sessions. */
const NO_SESSIONS = new Set([
  'feature_disabled',
  'method_not_supported_for_channel_type',
  'missing_scope',
  'not_allowed_token_type',
  'not_authorized',
  'unknown_method',
]);
/** These say something of the conversation alone; anywhere but in a direct message, the first means that we are no member. */
const OF_THE_CHANNEL = new Set(['not_authorized', 'method_not_supported_for_channel_type']);
const WITHOUT_SESSIONS =
  'Slack has no agent sessions for this app; it does not show what Gumshoe works on (see docs/operations.md)';

const Answer = z.looseObject({
  title: z.string().nullish().catch(null),
  response_metadata: z
    .looseObject({ warnings: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** `later`: Slack could not be reached now. `refused`: it has no session there. */
type Shown = 'shown' | 'later' | 'refused';

/** What Slack shows of the work in a thread: agent sessions. */
export interface Sessions {
  /** Has Slack show the status of a thread's session, which begins there with its title. Never rejects for an error of Slack's. */
  show(thread: SessionThread, status: SessionStatus): Promise<Shown>;
  /** A stream is about to open: Slack shows `processing` with it. */
  streamOpens(thread: SessionThread): Promise<void>;
  /** What the session is to be once a stream has ended; `null` if there is none, so that nothing is said of it. */
  afterStream(thread: SessionThread): Promise<SessionStatus | null>;
  streamEnded(thread: SessionThread, status: SessionStatus): Promise<void>;
}

interface SessionsOptions {
  slack: Slack;
  store: Store;
  refusals: Refusals;
  checkpoint: Checkpoint;
}

export function createSessions({ slack, store, refusals, checkpoint }: SessionsOptions): Sessions {
  const { clock, log } = slack;
  const inTurn = createInTurn();
  let isWarned = false;

  const isRefused = ({ channel, threadTs }: SessionThread) =>
    ['sessions', `sessions in ${channel}`, `session ${channel} ${threadTs}`].some(refusals.has);

  async function setStatus(thread: SessionThread, status: SessionStatus): Promise<Shown> {
    if (isRefused(thread)) return 'refused';
    const { channel, threadTs } = thread;
    const known = await store.sessions.get(thread);
    if (known === null && status === 'active') return 'shown';
    if (known !== null && isUpToDate(known, status)) return 'shown';
    const which = { method: 'agents.sessions.setStatus', channel } as const;
    if (slack.pace.earliest(which, clock.now()) > clock.now()) return 'later';
    const title = known?.named === true ? null : await sessionTitle(thread, store);
    await store.sessions.notifying(thread, status, clock.now());
    await checkpoint('session: before send');
    const about = { channel_id: channel, thread_ts: threadTs, status };
    const answered = await call(slack, which, (client) =>
      client.agents.sessions.setStatus({ ...about, ...(title === null ? {} : { title }) }),
    ).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    await checkpoint('session: answered');
    if ('error' in answered) return notNotified(thread, answered.error);
    await store.sessions.notified(thread, status, clock.now());
    await applyResponse(thread, title, Answer.parse(answered.answer));
    return 'shown';
  }

  function isUpToDate({ status: shown, pending, notifiedAt }: Session, status: SessionStatus): boolean {
    if (pending || shown !== status) return false;
    return status !== 'processing' || clock.now() - notifiedAt < RENEW_MS;
  }

  /** A title is only taken where the session begins with this call; one that a person gave stays. */
  async function applyResponse(
    thread: SessionThread,
    title: string | null,
    answer: z.infer<typeof Answer>,
  ): Promise<void> {
    if (answer.response_metadata?.warnings?.includes(NO_STOP_BUTTON) && !isWarned) {
      isWarned = true;
      log.warn(
        'Slack shows no stop button: subscribe the app to agent_session_stopped, as manifest.yml does',
      );
    }
    if (title === null) return;
    if (!answer.title) await rename(thread, title);
    await store.sessions.named(thread, clock.now());
  }

  async function rename({ channel, threadTs }: SessionThread, title: string): Promise<void> {
    const named = { channel_id: channel, thread_ts: threadTs, title };
    try {
      await call(slack, { method: 'agents.sessions.rename', channel }, (client) =>
        client.agents.sessions.rename(named),
      );
    } catch (error) {
      log.debug({ err: error, channel }, 'could not set the title of a session');
    }
  }

  async function notNotified(thread: SessionThread, error: unknown): Promise<Shown> {
    const failure = classifySlackError(error);
    if (error instanceof TooEarly || failure.kind !== 'refused') {
      log.debug({ err: error, channel: thread.channel }, 'could not set the status of a session');
      return 'later';
    }
    await store.sessions.drop(thread);
    const { channel, threadTs } = thread;
    if (!NO_SESSIONS.has(failure.error)) {
      const consequence = `Slack refuses the status of a session (${failure.error})`;
      refusals.add(`session ${channel} ${threadTs}`, error, consequence);
    } else if (OF_THE_CHANNEL.has(failure.error) && !channel.startsWith('D')) {
      refusals.add(`sessions in ${channel}`, error, WITHOUT_SESSIONS);
    } else {
      refusals.add('sessions', error, WITHOUT_SESSIONS);
    }
    return 'refused';
  }

  return {
    show: (thread, status) => inTurn(`${thread.channel} ${thread.threadTs}`, () => setStatus(thread, status)),

    streamOpens: async (thread) => {
      if (!isRefused(thread)) await store.sessions.changedByStream(thread, 'processing', clock.now());
    },

    afterStream: async (thread) => {
      if (isRefused(thread) || (await store.sessions.get(thread)) === null) return null;
      const conversation = await store.conversations.byThread(thread.channel, thread.threadTs);
      const underWay = conversation === null ? [] : await store.questions.underWay(conversation.id);
      return underWay.length > 0 ? 'processing' : 'active';
    },

    streamEnded: (thread, status) => store.sessions.changedByStream(thread, status, clock.now()),
  };
}

/** While something is running, or an update to Slack is due. */
const BUSY_MS = 1_000;
/** Nobody waits for the answer to an offer any more that is older. */
const OFFERED_MS = 24 * 60 * 60_000;
/** An investigation that takes longer is not what somebody sits and waits for. */
const INVESTIGATING_MS = 2 * 60 * 60_000;
/** An answer that cannot be posted keeps its session busy no longer. */
const POSTING_MS = 10 * 60_000;

/**
 * Keeps what Slack shows of the sessions equal to what is running, according to the store: `processing` while an answer, or an
 * investigation that somebody asked for, is under way; `suspended` while late questions wait for a press; else `active`, and `closed` once the issue is resolved.
 * What an earlier process left `processing` is looked at like everything else.
 */
export function createSessionKeeper({
  store,
  sessions,
  clock,
  log,
  wakeup,
}: {
  store: Store;
  sessions: Pick<Sessions, 'show'>;
  clock: Clock;
  log: Logger;
  wakeup: Wakeup;
}): Worker & { round(signal: AbortSignal): Promise<number> } {
  async function round(signal: AbortSignal): Promise<number> {
    const now = clock.now();
    const wanted = await store.sessions.wanted({
      offered: now - OFFERED_MS,
      investigating: now - INVESTIGATING_MS,
      again: statusChanges.investigateAgain.did,
    });
    const busy = new Set(wanted.map(threadKey));
    const resolved = await store.sessions.resolved();
    const ended = new Set(resolved.map(threadKey));
    const left = (await store.sessions.open()).filter((session) => !ended.has(threadKey(session)));
    const over = [...left, ...resolved].filter((session) => !busy.has(threadKey(session)));
    let isBusy = left.some((session) => !busy.has(threadKey(session)));
    for (const session of over) {
      const waits = signal.aborted || (await isBeingPosted(session, now));
      const status = ended.has(threadKey(session)) ? 'closed' : 'active';
      const shown = waits ? 'later' : await sessions.show(session, status);
      isBusy ||= shown === 'later';
    }
    for (const { status, ...thread } of wanted) {
      const shown = signal.aborted ? 'later' : await sessions.show(thread, status);
      isBusy ||= status === 'processing' || shown === 'later';
    }
    return isBusy ? BUSY_MS : Number.POSITIVE_INFINITY;
  }

  /** Slack shows the work as over only once people can read what came of it. */
  async function isBeingPosted(session: Session, now: number): Promise<boolean> {
    if (session.status !== 'processing' || now - session.notifiedAt > POSTING_MS) return false;
    return store.sessions.isAnswerDue(session);
  }

  const rounds = createQueueWorker({
    round,
    wakeup,
    onError: (error) => log.error({ err: error }, 'could not update the sessions'),
  });
  return { start: rounds.start, stop: rounds.stop, round };
}

function threadKey({ channel, threadTs }: Pick<Session, 'channel' | 'threadTs'>): string {
  return `${channel} ${threadTs}`;
}
