import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Gallery } from 'local-slack';
import { type Config, SERVICE_VERSION, type SlackConfig } from '../../bot/config.ts';
import { type Listening, listen } from '../../bot/health/server.ts';
import { createLogger, type Logger } from '../../bot/shared/log.ts';
import { systemClock, whenAborted } from '../../lib/clock.ts';
import { type Io, OperatorError, onStopSignals, STOPPING } from '../../lib/io.ts';
import type { ModelSettings } from '../../service/model/settings.ts';
import type { TelemetrySettings } from '../../service/telemetry/settings.ts';
import type { BotProcess, createBotProcess } from './bot-process.ts';
import type { Embedded, EmbeddedSlack } from './embed.ts';
import { createReverseProxy, forwardChanges } from './reverse-proxy.ts';

export const MANIFEST = fileURLToPath(new URL('../../../manifest.yml', import.meta.url));
/** Of the simulated shop. */
const OWNERS = fileURLToPath(new URL('../OWNERS', import.meta.url));
const RUNBOOKS = fileURLToPath(new URL('../runbooks', import.meta.url));
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Paths that the bot serves on `PORT`; health and metrics only if they have no port of their own. */
const EVENTS = ['/slack/events', '/alerts/', '/mcp', '/mcp/'];
const PROBES = ['/healthz', '/readyz', '/metrics'];

export interface Flags {
  help: boolean;
  /** The scenario to start with; `null` takes the next one in turn. */
  scenario: string | null;
  /** How the embedded Slack delivers. */
  deliver: 'socket' | 'http' | null;
  /** Seconds that the embedded Slack waits for the bot to acknowledge; `null` for Slack's own limit. */
  ackTimeout: number | null;
}

const USAGE = 'the flags are --scenario <name>, --deliver socket|http, --ack-timeout <seconds> and --help';

