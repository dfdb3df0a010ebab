import { fileURLToPath } from 'node:url';
import type { Gallery } from 'local-slack';
import type { Config } from '../../bot/config/config.ts';
import { type Listening, listen } from '../../bot/health/server.ts';
import { whenAborted } from '../../lib/abort.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Io } from '../../lib/io.ts';
import { createLogger, type Logger } from '../../lib/log.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { onStopSignals } from '../../lib/stop-signals.ts';
import type { TelemetrySettings } from '../../service/telemetry/settings.ts';
import { announce, reportNotEmbedded } from './announce.ts';
import type { BotProcess, createBotProcess } from './bot/process.ts';
import { botEnvironment, laptopLogLevel } from './bot-environment.ts';
import { MANIFEST } from './constants.ts';
import { dataFolder } from './data-folder.ts';
import type { Embedded, EmbeddedSlack } from './embed.ts';
import type { Flags } from './flags.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Paths that the bot serves on `PORT`; health and metrics only if they have no port of their own. */
const EVENTS = ['/slack/events', '/alerts/'];
const PROBES = ['/healthz', '/readyz', '/metrics'];

/**
 * Runs the local workspace with its page in this process, and the embedded service if none is configured. The bot has
 * its own process, which can be killed, stopped and started from the page.
 *
 * @param createBot in place of a process of its own
 * @returns the exit code: 0 after a graceful shutdown, 1 if something could not start.
 */
export async function runOnLaptop(
  config: Config,
  flags: Flags,
  telemetry: TelemetrySettings | null,
  io: Io,
  createBot?: typeof createBotProcess,
): Promise<number> {
  const log = createLogger(laptopLogLevel(config), io.log);
  io.process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));
  const create = createBot ?? (await import('./bot/process.ts')).createBotProcess;
  const bot = create({
    file: CHILD,
    clock: systemClock,
    onCrash: (sentence) => io.err(`${sentence} The page is still running: start the bot again from there.`),
  });
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => void bot.close());
  onStopSignals({
    clock: systemClock,
    stop: () => stop.abort(),
    atOnce: () => {
      bot.killNow();
      process.exit(1);
    },
    signals: io.process,
  });

  let embedded: Embedded | undefined;
  let front: Listening | undefined;
  try {
    embedded = await startEmbedded(bot, config, flags, telemetry).catch((error: unknown) =>
      reportNotEmbedded(error, io),
    );
    if (!embedded?.slack) return 1;
    checkScenario(flags.scenario, embedded.scenarios);
    front = await serve(bot, config, embedded.slack);
    if (flags.deliver === 'http') deliverToBot(bot, embedded.slack);
    await bot.start(botEnvironment(config, embedded.slack, embedded.service, flags));
    announce(embedded, front.url, flags.scenario, io);
    startScenario(embedded, flags.scenario, log, io);
    await whenAborted(stop.signal);
    return 0;
  } catch (error) {
    // Stopped during start-up: a part that failed to start because of that is not an error.
    if (stop.signal.aborted) return 0;
    if (!(error instanceof OperatorError)) throw error;
    io.err(error.message);
    return 1;
  } finally {
    await bot.close();
    await front?.close();
    await embedded?.stop();
  }
}

async function startEmbedded(
  bot: BotProcess,
  config: Config,
  flags: Flags,
  telemetry: TelemetrySettings | null,
): Promise<Embedded> {
  const { embed } = await import('./embed.ts');
  return embed({
    slack: true,
    service: config.service === null,
    telemetry,
    folder: dataFolder(config),
    manifest: MANIFEST,
    pageUrl: `http://localhost:${config.port}`,
    gallery: lazyGallery(),
    bot,
    botUrl: () => bot.url(),
    webhookToken: config.webhooks.token,
    ...(flags.deliver === null ? {} : { deliver: flags.deliver }),
    ...(flags.ackTimeout === null ? {} : { ackTimeoutMs: flags.ackTimeout * 1_000 }),
  });
}

async function serve(
  bot: BotProcess,
  { port, host, metricsPort }: Config,
  slack: EmbeddedSlack,
): Promise<Listening> {
  const { createReverseProxy } = await import('./bot/reverse-proxy.ts');
  const paths = metricsPort === null ? [...EVENTS, ...PROBES] : EVENTS;
  return listen(createReverseProxy({ paths, bot, page: slack.page }), port, host);
}

/** Every process of the bot has a new port; while it is down, there is nowhere to deliver to. */
function deliverToBot(bot: BotProcess, slack: EmbeddedSlack): void {
  bot.onChange(() => {
    const url = bot.url();
    slack.deliverTo(url === null ? '' : `${url}/slack/events`);
  });
}

function checkScenario(scenario: string | null, known: readonly string[]): void {
  if (scenario === null || known.includes(scenario)) return;
  const problem = scenario === '' ? '--scenario needs a name' : `There is no scenario "${scenario}"`;
  throw new OperatorError(`${problem}. Available: ${known.join(', ')}.`);
}

function startScenario(embedded: Embedded, scenario: string | null, log: Logger, io: Io): void {
  embedded.play(scenario ?? undefined).catch((error: unknown) => {
    if (error instanceof OperatorError) io.err(`The scenario failed: ${error.message}`);
    else log.error({ err: error }, 'the scenario failed');
  });
}

/** Rendered by the bot's own renderers when `/gallery` is first opened. */
function lazyGallery(): Gallery {
  let made: Promise<Gallery> | undefined;
  const gallery = () => {
    made ??= import('../../tools/gallery/gallery.ts').then(({ createGallery }) => createGallery());
    return made;
  };
  return {
    entries: async () => (await gallery()).entries(),
    picture: async (id) => (made !== undefined ? (await made).picture(id) : null),
  };
}
