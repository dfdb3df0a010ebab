import { z } from 'zod';
import type { Checkpoint } from '../../../lib/checkpoint.ts';
import { createInTurn } from '../../../lib/in-turn.ts';
import type { Store } from '../../store/open.ts';
import type { Session, SessionStatus, SessionThread } from '../../store/sessions.ts';
import { NO_STOP_BUTTON } from '../bolt-logger.ts';
import { call, type Slack, TooEarly } from '../delivery/calls.ts';
import { classifySlackError } from '../errors.ts';
import type { Refusals } from './refusals.ts';
import { sessionTitle } from './title.ts';

/** Slack lets `processing` lapse after an hour; telling it again starts the hour again. */
const RENEW_MS = 50 * 60_000;

/** What Slack says to an app that is no agent, or where it has no sessions. */
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

/** `later`: Slack could not be told now. `refused`: it has no session there. */
export type Shown = 'shown' | 'later' | 'refused';

/** What Slack shows of the work in a thread: agent sessions (DESIGN section 4, *Sessions*). */
export interface Sessions {
  /** Has Slack show the status of a thread's session, which begins there with its title. Never rejects for what Slack says. */
  show(thread: SessionThread, status: SessionStatus): Promise<Shown>;
  /** A stream is about to open: Slack shows `processing` with it. */
  streamOpens(thread: SessionThread): Promise<void>;
  /** What the session is to be once a stream has ended; `null` if there is none, so that nothing is said of it. */
  afterStream(thread: SessionThread): Promise<SessionStatus | null>;
  /** The stream has ended so. */
  streamEnded(thread: SessionThread, status: SessionStatus): Promise<void>;
}

export interface SessionsOptions {
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

  async function tell(thread: SessionThread, status: SessionStatus): Promise<Shown> {
    if (isRefused(thread)) return 'refused';
    const { channel, threadTs } = thread;
    const known = await store.sessions.get(thread);
    if (known === null && status === 'active') return 'shown';
    if (known !== null && stands(known, status)) return 'shown';
    const which = { method: 'agents.sessions.setStatus', channel } as const;
    if (slack.pace.earliest(which, clock.now()) > clock.now()) return 'later';
    const title = known?.named === true ? null : await sessionTitle(thread, store);
    await store.sessions.telling(thread, status, clock.now());
    await checkpoint('session: before send');
    const about = { channel_id: channel, thread_ts: threadTs, status };
    const answered = await call(slack, which, (client) =>
      client.agents.sessions.setStatus({ ...about, ...(title === null ? {} : { title }) }),
    ).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    await checkpoint('session: answered');
    if ('error' in answered) return notTold(thread, answered.error);
    await store.sessions.told(thread, status, clock.now());
    await heed(thread, title, Answer.parse(answered.answer));
    return 'shown';
  }

  function stands({ status: shown, telling, toldAt }: Session, status: SessionStatus): boolean {
    if (telling || shown !== status) return false;
    return status !== 'processing' || clock.now() - toldAt < RENEW_MS;
  }

  /** A title is only taken where the session begins with this call; one that a person gave stays. */
  async function heed(
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
      log.debug({ err: error, channel }, 'a session has no title');
    }
  }

  async function notTold(thread: SessionThread, error: unknown): Promise<Shown> {
    const failure = classifySlackError(error);
    if (error instanceof TooEarly || failure.kind !== 'refused') {
      log.debug({ err: error, channel: thread.channel }, 'Slack could not be told the status of a session');
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
    show: (thread, status) => inTurn(`${thread.channel} ${thread.threadTs}`, () => tell(thread, status)),

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
