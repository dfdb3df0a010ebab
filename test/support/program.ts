import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startWorkspace, type Workspace } from 'local-slack';
import { type Bot, createBot } from '../../src/bot/compose/index.ts';
import { readConfig } from '../../src/bot/config.ts';
import type { CompleteConfig } from '../../src/bot/deps.ts';
import { createLogger } from '../../src/bot/shared/log.ts';
import { openStore, type StoreLocation } from '../../src/bot/store/open.ts';
import type { Fault } from '../../src/demo/shop/faults.ts';
import { createShop } from '../../src/demo/shop/shop.ts';
import { changesOf } from '../../src/demo/shop/story.ts';
import { type SimulatedService, startSimulatedService } from '../../src/demo/simulated-service.ts';
import { type Checkpoint, type Clock, systemClock } from '../../src/lib/clock.ts';
import { UNLIMITED } from '../../src/service/telemetry/budget.ts';
import { migratedFile } from './open-test-store.ts';
import { clockFrom } from './paced-clock.ts';
import { createDatabase, onPostgres } from './postgres/databases.ts';
import { slowTelemetry } from './slow-telemetry.ts';

export const MANIFEST = fileURLToPath(new URL('../../manifest.yml', import.meta.url));
export const SERVICE_KEY = 'key-of-the-tests';
/** Of a second organization: private channels have one of their own where a bot is given this key too. */
export const PRIVATE_SERVICE_KEY = 'second-key-of-the-tests';

/**
 * How long the workspace waits for the bot in tests that are not about it, in milliseconds of the machine: Slack's own
 * three seconds are not much where all else on the machine is busy.
 */
export const UNHURRIED_MS = 10 * 60_000;
/** Nothing is given up while the bot is away: a test that is about it says how often Slack tries. */
const RETRY_DELAYS: readonly number[] = [200, 1_000, ...Array<number>(1_000).fill(3_000)];

export type Mode = 'socket' | 'http';

/** The local workspace and the embedded service over real sockets, in a folder of their own. */
export interface Surroundings {
  folder: string;
  mode: Mode;
  clock: Clock;
  workspace: Workspace;
  service: SimulatedService;
  /** The environment of a bot between them. */
  env: Record<string, string>;
  close(): Promise<void>;
}

