import { connect, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { raceAbort } from '../../lib/clock.ts';
import { redactor } from '../../lib/redact.ts';
import { codeOf, NETWORK } from '../telemetry/http.ts';
import type { DatabaseSettings } from './settings.ts';

/** What one look may cost a database, whatever state it is in. */
export const LIMITS = { statements: 10, statementMs: 2_000, ms: 5_000, bytes: 8 * 1024 * 1024 } as const;

/** Shown in the database's own list of sessions. */
export const APPLICATION = 'gumshoe';

/**
 * Why nothing was read. `full`, `slow` and `unreachable` are findings about the database; the others are about the way to
 * it, or about its account.
 */
export type Refusal =
  | 'full'
  | 'slow'
  | 'unreachable'
  | 'denied'
  | 'untrusted'
  | 'too long'
  | 'not it'
  | 'used up';

/** A failure, as a sentence for people that holds no secret. */
export class Refused extends Error {
  override name = 'Refused';
  readonly why: Refusal;
  constructor(why: Refusal, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.why = why;
  }
}

/** What is spent of the limits on one connection. */
export interface Session {
  /** Aborted when the five seconds are over, or too much was answered. */
  readonly signal: AbortSignal;
  /** Connects and logs in, within two seconds as a statement. */
  connect<T>(work: () => Promise<T>): Promise<T>;
  /** Runs one statement; rejects with `Refused` after two seconds, or when ten were sent. */
  statement<T>(send: () => Promise<T>): Promise<T>;
  /** Waits between two readings. */
  pause(ms: number): Promise<void>;
  /** Counts what was received. */
  took(bytes: number): void;
  end(): void;
}

export function openSession(settings: DatabaseSettings, title: string, limits: Limits = LIMITS): Session {
  const over = new AbortController();
  const what = `${title} ${settings.name}`;
  const refuse = (why: Refusal, sentence: string) => new Refused(why, sentence);
  const late = refuse('slow', `${what} did not answer within ${limits.ms / 1000} s.`);
  const timer = setTimeout(() => over.abort(late), limits.ms);
  let statements = 0;
  let bytes = 0;
  async function within<T>(send: () => Promise<T>): Promise<T> {
    over.signal.throwIfAborted();
    const own = new AbortController();
    const slow = refuse('slow', `${what} did not answer within ${limits.statementMs / 1000} s.`);
    const wait = setTimeout(() => own.abort(slow), limits.statementMs);
    try {
      return await raceAbort(AbortSignal.any([over.signal, own.signal]), send());
    } finally {
      clearTimeout(wait);
    }
  }

  return {
    signal: over.signal,
    connect: async (work) => {
      try {
        return await within(work);
      } catch (error) {
        if (!(error instanceof Refused) || error.why !== 'slow' || bytes === 0) throw error;
        throw refuse(
          'not it',
          `The answer of ${what} does not end as ${title}’s do: another program is at its address (check it in DATABASES), or it hangs during login.`,
        );
      }
    },
    statement: async (send) => {
      if (statements >= limits.statements)
        throw refuse('used up', `${what} is asked no more than ${limits.statements} things at a time.`);
      statements += 1;
      return within(send);
    },
    pause: (ms) => raceAbort(over.signal, new Promise((resolve) => setTimeout(resolve, ms))),
    took: (count) => {
      bytes += count;
      if (bytes > limits.bytes)
        over.abort(
          refuse(
            'too long',
            `${what} answered with more than ${limits.bytes / 1_048_576} MiB; it was not read.`,
          ),
        );
    },
    end: () => {
      clearTimeout(timer);
      over.abort(refuse('used up', `The time for reading ${what} is over.`));
    },
  };
}

interface Limits {
  statements: number;
  statementMs: number;
  ms: number;
  bytes: number;
}

const WATCH_MS = 10;

/** A socket to the database that ends with the session, and counts what comes, also below a driver's own TLS. */
export function socketTo({ host, port }: DatabaseSettings, session: Session): Socket {
  const socket = connect({ host, port, noDelay: true });
  watched(socket, session);
  return socket;
}

/** The same for a driver that connects it by itself. */
export function idleSocket(session: Session): Socket {
  const socket = new Socket();
  watched(socket, session);
  return socket;
}

/** The same with TLS, where no driver begins it. */
export function secureSocketTo(settings: DatabaseSettings, session: Session): Socket {
  const { host, port, tls } = settings;
  if (!tls) return socketTo(settings, session);
  const socket = connectTls({ host, port, servername: host });
  watched(socket, session);
  return socket;
}

function watched(socket: Socket, session: Session): void {
  let seen = 0;
  const watch = setInterval(() => {
    session.took(socket.bytesRead - seen);
    seen = socket.bytesRead;
  }, WATCH_MS);
  const destroy = () => socket.destroy();
  session.signal.addEventListener('abort', destroy, { once: true });
  socket.once('close', () => clearInterval(watch));
  // Whoever waits for an answer is told by the driver; without a listener the event would end the process.
  socket.on('error', () => undefined);
}

/** A failure that is none of the database's own answers: of the network, of TLS, or of something else at this address. */
export function refusedBy(error: unknown, settings: DatabaseSettings, title: string): Refused {
  if (error instanceof Refused) return error;
  const at = `${title} ${settings.name} at ${settings.host}:${settings.port}`;
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  if (inner instanceof Refused) return inner;
  const code = codeOf(inner);
  const options = { cause: error };
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|SSL|TLS/u.test(code))
    return new Refused(
      'untrusted',
      `${at} has a certificate that is not trusted (${code}): set NODE_EXTRA_CA_CERTS to your certificate authority, and name it in DATABASES by a name that is in its certificate.`,
      options,
    );
  const network =
    NETWORK[code] ??
    (/terminated|closed|lost|ended/iu.test(messageOf(inner)) ? 'the connection was cut' : undefined);
  if (network !== undefined)
    return new Refused('unreachable', `${at} could not be reached: ${network}.`, options);
  return new Refused(
    'not it',
    `${at} did not answer as ${title} does (${messageOf(inner)}): check its address in DATABASES.`,
    options,
  );
}

const redact = redactor();

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (
    redact(text)
      .replaceAll(/[\p{Cc}\p{Cf}\s`]+/gu, ' ')
      .trim()
      .slice(0, 200) || 'no reason given'
  );
}
