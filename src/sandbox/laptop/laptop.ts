import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../bot/config/config.ts';
import { type Listening, listen } from '../../bot/health/server.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogger, type Logger } from '../../lib/log.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { onStopSignals } from '../../lib/stop-signals.ts';
import type { Gallery } from '../slack/workspace.ts';
import { announce, sayNotEmbedded } from './announce.ts';
import type { BotProcess } from './bot/process.ts';
import { botEnvironment, laptopLogLevel } from './bot-environment.ts';
import { MANIFEST } from './constants.ts';
import type { Embedded, EmbeddedSlack } from './embed.ts';
import type { Flags } from './flags.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** What the bot serves on `PORT`; health and metrics only where they have no port of their own. */
const EVENTS = ['/slack/events'];
const PROBES = ['/healthz', '/readyz', '/metrics'];

/**
 * Runs the local workspace with its page in this process, and the embedded service where none is configured; the bot
 * beside it in a process of its own, which may be killed, stopped and started from the page while all else goes on.
 *
 * @returns the exit code: 0 after an ordered stop, 1 when something could not start.
 */
export async function runOnLaptop(config: Config, flags: Flags): Promise<number> {
  const log = createLogger(laptopLogLevel(config));
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nobody handled'));
  const { createBotProcess } = await import('./bot/process.ts');
  const bot = createBotProcess({
    file: CHILD,
    clock: systemClock,
    onLost: (sentence) => console.error(`${sentence} The page goes on, and can start it again.`),
  });
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => void bot.close());
  onStopSignals({
    clock: systemClock,
    stop: () => stop.abort(),
    atOnce: () => {
      bot.abandon();
      process.exit(1);
    },
  });

  let embedded: Embedded | undefined;
  let front: Listening | undefined;
  try {
    embedded = await embedBeside(bot, config, flags);
    if (!embedded?.slack) return 1;
    refuseUnknown(flags.scenario, embedded.scenarios);
    front = await serveFront(bot, config, embedded.slack);
    if (flags.deliver === 'http') deliverToBot(bot, embedded.slack);
    await bot.begin(botEnvironment(config, embedded.slack, embedded.service, flags));
    announce(embedded, front.url, flags.scenario);
    beginPlaying(embedded, flags.scenario, log);
    await aborted(stop.signal);
    return 0;
  } catch (error) {
    // Stopped on the way: then a part that could not come up any more is no failure.
    if (stop.signal.aborted) return 0;
    if (!(error instanceof OperatorError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await bot.close();
    await front?.close();
    await embedded?.stop();
  }
}

async function embedBeside(bot: BotProcess, config: Config, flags: Flags): Promise<Embedded | undefined> {
  const { embed } = await import('./embed.ts');
  const embedding = embed({
    slack: true,
    service: config.service === null,
    folder: dirname(config.databaseFile),
    manifest: MANIFEST,
    pageUrl: `http://localhost:${config.port}`,
    gallery: lateGallery(),
    bot,
    ...(flags.deliver === null ? {} : { deliver: flags.deliver }),
  });
  return embedding.catch(sayNotEmbedded);
}

async function serveFront(
  bot: BotProcess,
  { port, host, metricsPort }: Config,
  slack: EmbeddedSlack,
): Promise<Listening> {
  const { createFront } = await import('./bot/front.ts');
  const paths = metricsPort === null ? [...EVENTS, ...PROBES] : EVENTS;
  return listen(createFront({ paths, bot, page: slack.page }), port, host);
}

/** Each life of the bot has a port of its own; while it is down, there is nowhere to deliver to. */
function deliverToBot(bot: BotProcess, slack: EmbeddedSlack): void {
  bot.onChange(() => {
    const url = bot.url();
    slack.deliverTo(url === null ? '' : `${url}/slack/events`);
  });
}

function refuseUnknown(scenario: string | null, known: readonly string[]): void {
  if (scenario === null || known.includes(scenario)) return;
  const called = scenario === '' ? '--scenario needs a name' : `No scenario is called "${scenario}"`;
  throw new OperatorError(`${called}: there are ${known.join(', ')}.`);
}

function beginPlaying(embedded: Embedded, scenario: string | null, log: Logger): void {
  embedded.play(scenario ?? undefined).catch((error: unknown) => {
    if (error instanceof OperatorError) console.error(`The scenario could not go on. ${error.message}`);
    else log.error({ err: error }, 'the scenario could not go on');
  });
}

/** Drawn by the bot's own renderers once somebody opens `/gallery`. */
function lateGallery(): Gallery {
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