export async function startSurroundings(
  mode: Mode,
  options: {
    investigationMs?: number;
    serviceUrl?: string;
    retryDelays?: readonly number[];
    /** Of the workspace and the service. */
    clock?: Clock;
    /** How long the workspace waits for the bot, in milliseconds of the clock; `UNHURRIED_MS` of the machine by default. */
    ackTimeoutMs?: number;
    /** Of #secrets a member has agreed that its issues may be named elsewhere; `false` in a test that is about it. */
    agreed?: boolean;
    /** Instead of the project's own. */
    manifest?: string;
    /** The address of the bot's MCP server, which Slackbot calls. */
    mcpServer?: () => string | null;
    /** How long a stream takes more, in milliseconds of the clock. */
    streamLife?: number;
    /**
     * In place of a clock: how many times as fast as the machine all of it goes, a `killable.ts` with its `env` too.
     * Slack's pacing, which is a second a post, would fill the time otherwise. Without it, `FLOW_PACE` of the environment.
     */
    pace?: number;
  } = {},
): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-flow-'));
  const pace = options.pace ?? (options.clock ? 1 : Number(process.env.FLOW_PACE ?? 1));
  const start = systemClock.now();
  const clock = options.clock ?? (pace === 1 ? systemClock : clockFrom(start, pace));
  const workspace = await startWorkspace({
    clock,
    ackTimeoutMs: options.ackTimeoutMs ?? UNHURRIED_MS * pace,
    ...(options.streamLife === undefined ? {} : { streamLife: options.streamLife }),
    ...(options.mcpServer ? { mcpServer: options.mcpServer } : {}),
    file: join(folder, 'workspace.db'),
    manifest: options.manifest ?? MANIFEST,
    deliver: mode === 'socket' ? { mode } : { mode, url: '' },
    retryDelays: options.retryDelays ?? RETRY_DELAYS,
  });
  const service = await startSimulatedService({
    clock,
    file: join(folder, 'service.db'),
    seed: SHOP_SEED,
    keys: { [SERVICE_KEY]: 'tests', [PRIVATE_SERVICE_KEY]: 'tests-private' },
    seenAs: slowTelemetry(clock, options.investigationMs ?? 700),
  });
  await breakPayments(service, clock);
  const env = {
    SLACK_BOT_TOKEN: workspace.botToken,
    ...(mode === 'socket'
      ? { SLACK_APP_TOKEN: workspace.appToken }
      : { SLACK_SIGNING_SECRET: workspace.signingSecret }),
    SLACK_API_URL: workspace.apiUrl,
    ISSUE_SERVICE_URL: options.serviceUrl ?? service.url,
    ISSUE_SERVICE_API_KEY: SERVICE_KEY,
    DATABASE_URL: await databaseFor(folder, options.agreed === false ? null : workspace.channels.secrets),
    PORT: '0',
    HOST: '127.0.0.1',
    POLL_CRON: '* * * * * *',
    ALERT_CHANNELS: workspace.channels.alerts,
    LOG_LEVEL: 'silent',
    ...(pace === 1 ? {} : { CLOCK_START: String(start), CLOCK_TIMES: String(pace) }),
  };
  return {
    folder,
    mode,
    clock,
    workspace,
    service,
    env,
    close: async () => {
      await workspace.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** On PostgreSQL in the tests that run there; otherwise a file, which has its tables already. */
async function databaseFor(folder: string, agreed: string | null): Promise<string> {
  if (onPostgres) {
    const { url } = await createDatabase();
    if (agreed !== null) await agree({ url, random: Math.random, onConnectionLost: () => undefined }, agreed);
    return url;
  }
  const file = join(folder, 'gumshoe.db');
  copyFileSync(await migratedFile(), file);
  if (agreed !== null) await agree({ file }, agreed);
  return `sqlite:${file}`;
}

/** As if one of its members had agreed that a private channel's issues may be named elsewhere. */
async function agree(location: StoreLocation, channel: string): Promise<void> {
  const store = await openStore({ ...location, clock: systemClock });
  await store.channels.nameElsewhere(channel, { by: 'U0BOB00001', at: systemClock.now() });
  await store.close();
}

const SHOP_SEED = 1;

/**
 * What checkout's alerts come from. Without it, what is found would hang on the time of day: the shop has its quiet hours.
 * Its bug is none that the shop had hours ago, whose log lines would leave this deploy unproven.
 */
async function breakPayments(service: SimulatedService, clock: Clock): Promise<void> {
  const now = clock.now();
  const earlier = await createShop({ seed: SHOP_SEED, injected: () => [] }).changes(
    { from: now - 240 * 60_000, to: now },
    UNLIMITED,
  );
  const known = new Set(earlier.known ? earlier.value.map(({ details }) => details) : []);
  const faultFrom = (from: number): Fault => ({
    kind: 'bad_deploy',
    service: 'payments',
    from,
    to: from + 40 * 60_000,
  });
  let fault = faultFrom(now - 6 * 60_000);
  while (known.has(changesOf(fault)[0]?.details ?? '')) fault = faultFrom(fault.from - 1_000);
  service.inject(fault);
}

/** The bot in this process, on the surroundings. */
export async function startBotOn(
  around: Pick<Surroundings, 'env' | 'mode'> & {
    workspace: Pick<Workspace, 'setDelivery'>;
    clock?: Clock;
  },
  options: {
    env?: Record<string, string>;
    checkpoint?: Checkpoint;
    clock?: Clock;
    /** What happens once Slack has rejected the app for good; by default the test fails. */
    onTerminal?: (sentence: string) => void;
    /** Where its log goes, from level `info`, in a test that reads it. */
    lines?: { write(line: string): void };
  } = {},
): Promise<Bot> {
  const result = readConfig({ ...around.env, ...options.env });
  if (!result.ok) throw new Error(result.problems.join('\n'));
  const { slack, service } = result.config;
  if (!slack || !service) throw new Error('the surroundings configure both');
  const config: CompleteConfig = { ...result.config, slack, service };
  const bot = await createBot(config, {
    log: options.lines
      ? createLogger('info', options.lines)
      : createLogger(process.env.TEST_LOG ?? config.logLevel),
    signal: new AbortController().signal,
    onTerminal:
      options.onTerminal ??
      ((sentence) => {
        throw new Error(sentence);
      }),
    ...(options.checkpoint ? { checkpoint: options.checkpoint } : {}),
    open: (location) => openStore({ ...location, isDurable: false }),
    clock: options.clock ?? around.clock ?? systemClock,
  });
  if (around.mode === 'http') around.workspace.setDelivery(`${bot.url}/slack/events`);
  return bot;
}