/** Parses the arguments after `npm start --`; `problem` describes the first one that is invalid. */
export function readFlags(words: string[]): { flags: Flags } | { problem: string } {
  const { tokens } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean' },
      scenario: { type: 'string' },
      deliver: { type: 'string' },
      'ack-timeout': { type: 'string' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags: Flags = { help: false, scenario: null, deliver: null, ackTimeout: null };
  for (const token of tokens) {
    if (token.kind === 'positional') return { problem: strayWord(token.value) };
    if (token.kind === 'option-terminator') continue;
    const { rawName, name, value } = token;
    // A flag is never meant as a value.
    const given = token.inlineValue || !value?.startsWith('-') ? value : undefined;
    if (name === 'help' && value === undefined) flags.help = true;
    else if (name === 'scenario') flags.scenario = given ?? '';
    else if (name === 'deliver' && (given === 'socket' || given === 'http')) flags.deliver = given;
    else if (name === 'deliver') return { problem: '--deliver must be socket or http.' };
    else if (name === 'ack-timeout' && /^[1-9]\d{0,3}$/.test(given ?? '')) flags.ackTimeout = Number(given);
    else if (name === 'ack-timeout')
      return { problem: '--ack-timeout must be a whole number of seconds, 1 to 9999.' };
    else if (name === 'help') return { problem: '--help takes no value.' };
    else return { problem: `npm start has no flag ${rawName}: ${USAGE}.` };
  }
  return { flags };
}

/** Without the two dashes npm keeps the flag for itself, and passes on only the word after it. */
function strayWord(word: string): string {
  return `npm start takes no argument "${word}": ${USAGE}, all after two dashes, as in npm start -- --scenario <name>.`;
}

/** Why the flags conflict with the configuration, in a sentence; `null` if they do not. */
export function flagConflict(
  { scenario, deliver, ackTimeout }: Flags,
  config: Config,
  hasTelemetry = false,
): string | null {
  const ofSlack = deliver !== null ? '--deliver' : ackTimeout !== null ? '--ack-timeout' : null;
  if (ofSlack !== null && config.slack !== null) {
    return `${ofSlack} only applies to the embedded Slack, but SLACK_BOT_TOKEN configures a real one. Remove one of them.`;
  }
  if (scenario !== null && config.slack !== null) {
    return '--scenario needs the embedded Slack, but SLACK_BOT_TOKEN configures a real one. Remove one of them.';
  }
  if (scenario !== null && config.service !== null) {
    return '--scenario needs the simulated shop, but ISSUE_SERVICE_URL configures a real service. Remove one of them.';
  }
  if (scenario !== null && hasTelemetry) {
    return '--scenario needs the simulated shop, but the environment configures real telemetry. Remove --scenario, or unset PROMETHEUS_URL, LOKI_URL, TEMPO_URL, JAEGER_URL and KUBERNETES.';
  }
  return null;
}

/** What `--help` prints. */
export function usage(): string {
  return [
    'npm start -- [flags]',
    '',
    '  --scenario <name>      start with this scenario (needs the embedded Slack and service);',
    '                         without a name, list the scenarios',
    '  --deliver socket|http  how the embedded Slack delivers events: Socket Mode or signed HTTP',
    '  --ack-timeout <secs>   how long the embedded Slack waits for the bot to acknowledge: 3 seconds,',
    '                         as Slack does; raise it to debug with breakpoints',
    '  --help                 show this help',
    '',
    'Slack and the service are embedded unless configured, by variables or a .env file: see .env.example.',
  ].join('\n');
}

/**
 * Runs the bot in this process, for a real Slack: with a real service like `main.ts`, otherwise with the embedded one.
 *
 * @returns the exit code.
 */
export async function runInOneProcess(
  config: Config & { slack: SlackConfig },
  telemetry: TelemetrySettings | null,
  io: Io,
  { model = null }: { model?: ModelSettings | null } = {},
): Promise<number> {
  // Where the bot is a process of its own, this one does not load it.
  const { run } = await import('../../main.ts');
  if (config.service) return run({ ...config, service: config.service }, io, { announceStop: true });
  const { embed } = await import('./embed.ts');
  const embedded = await embed({
    slack: false,
    service: true,
    telemetry,
    model,
    onUnreachable: io.err,
    folder: dataFolder(config),
    manifest: MANIFEST,
    pageUrl: `http://localhost:${config.port}`,
    ...(io.log ? { lines: io.log } : {}),
  }).catch((error: unknown) => reportNotEmbedded(error, io));
  if (!embedded?.service) return 1;
  return run({ ...config, service: { ...embedded.service, version: SERVICE_VERSION } }, io, {
    announceStop: true,
    beside: forwardChanges(embedded.service.url),
    onStarted: (bot) => announce(embedded, bot.url, null, io),
    afterwards: () => embedded.stop(),
  });
}

/**
 * Runs the local workspace with its page in this process, and the embedded service if none is configured. The bot has
 * its own process, which can be killed, stopped and started from the page.
 *
 * @param also.model the language model of the embedded service
 * @param also.createBot in place of a process of its own
 * @returns the exit code: 0 after a graceful shutdown, 1 if something could not start.
 */
export async function runDemo(
  config: Config,
  flags: Flags,
  telemetry: TelemetrySettings | null,
  io: Io,
  { model = null, createBot }: { model?: ModelSettings | null; createBot?: typeof createBotProcess } = {},
): Promise<number> {
  const log = createLogger(demoLogLevel(config), io.log);
  io.process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));
  const create = createBot ?? (await import('./bot-process.ts')).createBotProcess;
  const bot = create({
    file: CHILD,
    clock: systemClock,
    onCrash: (sentence) => io.err(`${sentence} The page is still running: start the bot again from there.`),
  });
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => void bot.close());
  onStopSignals({
    clock: systemClock,
    stop: () => {
      io.out(STOPPING);
      stop.abort();
    },
    atOnce: () => {
      bot.killNow();
      process.exit(1);
    },
    signals: io.process,
  });

  let embedded: Embedded | undefined;
  let front: Listening | undefined;
  try {
    embedded = await startEmbedded(bot, config, flags, { telemetry, model }, io).catch((error: unknown) =>
      reportNotEmbedded(error, io),
    );
    if (!embedded?.slack) return 1;
    checkScenario(flags.scenario, embedded.scenarios);
    front = await serve(bot, config, embedded.slack, embedded.service?.url ?? null);
    if (flags.deliver === 'http') deliverToBot(bot, embedded.slack);
    await bot.start(
      botEnvironment(config, embedded.slack, embedded.service, { ...flags, systems: embedded.systems }),
    );
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
  { telemetry, model }: { telemetry: TelemetrySettings | null; model: ModelSettings | null },
  { log: lines, err }: Io,
): Promise<Embedded> {
  const { embed } = await import('./embed.ts');
  return embed({
    slack: true,
    service: config.service === null,
    telemetry,
    model,
    onUnreachable: err,
    folder: dataFolder(config),
    manifest: MANIFEST,
    pageUrl: `http://localhost:${config.port}`,
    gallery: lazyGallery(),
    bot,
    botUrl: () => bot.url(),
    webhookToken: config.webhooks.token,
    ...(lines ? { lines } : {}),
    ...(flags.deliver === null ? {} : { deliver: flags.deliver }),
    ...(flags.ackTimeout === null ? {} : { ackTimeoutMs: flags.ackTimeout * 1_000 }),
  });
}

