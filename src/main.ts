import type { RequestListener } from 'node:http';
import { type Bot, createBot } from './bot/compose/index.ts';
import { readConfig } from './bot/config.ts';
import type { CompleteConfig } from './bot/deps.ts';
import { createLogger, type Logger } from './bot/shared/log.ts';
import { systemClock, whenAborted, withTimeout } from './lib/clock.ts';
import { type Environment, type Io, OperatorError, onStopSignals, processIo, STOPPING } from './lib/io.ts';
import { redactedIo } from './lib/redact.ts';

const SHUTDOWN_MS = 9_000;

export interface RunOptions {
  /** Called once the bot is up. */
  onStarted?: (bot: Bot) => void;
  /** Whether a person watches it in a terminal, who is told that it stops. */
  announceStop?: boolean;
  /** Other paths that this program serves on `PORT`. */
  beside?: Readonly<Record<string, RequestListener>>;
  /** Serves every other path on `PORT`. */
  page?: RequestListener;
  /** Stops what was started beside the bot. */
  afterwards?: () => Promise<void>;
}

/**
 * Runs the bot until SIGTERM or SIGINT, then stops it in order.
 *
 * @returns the exit code: 0 after an ordered stop, 1 when it could not start or Slack refused it.
 */
export async function run(config: CompleteConfig, io: Io, options: RunOptions = {}): Promise<number> {
  const log = createLogger(config.logLevel, io.log, config.secrets);
  const stop = new AbortController();
  let refused: string | null = null;
  onStopSignals({
    clock: systemClock,
    stop: () => {
      if (options.announceStop) io.out(STOPPING);
      stop.abort();
    },
    atOnce: () => process.exit(1),
    signals: io.process,
  });
  io.process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));
  try {
    const bot = await createBot(config, {
      log,
      signal: stop.signal,
      beside: options.beside ?? {},
      ...(options.page && { page: options.page }),
      onTerminal: (sentence) => {
        refused = sentence;
        stop.abort();
      },
    });
    log.info({ url: bot.url }, 'Gumshoe is running');
    if (!stop.signal.aborted) options.onStarted?.(bot);
    await whenAborted(stop.signal);
    log.info('stopping');
    // Everything that matters is in the database, so what does not end in time may be left.
    await withTimeout(bot.stop(), {
      ms: SHUTDOWN_MS,
      clock: systemClock,
      onTimeout: () => log.warn('some work did not finish in time; the next start picks it up'),
    });
  } catch (error) {
    if (!stop.signal.aborted) {
      say(error, log, io);
      return 1;
    }
  } finally {
    await options.afterwards?.();
  }
  if (refused !== null) io.err(refused);
  return refused === null ? 0 : 1;
}

function say(error: unknown, log: Logger, io: Io): void {
  if (error instanceof OperatorError) io.err(error.message);
  else {
    log.fatal({ err: error }, 'Gumshoe could not start');
    io.err('Gumshoe could not start because of an unexpected error; see the log line above.');
  }
}

/** `node src/main.ts`: the bot alone, for a real Slack and a real service. @returns the exit code */
export async function main(_words: readonly string[], env: Environment, process: Io): Promise<number> {
  const io = redactedIo(process, env);
  const result = readConfig(env);
  if (!result.ok) {
    for (const problem of result.problems) io.err(problem);
    return 1;
  }
  const { slack, service } = result.config;
  if (slack === null || service === null) {
    io.err(
      'This command embeds nothing: set SLACK_BOT_TOKEN with SLACK_APP_TOKEN (or SLACK_SIGNING_SECRET), and ' +
        'ISSUE_SERVICE_URL with ISSUE_SERVICE_API_KEY. `npm start` embeds what is missing.',
    );
    return 1;
  }
  return run({ ...result.config, slack, service }, io);
}

if (import.meta.main) process.exit(await main(process.argv.slice(2), process.env, processIo));
