import { duration, timeOfDay } from '../investigation/format.ts';
import {
  byRootBlocker,
  check,
  command,
  type Found,
  fact,
  info,
  NEARLY,
  proofOf,
  waitingFor,
} from './fact.ts';
import { plainName, tablesOf } from './normalize.ts';
import type { Lock, Readings, SessionRow } from './postgres-statements.ts';
import { cancel, checkSession, identifier, literal, terminate } from './postgres-steps.ts';

/** Shorter waits are what locks are for. */
const WAITED_MS = 5_000;
/** So many sessions that wait are a problem at once. */
export const MANY = 5;

export function blocked({ sessions: { sessions }, locks, server, about: { now } }: Readings): Found[] {
  const waiting = sessions.filter(({ blockers }) => blockers.length > 0);
  const byPid = new Map(sessions.map((one) => [one.pid, one]));
  const byRoot = byRootBlocker(
    new Map(waiting.map((one) => [one.pid, one])),
    (pid) => byPid.get(pid)?.blockers ?? [],
  );
  return [...byRoot].flatMap(([pid, waiters]) => {
    const longest = Math.max(...waiters.map(({ began }) => now - (began ?? now)));
    if (longest < WAITED_MS && waiters.length < MANY) return [];
    const direct = waiters.filter(({ blockers }) => blockers.includes(pid));
    const { table, mode } = lockedBy(pid, direct, locks);
    const root = byPid.get(pid);
    const many = waitingFor(waiters.length, longest);
    const object = table === null ? `session ${pid}` : table;
    const proof = proofOf(
      'pg_stat_activity with pg_blocking_pids, pg_locks',
      [...(root === undefined ? [] : [root]), ...waiters].map((one) => ({
        pid: one.pid,
        program: plainName(one.app ?? ''),
        user: plainName(one.user ?? ''),
        client: one.client,
        state: one.state,
        'waits for': one.blockers.join(', '),
        since: one.began === null ? null : timeOfDay(one.began),
        statement: one.query,
      })),
    );
    const shared = {
      kind: 'blocked-sessions',
      object,
      weight: 0.9,
      proof,
      tables: table === null ? [] : [table],
    } as const;
    const what = table === null ? 'a lock' : `${mode} on \`${table}\``;
    if (root === undefined || pid === 0) {
      const oldest = server?.prepared[0];
      const since = oldest?.since ?? null;
      return {
        ...shared,
        since,
        sentence: `A prepared transaction${oldest === undefined ? '' : ` of ${plainName(oldest.owner)}`} has held ${what}${since === null ? '' : ` since ${timeOfDay(since)}`} and belongs to no session; ${many}.`,
        steps: [
          check('Find it', 'select gid, prepared, owner, database from pg_prepared_xacts order by prepared;'),
          info(
            'Ask the owner of its transaction manager',
            'It waits for a second phase that never came: whoever coordinates it knows whether to commit or roll back.',
          ),
          command(
            'Roll it back',
            "rollback prepared '<gid>';",
            'Its changes are lost; this cannot be taken back.',
          ),
        ],
      };
    }
    const since = root.transaction;
    const isIdle = root.state?.startsWith('idle in transaction') === true;
    const doing = isIdle
      ? ` and has done nothing${root.changed === null ? '' : ` for ${duration(now - root.changed)}`}`
      : root.query === ''
        ? ''
        : ` and runs \`${root.query}\``;
    return {
      ...shared,
      since,
      sentence: `Session ${pid} (${whoIs(root)}) has held ${what}${since === null ? '' : ` in a transaction since ${timeOfDay(since)}`}${doing}; ${many}.`,
      steps: [checkSession(pid), ...(isIdle ? [] : [cancel(pid)]), terminate(pid)],
      statement: root.query,
    };
  });
}