async function serve(
  bot: BotProcess,
  { port, host, metricsPort }: Config,
  slack: EmbeddedSlack,
  service: string | null,
): Promise<Listening> {
  const paths = metricsPort === null ? [...EVENTS, ...PROBES] : EVENTS;
  return listen(createReverseProxy({ paths, bot, service, page: slack.page }), port, host);
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

/**
 * Extra environment of the bot's process: the embedded parts, and any free port, because this process uses `PORT` for
 * the page. With a `METRICS_PORT` the bot keeps its configured host, since that port belongs to the bot.
 */
export function botEnvironment(
  config: Config,
  slack: EmbeddedSlack,
  service: Embedded['service'],
  { deliver, systems }: Pick<Flags, 'deliver'> & Pick<Embedded, 'systems'>,
): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    ...(deliver === 'http' ? {} : { SLACK_APP_TOKEN: slack.appToken }),
    // In Socket Mode only Slackbot's calls are signed with it.
    SLACK_SIGNING_SECRET: slack.signingSecret,
    MCP_SLACKBOT: 'true',
    SLACK_API_URL: slack.apiUrl,
    ...(service
      ? {
          ISSUE_SERVICE_URL: service.url,
          ISSUE_SERVICE_API_KEY: service.apiKey,
          ISSUE_SERVICE_PRIVATE_API_KEY: service.privateApiKey,
        }
      : {}),
    PORT: '0',
    HOST: config.metricsPort === null ? '127.0.0.1' : config.host,
    ...(config.alertChannels.length === 0 ? { ALERT_CHANNELS: slack.alerts } : {}),
    ALERT_WEBHOOK_TOKEN: slack.webhookToken,
    ...(config.alertRoutes.length === 0 ? { ALERT_ROUTES: `*->${slack.alerts}` } : {}),
    ...(service && !systems && config.ownersFile === null ? { OWNERS } : {}),
    ...(service && !systems && config.runbookSource === null ? { RUNBOOKS } : {}),
    LOG_LEVEL: demoLogLevel(config),
  };
}

/** On a laptop people watch the page: only warnings are logged, unless `LOG_LEVEL` is set. */
function demoLogLevel({ logLevel }: Config): Config['logLevel'] {
  return process.env.LOG_LEVEL ? logLevel : 'warn';
}

/** Where the local workspace and the embedded service keep their files: next to the bot's database, if that is a file. */
function dataFolder({ database }: Pick<Config, 'database'>): string {
  return database.kind === 'sqlite' ? dirname(database.file) : './data';
}

/** Prints what is embedded and where, once everything is running. */
function announce({ slack, service, systems }: Embedded, url: string, scenario: string | null, io: Io): void {
  const lines = [
    'Gumshoe is running.',
    ...(slack ? [`  Slack: local workspace at ${url}`] : ['  Slack: your workspace']),
    ...(service
      ? [
          `  Investigation service: embedded at ${service.url}, over ${systems ? 'your telemetry' : 'a simulated shop'}`,
        ]
      : ['  Investigation service: yours']),
    ...(slack && service && !systems ? [firstEvent(scenario)] : []),
    ...(slack && systems ? ['  Post an alert in #alerts, or use /investigate.'] : []),
    '  Press Ctrl-C to stop.',
  ];
  io.out(lines.join('\n'));
}

function firstEvent(scenario: string | null): string {
  return scenario === null
    ? '  The first alert will appear in #alerts in a few seconds.'
    : `  Playing the scenario "${scenario}".`;
}

/** Prints why the embedded parts could not start. */
function reportNotEmbedded(error: unknown, io: Io): undefined {
  const message = error instanceof Error ? error.message : String(error);
  io.err(
    `The embedded Slack or investigation service could not start (${message}). Check that this user can write to ` +
      'the folder that DATABASE_URL names, and that no other Gumshoe is using it.',
  );
}
