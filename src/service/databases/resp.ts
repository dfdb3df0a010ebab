import { once } from 'node:events';
import { Refused, type Session, secureSocketTo } from './session.ts';
import type { DatabaseSettings } from './settings.ts';

/*
 * Redis' protocol (RESP 2), as much of it as reading takes. The usual client reads answers of any length, has no way to be
 * handed a socket, and brings five packages; this one ends at the session's limits.
 */

/** What Redis answers. An error is a value: some commands of several may be refused. */
export type Reply = string | number | null | RedisError | Reply[];

export class RedisError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export interface RedisConnection {
  /** Sends commands together, and resolves to their answers in order. */
  send(commands: readonly (readonly string[])[]): Promise<Reply[]>;
  close(): void;
}

export async function connectRedis(settings: DatabaseSettings, session: Session): Promise<RedisConnection> {
  const socket = secureSocketTo(settings, session);
  let unread = Buffer.alloc(0);
  let failure: Error | null = null;
  let wake: () => void = () => undefined;
  const fail = (error: Error) => {
    failure ??= error;
    wake();
  };
  socket.on('error', fail);
  socket.on('close', () =>
    fail(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })),
  );
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, Buffer.from(chunk)]);
    wake();
  });
  await once(socket, settings.tls ? 'secureConnect' : 'connect');

  async function next(): Promise<Reply> {
    for (;;) {
      const found = parse(unread, 0);
      if (found !== null) {
        unread = unread.subarray(found.end);
        return found.value;
      }
      if (failure !== null) throw session.signal.aborted ? session.signal.reason : failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    send: async (commands) => {
      socket.write(commands.map(encode).join(''));
      const replies: Reply[] = [];
      for (const _ of commands) replies.push(await next());
      return replies;
    },
    close: () => socket.destroy(),
  };
}

function encode(command: readonly string[]): string {
  return `*${command.length}\r\n${command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}

const DEEPEST = 8;

/** The value that begins at a place, and where it ends; `null` if it has not all come yet. */
function parse(bytes: Buffer, at: number, depth = 0): { value: Reply; end: number } | null {
  const lineEnd = bytes.indexOf('\r\n', at);
  if (lineEnd < 0) {
    if (bytes.length - at > 64 * 1024) throw notRedis();
    return null;
  }
  const line = bytes.toString('utf8', at + 1, lineEnd);
  const end = lineEnd + 2;
  const count = Number(line);
  switch (String.fromCodePoint(bytes[at] ?? 0)) {
    case '+':
      return { value: line, end };
    case '-':
      return { value: new RedisError(line.slice(0, 300)), end };
    case ':':
      return { value: count, end };
    case '$': {
      if (!Number.isInteger(count)) throw notRedis();
      if (count < 0) return { value: null, end };
      if (bytes.length < end + count + 2) return null;
      return { value: bytes.toString('utf8', end, end + count), end: end + count + 2 };
    }
    case '*': {
      if (!Number.isInteger(count) || depth >= DEEPEST) throw notRedis();
      if (count < 0) return { value: null, end };
      const items: Reply[] = [];
      let from = end;
      for (let i = 0; i < count; i++) {
        const item = parse(bytes, from, depth + 1);
        if (item === null) return null;
        items.push(item.value);
        from = item.end;
      }
      return { value: items, end: from };
    }
    default:
      throw notRedis();
  }
}

function notRedis(): Error {
  return new Error('what it answers is not Redis’ protocol');
}

/** Errors by which Redis refuses a connection or everything. */
export function refusedWith({ message }: RedisError, what: string): Refused | null {
  if (/^ERR max number of clients/iu.test(message))
    return new Refused('full', `${what} accepts no more connections: maxclients is reached.`);
  if (/^(?:NOAUTH|WRONGPASS|ERR invalid password|ERR AUTH)/iu.test(message))
    return new Refused('denied', `${what} refuses the account: correct it in DATABASES, or its password.`);
  if (/^LOADING/u.test(message))
    return new Refused(
      'unreachable',
      `${what} is loading its data from disk, and answers nothing until it has.`,
    );
  if (/^MASTERDOWN/u.test(message))
    return new Refused('unreachable', `${what} is a replica that has lost its master, and answers nothing.`);
  return null;
}
