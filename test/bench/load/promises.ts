import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { cpuSeconds, grid } from '../measure.ts';
import { alertDelivery } from './deliveries.ts';
import { around, startProgram } from './program.ts';
import { overHttp } from './sending.ts';
import type { BenchPost } from './slack.ts';

const CARD_WITHIN_MS = 120_000;
/** A channel is watched from the start on, and a message's time is rounded down to a second here. */
const FROM_THE_START_MS = 1100;
/** Ten problems in one channel within a minute are a storm, and held: a burst is spread over channels. */
const ALERTS_PER_CHANNEL = 8;

/** Milliseconds from the delivery of an alert to its card, sorted; one alert every two seconds. */
export async function benchCards(alerts: number): Promise<number[]> {
  const between = await around();
  const running = await startProgram(between, 'http');
  const line = overHttp(running.url, 4);
  await sleep(FROM_THE_START_MS);
  const times: number[] = [];
  for (let n = 0; n < alerts; n += 1) {
    const sent = Date.now();
    const before = between.slack.posts().length;
    await line.send(alertDelivery('FIRING', n, Math.floor(sent / 1000)));
    const posted = await waitFor(() => between.slack.posts()[before]);
    times.push((posted?.at ?? Number.NaN) - sent);
    await sleep(2000);
  }
  await line.close();
  await running.stop();
  await between.close();
  return times.sort((a, b) => a - b);
}

/** What became of a burst of alerts while the program was killed. */
export interface Burst {
  alerts: number;
  kills: number;
  /** Issues created at the service; threads with exactly one card; with more than one. */
  created: number;
  once: number;
  twice: number;
  /** Milliseconds from the last start until the last card. */
  settledMs: number;
}

/** Alerts all at once, in as many channels as they need, and a `kill -9` after each share of the posts. */
export async function benchBurst(alerts: number, kills: number): Promise<Burst> {
  const between = await around();
  const channelOf = (n: number) => `C0BURST${Math.floor(n / ALERTS_PER_CHANNEL)}`;
  const channels = new Set(Array.from({ length: alerts }, (_, n) => channelOf(n)));
  const env = { ALERT_CHANNELS: [...channels].join(',') };
  let running = await startProgram(between, 'http', env);
  const line = overHttp(running.url, 16);
  await sleep(FROM_THE_START_MS);
  const seconds = Math.floor(Date.now() / 1000);
  await Promise.all(
    Array.from({ length: alerts }, (_, n) => line.send(alertDelivery('FIRING', n, seconds, channelOf(n)))),
  );
  await line.close();
  let began = Date.now();
  for (let kill = 1; kill <= kills; kill += 1) {
    const posts = kill * Math.floor(alerts / 20);
    await waitFor(() => between.slack.posts().length >= posts || undefined);
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
    began = Date.now();
    running = await startProgram(between, 'http', env);
  }
  const cards = () => Map.groupBy(between.slack.posts(), (post: BenchPost) => post.thread_ts);
  await waitFor(() => cards().size >= alerts || undefined);
  const settledMs = (between.slack.posts().at(-1)?.at ?? Number.NaN) - began;
  // What would be posted twice comes late.
  await sleep(5000);
  const counts = [...cards().values()].map(({ length }) => length);
  const result: Burst = {
    alerts,
    kills,
    created: between.service.calls.get('create') ?? 0,
    once: counts.filter((count) => count === 1).length,
    twice: counts.filter((count) => count > 1).length,
    settledMs,
  };
  await running.stop();
  await between.close();
  return result;
}

/** What a bot costs that has nothing to do: its share of a core, and its transactions that wrote. */
export interface Idle {
  share: number;
  transactions: number;
  seconds: number;
}

export async function benchIdle(seconds: number): Promise<Idle> {
  const between = await around();
  const running = await startProgram(between, 'http');
  await sleep(5000);
  const db = new Sqlite(between.database, { readonly: true });
  const version = db.prepare('PRAGMA data_version').pluck();
  let last = version.get();
  let transactions = 0;
  const cpu = cpuSeconds(running.pid);
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    await sleep(50);
    const now = version.get();
    if (now !== last) transactions += 1;
    last = now;
  }
  const share = (cpuSeconds(running.pid) - cpu) / seconds;
  db.close();
  await running.stop();
  await between.close();
  return { share, transactions, seconds };
}

/** The table as text. */
export function promisesTable(cards: readonly number[], burst: Burst, idle: Idle): string {
  const { alerts, kills, once: one, twice, created, settledMs } = burst;
  return grid([
    ['what people rely on', 'measured', 'asked'],
    ['alert to card, median ms', (cards[Math.floor(cards.length / 2)] ?? Number.NaN).toFixed(0), '< 1,000'],
    ['alert to card, longest ms', (cards.at(-1) ?? Number.NaN).toFixed(0), '< 1,000'],
    [`burst of ${alerts} alerts, ${kills} kills: alerts with one card`, `${one}`, `${alerts}`],
    ['  with more than one', `${twice}`, '0'],
    ['  issues created', `${created}`, `${alerts}`],
    ['  last card after the last start, s', (settledMs / 1000).toFixed(1), '< 60'],
    ['idle: share of a core', `${(idle.share * 100).toFixed(2)}%`, '< 1%'],
    [`idle: transactions in ${idle.seconds} s`, `${idle.transactions}`, '0'],
  ]);
}

async function waitFor<T>(found: () => T | undefined): Promise<T | undefined> {
  const until = Date.now() + CARD_WITHIN_MS;
  for (;;) {
    const value = found();
    if (value !== undefined || Date.now() > until) return value;
    await sleep(10);
  }
}
