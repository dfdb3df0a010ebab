import Sqlite from 'better-sqlite3';
import { grid } from '../grid.ts';
import { cpuSeconds } from '../process.ts';
import { type Around, around, type Mode, type Running, startBare, startProgram } from './program.ts';
import { atRate, flatOut, type LoadResult, overHttp, overSocket } from './sending.ts';

const PER_SECOND = 200;
const CONNECTIONS = 64;
const AT_ONCE = 64;
const WARM_UP_SECONDS = 2;
const HANDLED_WITHIN_MS = 120_000;

/** What became of one run of deliveries against the whole program. */
export interface Steady {
  mode: Mode;
  perSecond: number;
  sent: LoadResult;
  /** Acknowledged, and not in the database. */
  lost: number;
  /** Milliseconds after the last one until all were handled. */
  handledMs: number;
}

/** So many deliveries a second for so long against the whole program, in a process of its own. */
export async function benchSteady(mode: Mode, seconds: number, perSecond = PER_SECOND): Promise<Steady> {
  return withProgram(mode, async (between, running) => {
    const line = mode === 'http' ? overHttp(running.url, CONNECTIONS) : overSocket(between.slack);
    await atRate(line.send, perSecond, WARM_UP_SECONDS);
    const sent = await atRate(line.send, perSecond, seconds);
    const handledMs = await handled(between.database);
    await line.close();
    return { mode, perSecond, sent, lost: lost(between.database, sent), handledMs };
  });
}

/** Deliveries a second, flat out: a bare Bolt app, and the whole program with what it lost. */
export interface FlatOut {
  bare: LoadResult;
  whole: LoadResult;
  lost: number;
  handledMs: number;
  /** At half of that rate: what handling that keeps up does not leave for later. */
  half: Steady;
  /** Processor time of a delivery, taken and handled, in microseconds. */
  cpuMicros: number;
}

export async function benchFlatOut(seconds: number): Promise<FlatOut> {
  const bare = await startBare();
  const bareSent = await hammer(bare, seconds);
  await bare.stop();
  const flat = await withProgram('http', async (between, running) => {
    const cpu = cpuSeconds(running.pid);
    const whole = await hammer(running, seconds);
    const handledMs = await handled(between.database);
    const all = count(between.database);
    const cpuMicros = ((cpuSeconds(running.pid) - cpu) * 1e6) / all;
    return { bare: bareSent, whole, lost: lost(between.database, whole), handledMs, cpuMicros };
  });
  return { ...flat, half: await benchSteady('http', seconds, Math.round(rateOf(flat.whole) / 2)) };
}

async function hammer({ url }: Running, seconds: number): Promise<LoadResult> {
  const line = overHttp(url, CONNECTIONS);
  await flatOut(line.send, AT_ONCE, WARM_UP_SECONDS);
  const sent = await flatOut(line.send, AT_ONCE, seconds);
  await line.close();
  return sent;
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

function count(database: string): number {
  const db = new Sqlite(database, { readonly: true });
  const n = Number(db.prepare('SELECT count(*) FROM inbox').pluck().get());
  db.close();
  return n;
}

function lost(database: string, { acknowledged }: LoadResult): number {
  const db = new Sqlite(database, { readonly: true });
  const stored = new Set(db.prepare('SELECT key FROM inbox').pluck().all());
  db.close();
  return acknowledged.filter((id) => !stored.has(id)).length;
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

/** The table as text. */
export function acknowledgingTable(steady: readonly Steady[], flat: FlatOut): string {
  const at = ({ times }: LoadResult, share: number) =>
    (times[Math.ceil(share * times.length) - 1] ?? Number.NaN).toFixed(0);
  const row = (name: string, sent: LoadResult, lostOnes: string, handledMs: string, ratio: string) => [
    name,
    rateOf(sent).toFixed(0),
    String(sent.refused),
    lostOnes,
    at(sent, 0.5),
    at(sent, 0.99),
    at(sent, 1),
    handledMs,
    ratio,
  ];
  const ratio = rateOf(flat.whole) / rateOf(flat.bare);
  const steadily = (name: string, { sent, lost: lostOnes, handledMs }: Steady) =>
    row(name, sent, String(lostOnes), handledMs.toFixed(0), '');
  const all = grid([
    [
      'deliveries to the whole program',
      'a second',
      'refused',
      'lost',
      'median ms',
      'p99 ms (asked: < 1,000)',
      'longest ms',
      'all handled after ms',
      'ratio (asked: ≥ 0.5)',
    ],
    ...steady.map((one) => {
      const mode = one.mode === 'http' ? 'HTTP' : 'Socket Mode';
      return steadily(`${one.perSecond} a second for ${one.sent.seconds.toFixed(0)} s, ${mode}`, one);
    }),
    row(`flat out, a bare Bolt app that stores nothing`, flat.bare, '–', '–', '1.00'),
    row('flat out, HTTP', flat.whole, String(flat.lost), flat.handledMs.toFixed(0), ratio.toFixed(2)),
    steadily(`half of that, ${flat.half.perSecond} a second, HTTP`, flat.half),
  ]);
  return `${all}\nprocessor time of a delivery, taken and handled: ${flat.cpuMicros.toFixed(0)} µs`;
}

function rateOf({ acknowledged, seconds }: LoadResult): number {
  return acknowledged.length / seconds;
}
