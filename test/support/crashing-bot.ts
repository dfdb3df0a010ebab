import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Bot, createBot } from '../../src/bot/compose/index.ts';
import { readConfig } from '../../src/bot/config.ts';
import { createLogger } from '../../src/bot/shared/log.ts';
import { openStore, type Store } from '../../src/bot/store/open.ts';
import type { Surroundings } from './program.ts';
import { startNetworkProxy } from './proxies/network-proxy.ts';

/**
 * The bot in this process, which can end as in a crash. When it does,
 *
 * - the database is closed as it is, so that what is not committed is gone and the next bot can open it;
 * - every call of the store, sleep and checkpoint that is under way or comes later never returns;
 * - its connections to Slack are cut, and so are those of everybody who talks to it.
 *
 * So nothing of it writes, posts or answers any more. What a process shows beyond that (exit codes, the lock that the
 * operating system releases, files that were not flushed) is tested with processes.
 */
export interface CrashingBot {
  /** Where it serves; empty if it crashed while it started. */
  url: string;
  crashed: Promise<void>;
  hasCrashed(): boolean;
  /** Ends it now, whatever it does. */
  crash(): Promise<void>;
  /** Stops it in order, unless it has crashed; to be called in both cases. */
  stop(): Promise<void>;
}

export interface CrashingBotOptions {
  env?: Record<string, string>;
  /** The checkpoint at which it crashes … */
  crashAt?: string;
  /** … when it comes by there for so many times. */
  turn?: number;
  /** Is called with each checkpoint that it comes by. */
  onStep?: (name: string) => void;
  /** Where its log goes. */
  lines?: { write(line: string): void };
}

const NEVER = new Promise<never>(() => undefined);

/** Starts it; resolves when it is up, or has crashed before that. */
export async function startCrashingBot(
  around: Pick<Surroundings, 'clock' | 'env' | 'mode' | 'workspace'>,
  options: CrashingBotOptions = {},
): Promise<CrashingBot> {
  const env = { ...around.env, ...options.env };
  const toSlack = await startNetworkProxy(env.SLACK_API_URL ?? '');
  const result = readConfig({ ...env, SLACK_API_URL: toSlack.apiUrl });
  if (!result.ok) throw new Error(result.problems.join('\n'));
  const { slack, service, logLevel } = result.config;
  if (!slack || !service) throw new Error('the surroundings configure both');

  const { promise: crashed, resolve: isOver } = Promise.withResolvers<void>();
  let hasCrashed = false;
  let turnsLeft = options.turn ?? 1;
  let store: Store | null = null;
  let cutIncoming: () => void = () => undefined;

  const unlessCrashed: UnlessCrashed = async (work) => {
    if (hasCrashed) return NEVER;
    try {
      const value = await work();
      return hasCrashed ? await NEVER : value;
    } catch (error) {
      if (hasCrashed) return NEVER;
      throw error;
    }
  };
  const crash = async () => {
    if (hasCrashed) return crashed;
    hasCrashed = true;
    toSlack.cut();
    cutIncoming();
    await store?.close();
    isOver();
  };

  const starting = createBot(
    { ...result.config, slack, service },
    {
      log: createLogger(options.lines ? logLevel : (process.env.TEST_LOG ?? 'silent'), options.lines),
      signal: new AbortController().signal,
      onTerminal: (sentence) => {
        if (!hasCrashed) throw new Error(sentence);
      },
      clock: {
        now: around.clock.now,
        sleep: (ms, signal) => unlessCrashed(() => around.clock.sleep(ms, signal)),
      },
      open: async (location) => {
        store = await openStore(location);
        return endingWithTheBot(store, unlessCrashed);
      },
      checkpoint: async (name) => {
        if (hasCrashed) return NEVER;
        options.onStep?.(name);
        if (name !== options.crashAt) return;
        turnsLeft -= 1;
        if (turnsLeft > 0) return;
        void crash();
        return NEVER;
      },
    },
  );
  const bot: Bot | null = await Promise.race([starting, crashed.then(() => null)]);
  const incoming = bot === null ? null : await listenFor(bot.url);
  if (incoming !== null) {
    cutIncoming = incoming.cut;
    if (hasCrashed) incoming.cut();
    if (around.mode === 'http') around.workspace.setDelivery(`${incoming.url}/slack/events`);
  }
  return {
    url: incoming?.url ?? '',
    crashed,
    hasCrashed: () => hasCrashed,
    crash,
    stop: async () => {
      if (!hasCrashed) await bot?.stop();
      cutIncoming();
      await toSlack.close();
    },
  };
}

type UnlessCrashed = <T>(work: () => T | Promise<T>) => Promise<T>;

/** They answer from memory, without a promise. */
const SYNCHRONOUS: ReadonlySet<string | symbol> = new Set(['peek']);

/** The store, or a part of it, whose methods never return once the bot has crashed. */
function endingWithTheBot<T extends object>(part: T, unlessCrashed: UnlessCrashed): T {
  const partly = (value: unknown) =>
    typeof value === 'object' && value !== null ? endingWithTheBot(value, unlessCrashed) : value;
  // The work of a transaction gets the parts of the store as its argument.
  const workOf = (argument: unknown) =>
    typeof argument === 'function'
      ? (...parts: unknown[]) => Reflect.apply(argument, undefined, parts.map(partly))
      : argument;
  return new Proxy(part, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== 'function' || SYNCHRONOUS.has(name)) return partly(value);
      return (...args: unknown[]) => unlessCrashed(() => Reflect.apply(value, of, args.map(workOf)));
    },
  });
}

/** Passes connections on to the bot until they are cut; after that nobody reaches it. */
async function listenFor(url: string): Promise<{ url: string; cut(): void }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const bot = connect(Number(port), hostname);
    for (const socket of [client, bot]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    client.pipe(bot).pipe(client);
    client.on('close', () => bot.destroy());
    bot.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the bot’s front has no port');
  return address.port;
}
