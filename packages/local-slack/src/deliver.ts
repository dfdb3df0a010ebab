import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Delivery, DeliveryStore } from './store/store.ts';

/** The old way to tell that a delivery is Slack's, before signatures; still in every payload. */
export const VERIFICATION_TOKEN = 'local-verification-token';

/** How Slack signs a request, and names itself. */
export function signedHeaders(body: string, signingSecret: string, clock: Clock): Record<string, string> {
  const timestamp = String(Math.floor(clock.now() / 1000));
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${digest}`,
  };
}

/** What is delivered: Socket Mode's own names for it. */
export type EnvelopeKind = 'events_api' | 'slash_commands' | 'interactive';

/** Which attempt this is, from the second on. */
interface Retry {
  /** 1 to 3. */
  attempt: number;
  reason: string;
}

/** What became of one delivery. `body` is what the app answered: an object, or nothing. */
export type Ack =
  | { ok: true; body: Record<string, unknown> | undefined }
  | { ok: false; reason: FailureReason; noRetry?: boolean };

/** Slack's words for why a delivery failed. */
export type FailureReason = 'timeout' | 'connection_failed' | 'http_error';

/** A way to the app: Socket Mode or signed HTTP. */
export interface Transport {
  /** Whether anything takes deliveries now. */
  online(): boolean;
  /** Delivers once and waits at most 3 seconds for the acknowledgement. Never rejects. */
  deliver(kind: EnvelopeKind, payload: object, retry?: Retry): Promise<Ack>;
}

/** Signed deliveries over HTTP, to one address. */
export interface HttpDelivery extends Transport {
  /** Where deliveries go from now on; the address is verified before the first of them. */
  setUrl(url: string): void;
  /** Gives up what is under way. */
  close(): void;
}

interface HttpDeps {
  url: string;
  signingSecret: string;
  clock: Clock;
  /** Milliseconds to wait for an acknowledgement. */
  ackTimeoutMs: number;
  fetch: typeof fetch;
}

interface Answer {
  status: number;
  text: string;
  noRetry: boolean;
}

const JsonObject = z.record(z.string(), z.unknown());

/** What the app's answer says: a JSON object, or plain text as `{ text }`. */
function readAnswer(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return undefined;
  try {
    const parsed = JsonObject.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : { text };
  } catch {
    return { text };
  }
}

function encode(kind: EnvelopeKind, payload: object): { type: string; body: string } {
  if (kind === 'events_api') return { type: 'application/json', body: JSON.stringify(payload) };
  const form = new URLSearchParams(
    kind === 'interactive'
      ? { payload: JSON.stringify(payload) }
      : Object.entries(payload).map(([name, value]) => [name, String(value)]),
  );
  return { type: 'application/x-www-form-urlencoded', body: form.toString() };
}

/** Over HTTP, Slack calls a late answer `http_timeout`. */
function retryReason(retry: Retry): string {
  return retry.reason === 'timeout' ? 'http_timeout' : retry.reason;
}

export function createHttpDelivery(deps: HttpDeps): HttpDelivery {
  const { signingSecret, clock, ackTimeoutMs } = deps;
  const stopped = new AbortController();
  let url = deps.url;
  let verified: Promise<boolean> | undefined;

  const request = async (type: string, body: string, headers: Record<string, string>): Promise<Answer> => {
    const answered = new AbortController();
    const late = new AbortController();
    clock.sleep(ackTimeoutMs, answered.signal).then(
      () => late.abort(),
      () => undefined,
    );
    try {
      const response = await deps.fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.any([late.signal, stopped.signal]),
        headers: {
          'content-type': type,
          ...signedHeaders(body, signingSecret, clock),
          ...headers,
        },
      });
      const noRetry = response.headers.get('x-slack-no-retry') === '1';
      return { status: response.status, text: await response.text(), noRetry };
    } finally {
      answered.abort();
    }
  };

  /** Slack's question to a new address; it must give the challenge back. */
  const verify = async (): Promise<boolean> => {
    const challenge = `challenge-${Math.floor(clock.now())}`;
    const body = JSON.stringify({ token: VERIFICATION_TOKEN, challenge, type: 'url_verification' });
    try {
      const answer = await request('application/json', body, {});
      return answer.status === 200 && answer.text.includes(challenge);
    } catch {
      return false;
    }
  };

  const ensureVerified = async (): Promise<boolean> => {
    const asked = verified ?? verify();
    verified = asked;
    const fine = await asked;
    if (!fine && verified === asked) verified = undefined;
    return fine;
  };

  const attempt = async (kind: EnvelopeKind, payload: object, retry?: Retry): Promise<Ack> => {
    const { type, body } = encode(kind, payload);
    const headers = retry
      ? { 'x-slack-retry-num': String(retry.attempt), 'x-slack-retry-reason': retryReason(retry) }
      : {};
    const answer = await request(type, body, headers);
    if (answer.status >= 200 && answer.status < 300) return { ok: true, body: readAnswer(answer.text) };
    return { ok: false, reason: 'http_error', noRetry: answer.noRetry };
  };

  return {
    online: () => url !== '',
    setUrl: (next) => {
      url = next;
      verified = undefined;
    },
    close: () => stopped.abort(),
    deliver: async (kind, payload, retry) => {
      try {
        if (url === '' || !(await ensureVerified())) return { ok: false, reason: 'connection_failed' };
        return await attempt(kind, payload, retry);
      } catch (cause) {
        const aborted = cause instanceof Error && cause.name === 'AbortError';
        return { ok: false, reason: aborted ? 'timeout' : 'connection_failed' };
      }
    },
  };
}

/** Milliseconds before each retry, as Slack waits: at once, a minute, five minutes; then it is lost. */
const RETRY_DELAYS: readonly number[] = [0, 60_000, 300_000];

/** Delivers events until the app acknowledges them or their retries are used up; survives a restart. */
export interface EventQueue {
  /** Takes up what an earlier run left. */
  start(): void;
  add(id: string, body: object): void;
  /** Stops; what is not acknowledged stays for the next start. */
  close(): Promise<void>;
}

interface QueueDeps {
  store: DeliveryStore;
  transport: Transport;
  clock: Clock;
  delays?: readonly number[] | undefined;
}

export function createEventQueue({ store, transport, clock, delays = RETRY_DELAYS }: QueueDeps): EventQueue {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();

  const waitUntil = async (due: number): Promise<boolean> => {
    const wait = due - clock.now();
    if (wait <= 0) return true;
    return clock.sleep(wait, stop.signal).then(
      () => true,
      () => false,
    );
  };

  const deliver = async (first: Delivery): Promise<void> => {
    let delivery = first;
    while (await waitUntil(delivery.due_at)) {
      const body: object = JSON.parse(delivery.payload);
      const { attempt, reason } = delivery;
      const ack = await transport.deliver('events_api', body, attempt > 0 ? { attempt, reason } : undefined);
      if (stop.signal.aborted && !ack.ok) return;
      const delay = delays[attempt];
      if (ack.ok || ack.noRetry || delay === undefined) {
        store.done(delivery.id);
        return;
      }
      const due_at = Math.floor(clock.now() + delay);
      delivery = { ...delivery, attempt: attempt + 1, reason: ack.reason, due_at };
      store.postpone(delivery);
    }
  };

  const run = (delivery: Delivery) => {
    const task = deliver(delivery).finally(() => running.delete(task));
    running.add(task);
  };

  return {
    start: () => {
      for (const delivery of store.pending()) run(delivery);
    },
    add: (id, body) => {
      const due_at = Math.floor(clock.now());
      const delivery: Delivery = { id, payload: JSON.stringify(body), attempt: 0, reason: '', due_at };
      store.add(delivery);
      run(delivery);
    },
    close: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}
