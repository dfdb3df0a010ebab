import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { type Clock, systemClock } from '../clock.ts';
import type { Ack, EnvelopeKind } from '../deliver/transport.ts';

/** Why Slack ends a connection. `warning` says that it will, some seconds later. */
export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled';

/** The message on the wire; `retry_…` on events only. */
interface Envelope {
  envelope_id: string;
  type: EnvelopeKind;
  payload: object;
  accepts_response_payload: boolean;
  retry_attempt?: number;
  retry_reason?: string;
}

/** One app's open Socket Mode connection. */
export interface SocketConnection {
  /** Whether new deliveries should rather go elsewhere. */
  leaving(): boolean;
  /** Sends an envelope and waits for its acknowledgement, as long as Slack does. */
  ask(envelope: Envelope): Promise<Ack>;
  disconnect(reason: DisconnectReason): void;
  /** Breaks off without a word. */
  drop(): void;
  /** Says goodbye, and hangs up after a second without an answer. */
  close(): Promise<void>;
}

const PING_EVERY = 10_000;
const CLOSE_AFTER = 10_000;

const AckFrame = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

function readAck(data: string): z.infer<typeof AckFrame> | undefined {
  try {
    return AckFrame.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

interface ConnectionDeps {
  clock: Clock;
  /** Milliseconds to wait for an acknowledgement. */
  ackTimeoutMs: number;
}

/** Takes over an accepted WebSocket: pings it, sends envelopes, hears acknowledgements. */
export function createSocketConnection(
  ws: WebSocket,
  { clock, ackTimeoutMs }: ConnectionDeps,
): SocketConnection {
  const waiting = new Map<string, (ack: Ack) => void>();
  const closed = new AbortController();
  let leaving = false;
  let answered = true;

  ws.on('message', (data) => {
    const frame = readAck(data.toString());
    if (!frame) return;
    waiting.get(frame.envelope_id)?.({ ok: true, body: frame.payload });
    waiting.delete(frame.envelope_id);
  });
  ws.on('pong', () => {
    answered = true;
  });
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    closed.abort();
    for (const settle of waiting.values()) settle({ ok: false, reason: 'connection_failed' });
    waiting.clear();
  });

  /** Waits on the clock; false once the connection is closed. */
  const pause = (ms: number, signal: AbortSignal = closed.signal, on: Clock = clock): Promise<boolean> =>
    on.sleep(ms, signal).then(
      () => true,
      () => false,
    );

  // Not on the injected clock: the wire is as slow as it is, however fast a test lets time pass.
  const keepAlive = async () => {
    while (await pause(PING_EVERY, closed.signal, systemClock)) {
      if (!answered) return ws.terminate();
      answered = false;
      ws.ping();
    }
  };
  void keepAlive();

  return {
    leaving: () => leaving,
    ask: async (envelope) => {
      const done = new AbortController();
      const answer = new Promise<Ack>((resolve) => {
        waiting.set(envelope.envelope_id, resolve);
      });
      ws.send(JSON.stringify(envelope));
      const late = pause(ackTimeoutMs, done.signal).then((): Ack => ({ ok: false, reason: 'timeout' }));
      const ack = await Promise.race([answer, late]);
      waiting.delete(envelope.envelope_id);
      done.abort();
      return ack;
    },
    disconnect: (reason) => {
      leaving = true;
      ws.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-local' } }));
      if (reason === 'link_disabled') ws.close(1000);
      else void pause(CLOSE_AFTER).then((open) => open && ws.close(1000));
    },
    drop: () => ws.terminate(),
    close: async () => {
      ws.close(1000);
      // Not on the injected clock: a workspace must stop even if that clock does not move.
      const deadline = setTimeout(() => ws.terminate(), 1_000);
      if (!closed.signal.aborted) await once(closed.signal, 'abort');
      clearTimeout(deadline);
    },
  };
}
