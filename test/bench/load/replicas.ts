import { grid } from '../measure.ts';
import { type BenchPostgres, startBenchPostgres } from './postgres.ts';
import { around, type Running, startBare, startProgram } from './program.ts';
import { flatOut, type LoadResult, overHttp } from './sending.ts';

const CONNECTIONS = 64;
const AT_ONCE = 64;
const WARM_UP_SECONDS = 2;
const HANDLED_WITHIN_MS = 120_000;
const REPLICAS = [1, 2, 4];

/** Deliveries flat out to so many processes; none for the bare Bolt app. */
export interface ReplicasLoad {
  name: string;
  sent: LoadResult;
  /** Acknowledged, and not in the database; `null` if nothing is stored. */
  lost: number | null;
  /** Milliseconds after the last one until all were handled. */
  handledMs: number | null;
}

/** What a bare Bolt app acknowledges, and what one, two and four replicas on one PostgreSQL do, all on this machine. */
export async function benchReplicas(seconds: number): Promise<ReplicasLoad[]> {
  const bare = await startBare();
  const sent = await hammer([bare], seconds);
  await bare.stop();
  const results: ReplicasLoad[] = [
    { name: 'a bare Bolt app that stores nothing', sent, lost: null, handledMs: null },
  ];
  for (const replicas of REPLICAS) results.push(await benchSome(replicas, seconds));
  return results;
}

async function benchSome(replicas: number, seconds: number): Promise<ReplicasLoad> {
  const postgres = await startBenchPostgres();
  const between = await around();
  const running: Running[] = [];
  try {
    for (let n = 0; n < replicas; n += 1) {
      running.push(await startProgram(between, 'http', { DATABASE_URL: postgres.url }));
    }
    const sent = await hammer(running, seconds);
    const handledMs = await handled(postgres);
    const stored = new Set((await postgres.query('select key from inbox')).map(({ key }) => key));
    const lost = sent.acknowledged.filter((id) => !stored.has(id)).length;
    const name = `PostgreSQL, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`;
    return { name, sent, lost, handledMs };
  } finally {
    for (const one of running) await one.stop();
    await between.close();
    await postgres.stop();
  }
}

/** Dealt out in turn, as a load balancer does. */
async function hammer(programs: readonly Running[], seconds: number): Promise<LoadResult> {
  const lines = programs.map(({ url }) => overHttp(url, CONNECTIONS));
  let turn = 0;
  const send = (payload: object) => {
    turn += 1;
    const line = lines[turn % lines.length];
    return line === undefined ? Promise.reject(new Error('there is no program')) : line.send(payload);
  };
  await flatOut(send, AT_ONCE, WARM_UP_SECONDS);
  const sent = await flatOut(send, AT_ONCE, seconds);
  await Promise.all(lines.map((line) => line.close()));
  return sent;
}

async function handled({ query }: BenchPostgres): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < HANDLED_WITHIN_MS) {
    const [row] = await query("select count(*)::int as n from inbox where state = 'open'");
    if (row?.n === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return performance.now() - began;
}

/** The table as text. */
export function replicasTable(results: readonly ReplicasLoad[]): string {
  const rate = ({ acknowledged, seconds }: LoadResult) => acknowledged.length / seconds;
  const bare = results[0] === undefined ? Number.NaN : rate(results[0].sent);
  const at = ({ times }: LoadResult, share: number) =>
    (times[Math.ceil(share * times.length) - 1] ?? Number.NaN).toFixed(0);
  return grid([
    [
      'flat out over HTTP',
      'a second',
      'refused',
      'lost',
      'median ms',
      'p99 ms',
      'all handled after ms',
      'ratio',
    ],
    ...results.map(({ name, sent, lost, handledMs }) => [
      name,
      rate(sent).toFixed(0),
      String(sent.refused),
      lost === null ? '–' : String(lost),
      at(sent, 0.5),
      at(sent, 0.99),
      handledMs === null ? '–' : handledMs.toFixed(0),
      (rate(sent) / bare).toFixed(2),
    ]),
  ]);
}
