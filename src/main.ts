import { type Bot, type CompleteConfig, startBot } from './bot/compose/index.ts';
import { type Config, readConfig } from './bot/config/config.ts';
import { secretsOf } from './bot/config/secrets.ts';
import { whenAborted, withTimeout } from './lib/abort.ts';
import type { Checkpoint } from './lib/checkpoint.ts';
import { systemClock } from './lib/clock.ts';
import { createLogger, type Logger, stdoutByTurn } from './lib/log.ts';
import { OperatorError } from './lib/operator-error.ts';
import { onStopSignals } from './lib/stop-signals.ts';

const SHUTDOWN_MS = 9_000;

export interface RunOptions {
  /** Called once the bot is up. */
  onStarted?: (bot: Bot) => void;
  /** Stops what was started beside the bot. */
  afterwards?: () => Promise<void>;
  checkpoint?: Checkpoint;
}

/**
 * Runs the bot until SIGTERM or SIGINT, then stops it in order.
 *
 * @returns the exit code: 0 after an ordered stop, 1 when it could not start or Slack refused it.
 */
export async function run(config: CompleteConfig, options: RunOptions = {}): Promise<number> {
  const log = createLogger(config.logLevel, stdoutByTurn(), secretsOf(config));
  const stop = new AbortController();
  let refused: string | null = null;
  onStopSignals({ clock: systemClock, stop: () => stop.abort(), atOnce: () => process.exit(1) });
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nobody handled'));
  try {
    const bot = await startBot({
      config,
      log,
      signal: stop.signal,
      onTerminal: (sentence) => {
        refused = sentence;
        stop.abort();
      },
      ...(options.checkpoint ? { checkpoint: options.checkpoint } : {}),
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
      say(error, log);
      return 1;
    }
  } finally {
    await options.afterwards?.();
  }
  if (refused !== null) console.error(refused);
  return refused === null ? 0 : 1;
}

/** The configuration, or one line per problem on stderr and exit code 1. */
export function configOrExit(env: NodeJS.ProcessEnv = process.env): Config {
  const result = readConfig(env);
  if (result.ok) return result.config;
  for (const problem of result.problems) console.error(problem);
  process.exit(1);
}

function say(error: unknown, log: Logger): void {
  if (error instanceof OperatorError) console.error(error.message);
  else {
    log.fatal({ err: error }, 'Gumshoe could not start');
    console.error('Gumshoe could not start because of an unexpected error; see the log line above.');
  }
}

if (import.meta.main) {
  const config = configOrExit();
  const { slack, service } = config;
  if (slack === null || service === null) {
    console.error(
      'This command embeds nothing: set SLACK_BOT_TOKEN with SLACK_APP_TOKEN (or SLACK_SIGNING_SECRET), and ' +
        'ISSUE_SERVICE_URL with ISSUE_SERVICE_API_KEY. `npm start` embeds what is missing.',
    );
    process.exit(1);
  }
  process.exit(await run({ ...config, slack, service }));
}
