import Sqlite from 'better-sqlite3';
import { grid } from '../measure.ts';
import { ofWorkspace } from './deliveries.ts';
import { type Around, around, type Mode, type Running, startProgram } from './program.ts';
import { atRate, type LoadResult, overHttp, overSocket } from './sending.ts';

const PER_SECOND = 100;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 10;
const HANDLED_WITHIN_MS = 120_000;

/** What became of one run of deliveries against the whole program. */
export interface Steady {
  mode: Mode;
  perSecond: number;
  sent: LoadResult;
  /** Acknowledged, and not in the database although something follows from them. */
  lost: number;
  /** Milliseconds after the last one until all were handled. */
  handledMs: number;
}

/** So many deliveries a second for so long against the whole program, in a process of its own. */
export async function benchSteady(mode: Mode, seconds: number, perSecond = PER_SECOND): Promise<Steady> {
  return withProgram(mode, async (between, running) => {
    const line = mode === 'http' ? overHttp(running.url, CONNECTIONS) : overSocket(between.slack);
    await atRate(line.send, perSecond, WARM_UP_SECONDS, ofWorkspace);
    const sent = await atRate(line.send, perSecond, seconds, ofWorkspace);
    const handledMs = await handled(between.database);
    await line.close();
    return { mode, perSecond, sent, lost: lost(between.database, sent), handledMs };
  });
}

async function withProgram<T>(
  mode: Mode,
  work: (between: Around, running: Running) => Promise<T>,
): Promise<T> {
  const between = await around();
  const running = await startProgram(between, mode);
  try {
    return await work(between, running);
  } finally {
    await running.stop();
    await between.close();
  }
}

function lost(database: string, { kept }: LoadResult): number {
  const db = new Sqlite(database, { readonly: true });
  const stored = new Set(db.prepare('SELECT key FROM inbox').pluck().all());
  db.close();
  return kept.filter((id) => !stored.has(id)).length;
}

async function handled(database: string): Promise<number> {
  const began = performance.now();
  const db = new Sqlite(database, { readonly: true });
  const open = db.prepare("SELECT count(*) FROM inbox WHERE state = 'open'").pluck();
  while (open.get() !== 0) {
    if (performance.now() - began > HANDLED_WITHIN_MS) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  db.close();
  return performance.now() - began;
}

/** The table as text. @param flushes milliseconds that the disk takes for a flush, sorted */
export function acknowledgingTable(steady: readonly Steady[], flushes: readonly number[]): string {
  const quantile = (sorted: readonly number[], share: number) =>
    sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  const ms = (sorted: readonly number[], share: number) => quantile(sorted, share).toFixed(0);
  const rows = steady.map(({ mode, perSecond, sent, lost: lostOnes, handledMs }) => [
    `${perSecond} a second for ${sent.seconds.toFixed(0)} s, ${mode === 'http' ? 'HTTP' : 'Socket Mode'}`,
    String(sent.refused),
    String(lostOnes),
    ms(sent.times, 0.5),
    ms(sent.times, 0.99),
    ms(sent.times, 1),
    handledMs.toFixed(0),
  ]);
  const head = [
    'deliveries',
    'refused',
    'lost',
    'median ms',
    'p99 ms (asked: < 100)',
    'longest ms',
    'all handled after ms',
  ];
  return `${grid([head, ...rows])}\nflush of the disk: median ${ms(flushes, 0.5)} ms, p99 ${ms(flushes, 0.99)} ms`;
}
