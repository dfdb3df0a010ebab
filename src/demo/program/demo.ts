import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Gallery } from 'local-slack';
import { type Config, readConfig } from '../../bot/config.ts';
import { createLogger, type Logger } from '../../bot/shared/log.ts';
import { type Environment, type Io, OperatorError } from '../../lib/io.ts';
import type { ModelSettings } from '../../service/model/settings.ts';
import { FLAG_TOOLS } from '../../service/telemetry/changes/flag-tools.ts';
import type { TelemetrySettings } from '../../service/telemetry/settings.ts';
import type { Embedded } from './embed.ts';

export const MANIFEST = fileURLToPath(new URL('../../../manifest.yml', import.meta.url));
/** Of the simulated shop. */
const OWNERS = fileURLToPath(new URL('../OWNERS', import.meta.url));
const RUNBOOKS = fileURLToPath(new URL('../runbooks', import.meta.url));

export interface Flags {
  help: boolean;
  /** The scenario to start with; `null` takes the next one in turn. */
  scenario: string | null;
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

/** Where the bot is, once it is up. */
interface Place {
  url: string | null;
}

/**
 * Runs the bot, and beside it, in the same process, what is not configured: the local workspace with its page, the
 * investigation service, or both.
 *
 * @param given.env what the configuration was read of
 * @param given.telemetry what the embedded service investigates; `null`: a simulated shop
 * @param given.model the language model of the embedded service
 * @returns the exit code: 0 after a graceful shutdown, 1 if something could not start.
 */
export async function runBeside(
  config: Config,
  flags: Flags,
  given: { env: Environment; telemetry: TelemetrySettings | null; model: ModelSettings | null },
  io: Io,
): Promise<number> {
  const { run } = await import('../../main.ts');
  const { slack: realSlack, service: realService } = config;
  if (realSlack && realService)
    return run({ ...config, slack: realSlack, service: realService }, io, { announceStop: true });
  const bot: Place = { url: null };
  const embedded = await startEmbedded(bot, config, flags, given, io);
  if (embedded === null) return 1;
  const { slack, service } = embedded;
  const env = { ...given.env, ...botEnvironment(config, embedded, flags) };
  const read = readConfig(env);
  const unknown = unknownScenario(flags.scenario, embedded.scenarios);
  const problems = read.ok ? unknown : [...unknown, ...read.problems];
  if (!read.ok || !read.config.slack || !read.config.service || problems.length > 0) {
    for (const problem of problems) io.err(problem);
    await embedded.stop();
    return 1;
  }
  const complete = { ...read.config, slack: read.config.slack, service: read.config.service };
  return run(complete, io, {
    announceStop: true,
    ...(service && { beside: forwardChanges(service.url) }),
    ...(slack && { page: slack.page }),
    onStarted: ({ url }) => {
      bot.url = url;
      if (flags.deliver === 'http') slack?.deliverTo(`${url}/slack/events`);
      announce(embedded, url, flags.scenario, io);
      startScenario(embedded, flags.scenario, createLogger(complete.logLevel, io.log), io);
    },
    afterwards: () => embedded.stop(),
  });
}

async function startEmbedded(
  bot: Readonly<Place>,
  config: Config,
  flags: Flags,
  { telemetry, model }: { telemetry: TelemetrySettings | null; model: ModelSettings | null },
  io: Io,
): Promise<Embedded | null> {
  const { embed } = await import('./embed.ts');
  return embed({
    slack: config.slack === null,
    service: config.service === null,
    telemetry,
    model,
    onUnreachable: io.err,
    folder: dataFolder(config),
    manifest: MANIFEST,
    pageUrl: `http://localhost:${config.port}`,
    gallery: lazyGallery(),
    botUrl: () => bot.url,
    webhookToken: config.webhooks.token,
    ...(io.log ? { lines: io.log } : {}),
    ...(flags.deliver === null ? {} : { deliver: flags.deliver }),
    ...(flags.ackTimeout === null ? {} : { ackTimeoutMs: flags.ackTimeout * 1_000 }),
  }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    io.err(
      `The embedded Slack or investigation service could not start (${message}). Check that this user can write to ` +
        'the folder that DATABASE_URL names, and that no other Gumshoe is using it.',
    );
    return null;
  });
}