/** The table for whose lock they wait, and the lock that is held on it. */
function lockedBy(
  pid: number,
  waiters: readonly SessionRow[],
  locks: readonly Lock[],
): { table: string | null; mode: string } {
  const of = new Set(waiters.map((one) => one.pid));
  const wanted = locks.find(({ pid: own, granted, table }) => of.has(own) && !granted && table !== null);
  // Who waits for a row waits for its transaction, and holds a lock on the row's tuple or table.
  const row = wanted ?? locks.find((one) => of.has(one.pid) && one.type === 'tuple' && one.table !== null);
  const table = row?.table ?? tablesOf(waiters[0]?.query ?? '')[0] ?? null;
  const held = locks.filter(
    (one) => one.pid === pid && one.granted && one.table === table && one.type === 'relation',
  );
  const mode = held.map((one) => one.mode).sort((a, b) => strength(b) - strength(a))[0];
  if (row?.type === 'tuple' || (wanted === undefined && table !== null)) return { table, mode: 'a row lock' };
  const words = (mode ?? 'Lock').replaceAll(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase();
  return { table, mode: `${/^[aeiou]/u.test(words) ? 'an' : 'a'} ${words}` };
}

const MODES = [
  'AccessShare',
  'RowShare',
  'RowExclusive',
  'ShareUpdateExclusive',
  'Share',
  'ShareRowExclusive',
  'Exclusive',
  'AccessExclusive',
];

function strength(mode: string): number {
  return MODES.indexOf(mode.replace(/Lock$/u, ''));
}

export function whoIs({ app, user, client, kind }: SessionRow): string {
  const parts = [
    ...(app !== null && app !== ''
      ? [`\`${plainName(app)}\``]
      : kind !== null && kind !== 'client backend'
        ? [kind]
        : []),
    ...(user === null ? [] : [`user \`${plainName(user)}\``]),
    ...(client === null ? [] : [`from ${client}`]),
  ];
  return parts.join(', ') || 'unnamed';
}

export function connections({ sessions: { connected, used, roles, databases }, about }: Readings): Found[] {
  const allowed = about.most - about.reserved;
  const found: Found[] = [];
  const [first] = connected;
  const proof = proofOf(
    'pg_stat_activity by application_name, usename and state',
    connected.map(({ app, user, state, count }) => ({
      program: plainName(app),
      user: user === null ? null : plainName(user),
      state,
      connections: count,
    })),
  );
  const byProgram = new Map<string, number>();
  for (const { app, count } of connected) byProgram.set(app, (byProgram.get(app) ?? 0) + count);
  const [program = '', most = 0] = [...byProgram].sort((a, b) => b[1] - a[1])[0] ?? [];
  const idle = connected
    .filter((one) => one.app === program && one.state === 'idle')
    .reduce((sum, { count }) => sum + count, 0);
  const mostly = `${most} of them are of \`${plainName(program)}\`${idle === 0 ? '' : `, ${idle} of those idle`}`;
  const endIdle = (where: string) =>
    command(
      'End the idle ones',
      `select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle' and ${where};`,
      'Pools open new ones as they need them; a statement that is just beginning fails once.',
    );
  if (used >= NEARLY * allowed && first !== undefined)
    found.push(
      fact('connections-used-up', 'connections', used >= allowed ? 0.9 : 0.7, {
        sentence: `${used} of ${about.most} connections are in use (${about.reserved} are kept for superusers); ${mostly}.`,
        proof,
        steps: [
          check(
            'See who holds them',
            'select application_name, usename, state, count(*) from pg_stat_activity group by 1, 2, 3 order by 4 desc;',
          ),
          ...(idle > 0 && literal(program) !== null
            ? [endIdle(`application_name = ${literal(program)}`)]
            : []),
          info(
            'Make its pools smaller',
            `Instances times pool size must stay below ${allowed}. Raising max_connections needs a restart, and memory for each.`,
          ),
        ],
      }),
    );
  for (const [what, all] of [
    ['role', roles],
    ['database', databases],
  ] as const)
    for (const { name, limit, used: own } of all.filter((one) => one.used >= one.limit))
      found.push(
        fact('connections-used-up', `${what} ${plainName(name)}`, 0.9, {
          sentence: `The ${what} \`${plainName(name)}\` has ${own} connections and may have ${limit}: its next one is refused, though the server has ${about.most - used} left.`,
          proof,
          steps: [
            check(
              'See who holds them',
              `select application_name, state, count(*) from pg_stat_activity where ${what === 'role' ? 'usename' : 'datname'} = ${literal(name) ?? "'…'"} group by 1, 2 order by 3 desc;`,
            ),
            command(
              'Raise its limit',
              `alter ${what} ${identifier(name)} connection limit ${2 * limit};`,
              `Undo with: alter ${what} ${identifier(name)} connection limit ${limit}; the server as a whole allows ${allowed}.`,
            ),
          ],
        }),
      );
  return found;
}

const IDLE_MS = 5 * 60_000;

export function idle({ sessions: { sessions }, about: { now } }: Readings): Found | [] {
  const waitedFor = new Set(sessions.flatMap(({ blockers }) => blockers));
  const all = sessions
    .filter(
      ({ pid, state, changed }) =>
        state?.startsWith('idle in transaction') &&
        changed !== null &&
        now - changed >= IDLE_MS &&
        !waitedFor.has(pid),
    )
    .sort((a, b) => (a.changed ?? 0) - (b.changed ?? 0));
  const [oldest] = all;
  if (oldest === undefined) return [];
  const more = all.length === 1 ? '' : `; ${all.length - 1} more do the same`;
  return fact('idle-in-transaction', `session ${oldest.pid}`, 0.4, {
    since: oldest.changed,
    sentence: `Session ${oldest.pid} (${whoIs(oldest)}) has been idle in a transaction for ${duration(now - (oldest.changed ?? now))}${more}: nobody waits for it, but vacuum cannot clean what is newer than it.`,
    proof: proofOf(
      'pg_stat_activity',
      all.map((one) => ({
        pid: one.pid,
        program: plainName(one.app ?? ''),
        user: plainName(one.user ?? ''),
        state: one.state,
        since: timeOfDay(one.changed ?? now),
        statement: one.query,
      })),
    ),
    steps: [checkSession(oldest.pid), terminate(oldest.pid)],
  });
}
