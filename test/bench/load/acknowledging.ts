import Sqlite from 'better-sqlite3';
import { cpuSeconds, grid } from '../measure.ts';
import { type Deliveries, ofTool, ofWorkspace } from './deliveries.ts';
import { type Around, around, type Mode, type Running, startBare, startProgram } from './program.ts';
import { atRate, flatOut, type LoadResult, overHttp, overSocket } from './sending.ts';

const PER_SECOND = 200;
const CONNECTIONS = 64;
const AT_ONCE = 64;
const WARM_UP_SECONDS = 10;
const HANDLED_WITHIN_MS = 120_000;
/** What is to be acknowledged of a bare app's rate, and at what rate handling is to keep up. */
const SHARES = [0.5, 0.25];

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
export async function benchSteady(
  mode: Mode,
  seconds: number,
  perSecond = PER_SECOND,
  next: Deliveries = ofWorkspace,
): Promise<Steady> {
  return withProgram(mode, async (between, running) => {
    const line = mode === 'http' ? overHttp(running.url, CONNECTIONS) : overSocket(between.slack);
    await atRate(line.send, perSecond, WARM_UP_SECONDS, next);
    const sent = await atRate(line.send, perSecond, seconds, next);
    const handledMs = await handled(between.database);
    await line.close();
    return { mode, perSecond, sent, lost: lost(between.database, sent), handledMs };
  });
}

/** What is delivered flat out. */
const MIXES = { 'of a workspace': ofWorkspace, 'alerts alone': ofTool };

/** Deliveries a second, flat out: a bare Bolt app, and the whole program with what it lost. */
export interface FlatOut {
  mix: keyof typeof MIXES;
  bare: LoadResult;
  whole: LoadResult;
  lost: number;
  handledMs: number;
  /** At shares of the bare app's rate, whether or not the earlier ones are acknowledged: as Slack delivers. */
  shares: { share: number; steady: Steady }[];
  /** Processor time of a delivery, taken and handled, in microseconds. */
  cpuMicros: number;
}

export async function benchFlatOut(mix: FlatOut['mix'], seconds: number): Promise<FlatOut> {
  const next = MIXES[mix];
  const bare = await startBare();
  const bareSent = await hammer(bare, seconds, next);
  await bare.stop();
  const flat = await withProgram('http', async (between, running) => {
    let cpu = 0;
    const whole = await hammer(running, seconds, next, async () => {
      await handled(between.database);
      cpu = cpuSeconds(running.pid);
    });
    const handledMs = await handled(between.database);
    const cpuMicros = ((cpuSeconds(running.pid) - cpu) * 1e6) / whole.acknowledged.length;
    return { mix, bare: bareSent, whole, lost: lost(between.database, whole), handledMs, cpuMicros };
  });
  const shares: FlatOut['shares'] = [];
  for (const share of SHARES) {
    const perSecond = Math.round(rateOf(bareSent) * share);
    shares.push({ share, steady: await benchSteady('http', seconds, perSecond, next) });
  }
  return { ...flat, shares };
}

async function hammer(
  { url }: Running,
  seconds: number,
  next: Deliveries,
  onWarm: () => Promise<void> = async () => undefined,
): Promise<LoadResult> {
  const line = overHttp(url, CONNECTIONS);
  await flatOut(line.send, AT_ONCE, WARM_UP_SECONDS, next);
  await onWarm();
  const sent = await flatOut(line.send, AT_ONCE, seconds, next);
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

/**
 * The table as text.
 *
 * @param flushes milliseconds that the disk takes for a flush, sorted
 */
export function acknowledgingTable(
  steady: readonly Steady[],
  flats: readonly FlatOut[],
  flushes: readonly number[],
): string {
  const quantile = (sorted: readonly number[], share: number) =>
    sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  const at = ({ times }: LoadResult, share: number) => quantile(times, share).toFixed(0);
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
    ...flats.flatMap(({ mix, bare, whole, lost: lostOnes, handledMs, shares }) => [
      row(`flat out, ${mix}, a bare Bolt app that stores nothing`, bare, '–', '–', '1.00'),
      row(
        `flat out, ${mix}, HTTP`,
        whole,
        String(lostOnes),
        handledMs.toFixed(0),
        (rateOf(whole) / rateOf(bare)).toFixed(2),
      ),
      ...shares.map(({ share, steady: one }) =>
        steadily(`${share} of the bare app's rate, ${one.perSecond} a second, HTTP`, one),
      ),
    ]),
  ]);
  const costs = flats.map(({ mix, cpuMicros }) => `${cpuMicros.toFixed(0)} µs (${mix})`);
  const flush = `median ${quantile(flushes, 0.5).toFixed(1)} ms, p99 ${quantile(flushes, 0.99).toFixed(1)} ms`;
  return `${all}\nprocessor time of a delivery, taken and handled: ${costs.join(', ')}\nflush of the disk: ${flush}`;
}

function rateOf({ acknowledged, seconds }: LoadResult): number {
  return acknowledged.length / seconds;
}