function unknownScenario(scenario: string | null, known: readonly string[]): string[] {
  if (scenario === null || known.includes(scenario)) return [];
  const problem = scenario === '' ? '--scenario needs a name' : `There is no scenario "${scenario}"`;
  return [`${problem}. Available: ${known.join(', ')}.`];
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
  };
}

/** What the bot reads of the embedded parts, in place of what is not configured. */
export function botEnvironment(
  config: Config,
  { slack, service, systems }: Pick<Embedded, 'slack' | 'service' | 'systems'>,
  { deliver }: Pick<Flags, 'deliver'>,
): Record<string, string> {
  const ofShop = slack !== null && service !== null && !systems;
  return {
    ...(service && {
      ISSUE_SERVICE_URL: service.url,
      ISSUE_SERVICE_API_KEY: service.apiKey,
      ISSUE_SERVICE_PRIVATE_API_KEY: service.privateApiKey,
    }),
    ...(slack && {
      SLACK_BOT_TOKEN: slack.botToken,
      ...(deliver === 'http' ? {} : { SLACK_APP_TOKEN: slack.appToken }),
      // In Socket Mode only Slackbot's calls are signed with it.
      SLACK_SIGNING_SECRET: slack.signingSecret,
      MCP_SLACKBOT: 'true',
      SLACK_API_URL: slack.apiUrl,
      ...(config.alertChannels.length === 0 && { ALERT_CHANNELS: slack.alerts }),
      ALERT_WEBHOOK_TOKEN: slack.webhookToken,
      ...(config.alertRoutes.length === 0 && { ALERT_ROUTES: `*->${slack.alerts}` }),
      // On a laptop people watch the page: only warnings are logged, unless `LOG_LEVEL` is set.
      LOG_LEVEL: process.env.LOG_LEVEL ? config.logLevel : 'warn',
    }),
    ...(ofShop && config.ownersFile === null && { OWNERS }),
    ...(ofShop && config.runbookSource === null && { RUNBOOKS }),
  };
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
    ...(slack && systems ? ['  Use /investigate in #alerts, or 🔍 on a message there.'] : []),
    '  Press Ctrl-C to stop.',
  ];
  io.out(lines.join('\n'));
}

function firstEvent(scenario: string | null): string {
  return scenario === null
    ? '  The first alert will appear in #alerts in a few seconds.'
    : `  Playing the scenario "${scenario}".`;
}

/** Headers of a single connection, never forwarded. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'];

/** Where pipelines report changes, on `PORT` as well as at the service itself. */
const CHANGES = '/changes';

/** Forwards `/changes` and `/changes/<tool>` to the embedded service. */
export function forwardChanges(service: string): Readonly<Record<string, RequestListener>> {
  const paths = [CHANGES, ...[...FLAG_TOOLS.keys()].map((tool) => `${CHANGES}/${tool}`)];
  return Object.fromEntries(paths.map((path) => [path, (req, res) => forward(req, res, service)]));
}

function forward(req: IncomingMessage, res: ServerResponse, url: string): void {
  const { method, headers, url: path } = req;
  const forwarded = request(new URL(path ?? '/', url), {
    agent: false,
    method: method ?? 'GET',
    headers: withoutHops(headers),
  });
  forwarded.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
    // If one side aborts, the other is aborted too.
    pipeline(answer, res, () => undefined);
  });
  forwarded.on('error', () => {
    if (res.headersSent) return void res.destroy();
    const error = 'The investigation service did not answer: retry in a moment';
    res.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  res.on('close', () => forwarded.destroy());
  req.pipe(forwarded);
}

function withoutHops<Headers extends NodeJS.Dict<unknown>>(headers: Headers): Headers {
  const forwarded = { ...headers };
  for (const name of HOP_BY_HOP) delete forwarded[name];
  return forwarded;
}
