import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../support/compile-cache.ts';
import { ALERTS } from './deliveries.ts';
import { type BenchService, startBenchService } from './service.ts';
import { APP_TOKEN, type BenchSlack, BOT_TOKEN, SIGNING_SECRET, startBenchSlack } from './slack.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** As the image runs it: V8 would let the young generation grow to several times of what is needed. */
const FLAGS = ['--max-semi-space-size=4', '--no-regexp-tier-up'];

export type Mode = 'socket' | 'http';

/** What the program runs between, and its folder. */
export interface Around {
  folder: string;
  database: string;
  slack: BenchSlack;
  service: BenchService;
  close(): Promise<void>;
}

/** A program in a process of its own, so that it shares no event loop with whoever measures it. */
export interface Running {
  /** `http://127.0.0.1:<port>` */
  url: string;
  pid: number;
  child: ChildProcess;
  /** Milliseconds from the start of the process until it took deliveries. */
  startMs: number;
  stop(): Promise<void>;
}

/** A Slack, a service, and a folder that is removed with them. */
export async function around(
  service: () => Promise<BenchService> = () => startBenchService([], 'investigating'),
): Promise<Around> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-load-'));
  const slack = await startBenchSlack();
  const started = await service();
  return {
    folder,
    database: join(folder, 'gumshoe.db'),
    slack,
    service: started,
    close: async () => {
      await slack.close();
      await started.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The whole program, as the image runs it. */
export function startProgram(
  { database, slack, service }: Around,
  mode: Mode,
  env: Record<string, string> = {},
  file: string = MAIN,
): Promise<Running> {
  const credential =
    mode === 'socket' ? { SLACK_APP_TOKEN: APP_TOKEN } : { SLACK_SIGNING_SECRET: SIGNING_SECRET };
  return start(file, {
    ...credential,
    SLACK_BOT_TOKEN: BOT_TOKEN,
    SLACK_API_URL: slack.apiUrl,
    ISSUE_SERVICE_URL: service.url,
    ISSUE_SERVICE_API_KEY: 'key-of-the-benchmark',
    DATABASE_URL: `sqlite:${database}`,
    HOST: '127.0.0.1',
    PORT: '0',
    ALERT_CHANNELS: ALERTS,
    NODE_ENV: 'production',
    ...env,
  });
}

async function start(file: string, env: Record<string, string>): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, ...FLAGS, file], {
    // The image has its compiled code; here the first start makes it.
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await urlOf(child);
  return {
    url,
    pid: child.pid ?? 0,
    child,
    startMs: performance.now() - began,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** It says in a line of JSON where they listen. */
async function urlOf(child: ChildProcess): Promise<string> {
  const ready = Promise.withResolvers<string>();
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const url = /"url":"(http[^"]+)"/u.exec(said)?.[1];
    if (url !== undefined) ready.resolve(url);
  });
  child.once('close', () => ready.reject(new Error(`the program did not start: ${said}`)));
  return ready.promise;
}
