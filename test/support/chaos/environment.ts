import { join } from 'node:path';
import type { SeedChannelName } from 'local-slack';
import { slackTs } from '../../../src/bot/slack/timestamp.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { clockFrom } from '../paced-clock.ts';
import { type Mode, type Surroundings, startSurroundings } from '../program.ts';
import { type ProgramDatabase, programDatabase } from './database.ts';

/**
 * So many times as fast as the machine: Slack's pacing, which is a second a post, would fill the time otherwise. Faster
 * than that, a busy machine would be too slow for what the program waits for.
 */
const TIMES = 3;
const ACK_TIMEOUT_MS = 3_000;
/** An event is sent again until it is taken: longer than Slack goes on, as no kill here lasts for minutes. */
const RETRY_MS = 400;
const RETRIES = 2_000;
const SHORT_RETRIES = [0, 1_000, 5_000];
const INVESTIGATION_MS = 3_000;
const DIGEST_AFTER_MS = 40_000;
const MANY = '100000';
/** Of the clock, for an answer: a busy machine may need minutes for what the program otherwise cuts off. */
const UNHURRIED_SECONDS = '3600';

/** The local workspace and the embedded service, which outlive every kill, and what a program between them is told. */
export interface Environment {
  around: Surroundings;
  clock: Clock;
  /** The program's database. */
  database: ProgramDatabase;
  /** Where it is one. */
  file: string;
  /** Of the program, as it is started each time. */
  env: Record<string, string>;
  /** Whether Slack goes on sending an event until it is taken, or gives up as the real one does. */
  patient: boolean;
  close(): Promise<void>;
}

/** What stands between the program and its two neighbors, where a test injects faults: other addresses for both. */
export type Between = (urls: {
  slack: string;
  service: string;
}) => Promise<{ slack: string; service: string; close(): Promise<void> }>;

export interface EnvironmentOptions {
  patient?: boolean;
  between?: Between;
  /** How Slack delivers; over HTTP it is told later where. */
  mode?: Mode;
  /** Of an empty PostgreSQL database, in place of a file. */
  databaseUrl?: string;
}

/**
 * How each channel is set before the first start. `payments`, where the bot is no member, stays so: what is asked for
 * there goes to the person.
 */
const settings: Partial<Record<SeedChannelName, unknown>> = {
  alerts: { budget: { issues: 1_000, minutes: 10 } },
  general: { budget: { issues: 1_000, minutes: 10 } },
  incidents: { budget: { issues: 2, minutes: 1 } },
  secrets: { mode: 'suggest', namedElsewhere: { by: 'U0BOB00001', at: 0 } },
};

export async function startEnvironment({
  patient = true,
  between,
  mode = 'socket',
  databaseUrl,
}: EnvironmentOptions = {}): Promise<Environment> {
  const start = systemClock.now();
  const clock = clockFrom(start, TIMES);
  const around = await startSurroundings(mode, {
    clock,
    ackTimeoutMs: ACK_TIMEOUT_MS * TIMES,
    investigationMs: INVESTIGATION_MS,
    retryDelays: patient ? Array<number>(RETRIES).fill(RETRY_MS * TIMES) : SHORT_RETRIES,
  });
  const own = { slack: around.workspace.apiUrl, service: around.service.url };
  const via = between ? await between(own) : { ...own, close: async () => undefined };
  const database = programDatabase(around.folder, databaseUrl);
  const environment: Environment = {
    around,
    clock,
    database,
    file: join(around.folder, 'gumshoe.db'),
    patient,
    env: {
      ...around.env,
      ...database.env,
      SLACK_API_URL: via.slack,
      ISSUE_SERVICE_URL: via.service,
      ALERT_CHANNELS: '',
      MAX_ISSUES_PER_DAY: MANY,
      ASK_PER_USER_HOUR: MANY,
      ASK_PER_CHANNEL_HOUR: MANY,
      ASK_TIMEOUT_SECONDS: UNHURRIED_SECONDS,
      LOG_LEVEL: 'warn',
      CLOCK_START: String(start),
      CLOCK_TIMES: String(TIMES),
    },
    close: async () => {
      await via.close();
      await database.close();
      await around.close();
    },
  };
  await setUp(environment);
  return environment;
}

async function setUp({ around, clock, database }: Environment): Promise<void> {
  const store = await openStore({ ...database.location, clock });
  const { channels } = around.workspace;
  for (const [name, wanted] of Object.entries(settings)) {
    const channel = Object.entries(channels).find(([one]) => one === name)?.[1] ?? '';
    await store.channels.watch(channel, ChannelSettings.parse(wanted), slackTs(clock.now()));
  }
  await store.digests.save({
    channel: channels.general,
    days: '1234567',
    time: '09:00',
    zone: 'Etc/UTC',
    nextAt: clock.now() + DIGEST_AFTER_MS,
  });
  await store.close();
}
