import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { IssueDetail, IssuePage } from '../../src/contract/answers.ts';
import { SERVICE_KEY, type Surroundings } from './program.ts';
import { rowsOf } from './program-database.ts';
import { until } from './until.ts';

const Counts = z.record(z.string(), z.number());
const WAITING = `SELECT
  (SELECT count(*) FROM inbox WHERE state = 'open') AS deliveries,
  (SELECT count(*) FROM outbox WHERE state = 'due') AS messages,
  (SELECT count(*) FROM issues WHERE state = 'pending' OR wanted_status IS NOT NULL
    OR (state = 'created' AND status = 'investigating' AND ended_version < version)) AS issues,
  (SELECT count(*) FROM questions WHERE state IN ('queued', 'asking')) AS questions`;

/** Reads one row of the program's database, while it runs. */
async function read<T>(
  around: Surroundings,
  schema: z.ZodType<T>,
  sql: string,
  ...given: string[]
): Promise<T> {
  return schema.parse((await rowsOf(around, sql, ...given))[0]);
}

/** Waits until the program has handled a delivery, by the key of its inbox. */
export function untilHandled(around: Surroundings, key: string): Promise<boolean> {
  const Count = z.object({ n: z.number() });
  const sql = `SELECT count(*) AS n FROM inbox WHERE key = ? AND state = 'done'`;
  return until(`${key} is handled`, async () => (await read(around, Count, sql, key)).n === 1);
}

/** How many events the workspace has not delivered yet. */
export function countUndelivered({ folder }: Pick<Surroundings, 'folder'>): number {
  const db = new Sqlite(join(folder, 'workspace.db'), { readonly: true });
  try {
    return z.object({ n: z.number() }).parse(db.prepare('SELECT count(*) AS n FROM deliveries').get()).n;
  } finally {
    db.close();
  }
}

/** Waits until the program has nothing left to do. */
export function untilQuiet(around: Surroundings): Promise<boolean> {
  return until('nothing is left to do', () => isQuiet(around));
}

/**
 * Waits until Slack has nothing left to deliver and the program nothing left to do: what has not come by then does not
 * come. Not for tests in which a proxy keeps deliveries back.
 */
export function untilSettled(around: Surroundings): Promise<boolean> {
  return until(
    'nothing is left to deliver or to do',
    async () => countUndelivered(around) === 0 && (await isQuiet(around)),
  );
}

async function isQuiet(around: Surroundings): Promise<boolean> {
  const waiting = await read(around, Counts, WAITING);
  return Object.values(waiting).every((n) => n === 0);
}

/** The issues at the service, the oldest first, with how often each was investigated. */
export async function issuesOf({ service }: Surroundings): Promise<{ title: string; versions: number }[]> {
  const get = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${SERVICE_KEY}` };
    return (await fetch(`${service.url}/issues${path}`, { headers })).json();
  };
  const { data } = IssuePage.parse(await get('?limit=100'));
  const details = await Promise.all(data.map(({ uuid }) => get(`/${uuid}`)));
  return details
    .map((detail) => IssueDetail.parse(detail))
    .map(({ title = '', latestVersion = 1 }) => ({ title, versions: latestVersion }))
    .toReversed();
}
