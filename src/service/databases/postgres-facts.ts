import { amount, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import { type DatabaseFact, type DatabaseStep, proofOf } from './fact.ts';
import { countersIn, type Fingerprint } from './fingerprint.ts';
import { plainName, tablesOf } from './normalize.ts';
import type { About, Counters, Lock, Server, SessionRow, Sessions } from './postgres-statements.ts';
import type { Inside } from './system.ts';

/** All that one look at PostgreSQL has read. */
export interface Readings {
  about: About;
  sessions: Sessions;
  locks: readonly Lock[];
  /** `null` if it could not be read. */
  server: Server | null;
  /** Two readings, about a second apart. */
  counters: { first: Counters; second: Counters } | null;
  texts: readonly { id: string; statement: string }[];
  earlier: Fingerprint | null;
  now: number;
}

type Found = Omit<DatabaseFact, 'database' | 'system'>;

/** What the readings show to be wrong. Pure: the limits are of what was read, never of our own clock. */
export function judgePostgres(database: string, readings: Readings): Omit<Inside, 'unread'> {
  const { sessions, server, counters, about } = readings;
  const found = [
    ...blocked(readings),
    ...connections(readings),
    ...idle(readings),
    ...(counters === null ? [] : statements(readings, counters)),
    ...(counters === null ? [] : scans(readings, counters)),
    ...(counters === null ? [] : writes(readings, counters)),
    ...(server === null ? [] : replication(server, readings)),
    ...(server === null ? [] : vacuum(server, readings)),
    ...(server === null ? [] : limits(server, about)),
  ];
  return {
    facts: found.map((fact) => ({ database, system: 'postgres', ...fact })),
    read: [
      `${sessions.used} of ${about.most} connections`,
      'locks',
      ...(counters === null ? [] : ['statements', 'sequential scans']),
      ...(server === null ? [] : ['replication', 'slots', 'vacuum', 'transaction ids']),
    ],
    connected: sessions.connected.map(({ app, user, state, count }) => ({
      who: `${plainName(app)}${user === null || user === app ? '' : ` (user ${plainName(user)})`}`,
      connections: count,
      doing: state ?? 'unknown',
    })),
  };
}

/** Shorter waits are what locks are for. */
const WAITED_MS = 5_000;
const MANY = 5;

function blocked({ sessions: { sessions }, locks, server, about: { now } }: Readings): Found[] {
  const waiting = sessions.filter(({ blockers }) => blockers.length > 0);
  const byPid = new Map(sessions.map((one) => [one.pid, one]));
  /** Those at the end of the chain that a session waits in. */
  const rootsOf = (pid: number, seen: ReadonlySet<number> = new Set()): number[] => {
    const blockers = byPid.get(pid)?.blockers ?? [];
    if (blockers.length === 0 || seen.has(pid)) return [pid];
    return [...new Set(blockers.flatMap((one) => rootsOf(one, new Set([...seen, pid]))))];
  };
  const byRoot = new Map<number, SessionRow[]>();
  for (const one of waiting)
    for (const root of rootsOf(one.pid))
      if (root !== one.pid) byRoot.set(root, [...(byRoot.get(root) ?? []), one]);
  return [...byRoot].flatMap(([pid, waiters]) => {
    const longest = Math.max(...waiters.map(({ began }) => now - (began ?? now)));
    if (longest < WAITED_MS && waiters.length < MANY) return [];
    const direct = waiters.filter(({ blockers }) => blockers.includes(pid));
    const { table, mode } = lockedBy(pid, direct, locks);
    const root = byPid.get(pid);
    const many = `${waiters.length === 1 ? '1 session waits' : `${waiters.length} sessions wait`} for it, ${waiters.length === 1 ? '' : 'the oldest '}for ${duration(longest)}`;
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
      return [
        {
          ...shared,
          since,
          sentence: `A prepared transaction${oldest === undefined ? '' : ` of ${plainName(oldest.owner)}`} has held ${what}${since === null ? '' : ` since ${timeOfDay(since)}`} and belongs to no session; ${many}.`,
          steps: [
            check(
              'Find it',
              'select gid, prepared, owner, database from pg_prepared_xacts order by prepared;',
            ),
            {
              title: 'Ask the owner of its transaction manager',
              type: 'info',
              content:
                'It waits for a second phase that never came: whoever coordinates it knows whether to commit or roll back.',
            },
            command(
              'Roll it back',
              "rollback prepared '<gid>';",
              'Its changes are lost; this cannot be taken back.',
            ),
          ],
        },
      ];
    }
    const since = root.transaction;
    const isIdle = root.state?.startsWith('idle in transaction') === true;
    const doing = isIdle
      ? ` and has done nothing${root.changed === null ? '' : ` for ${duration(now - root.changed)}`}`
      : root.query === ''
        ? ''
        : ` and runs \`${root.query}\``;
    return [
      {
        ...shared,
        since,
        sentence: `Session ${pid} (${whoIs(root)}) has held ${what}${since === null ? '' : ` in a transaction since ${timeOfDay(since)}`}${doing}; ${many}.`,
        steps: [checkSession(pid), ...(isIdle ? [] : [cancel(pid)]), terminate(pid)],
        statement: root.query,
      },
    ];
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

function whoIs({ app, user, client, kind }: SessionRow): string {
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

/** From this share of what is allowed on, the next ones are refused soon. */
const NEARLY = 0.9;

function connections({ sessions: { connected, used, roles, databases }, about }: Readings): Found[] {
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
    found.push({
      kind: 'connections-used-up',
      object: 'connections',
      since: null,
      weight: used >= allowed ? 0.9 : 0.7,
      sentence: `${used} of ${about.most} connections are in use (${about.reserved} are kept for superusers); ${mostly}.`,
      proof,
      steps: [
        check(
          'See who holds them',
          'select application_name, usename, state, count(*) from pg_stat_activity group by 1, 2, 3 order by 4 desc;',
        ),
        ...(idle > 0 && literal(program) !== null ? [endIdle(`application_name = ${literal(program)}`)] : []),
        {
          title: 'Make its pools smaller',
          type: 'info',
          content: `Copies times pool size must stay below ${allowed}. Raising max_connections needs a restart, and memory for each.`,
        },
      ],
    });
  for (const [what, all] of [
    ['role', roles],
    ['database', databases],
  ] as const)
    for (const { name, limit, used: own } of all.filter((one) => one.used >= one.limit))
      found.push({
        kind: 'connections-used-up',
        object: `${what} ${plainName(name)}`,
        since: null,
        weight: 0.9,
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
            `Taken back by: alter ${what} ${identifier(name)} connection limit ${limit}; the server as a whole allows ${allowed}.`,
          ),
        ],
      });
  return found;
}

const IDLE_MS = 5 * 60_000;

function idle({ sessions: { sessions }, about: { now } }: Readings): Found[] {
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
  return [
    {
      kind: 'idle-in-transaction',
      object: `session ${oldest.pid}`,
      since: oldest.changed,
      weight: 0.4,
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
    },
  ];
}

/** So much slower a call, and so much of the server's time. */
const SLOWER = 4;
const BUSY = 0.15;
const LEAST_CALLS = 20;

function statements(
  { texts, earlier, sessions: { sessions }, about: { now } }: Readings,
  { first, second }: { first: Counters; second: Counters },
): Found[] {
  const wall = Math.max(1, second.now - first.now);
  const before = new Map(first.statements.map((one) => [one.id, one]));
  const kept = countersIn(earlier, 'statements');
  const found: Found[] = [];
  const deltas = second.statements.flatMap((one) => {
    const was = before.get(one.id);
    const calls = one.calls - (was?.calls ?? 0);
    // A reset shows as a drop.
    return calls <= 0 || one.ms < (was?.ms ?? 0) ? [] : [{ ...one, calls, ms: one.ms - (was?.ms ?? 0), was }];
  });
  const total = deltas.reduce((sum, { ms }) => sum + ms, 0);
  for (const one of deltas.sort((a, b) => b.ms - a.ms).slice(0, 8)) {
    const statement = texts.find(({ id }) => id === one.id)?.statement;
    // What is kept is from before; without it, the time since the counters began is all there is.
    const [calls = 0, ms = 0] = kept[one.id] ?? [one.was?.calls ?? 0, one.was?.ms ?? 0];
    const usual = calls >= LEAST_CALLS ? ms / calls : null;
    const now_ = one.ms / one.calls;
    const busy = one.ms / wall;
    if (statement === undefined || statement === '' || busy < BUSY || usual === null || now_ < SLOWER * usual)
      continue;
    found.push({
      kind: 'statement-slower',
      object: plainName(tablesOf(statement)[0] ?? 'a statement'),
      since: null,
      weight: 0.6,
      sentence: `\`${statement}\` takes ${amount(now_, 'ms')} a call, ${one.calls} calls in ${amount(wall, 'ms')} (${Math.round((100 * one.ms) / total)}% of what the statements take); it took ${amount(usual, 'ms')} on the average of ${calls.toLocaleString('en-US')} calls ${kept[one.id] === undefined ? 'since the counters began' : `until ${timeOfDay(earlier?.at ?? now)}`}.`,
      proof: proofOf(
        'pg_stat_statements, two readings',
        deltas.slice(0, 8).map((d) => ({
          statement: texts.find(({ id }) => id === d.id)?.statement ?? '',
          calls: d.calls,
          'ms a call': Number((d.ms / d.calls).toFixed(2)),
          'blocks read': Math.max(0, d.read - (d.was?.read ?? 0)),
        })),
      ),
      steps: [
        check(
          'See its plan',
          `explain (buffers) ${statement.endsWith('…') ? '<the statement>' : statement};`,
        ),
        {
          title: 'Look at what changed',
          type: 'info',
          content:
            'An index that went, a table that grew, statistics that are old (analyze is safe to run), or another plan.',
        },
      ],
      tables: tablesOf(statement),
      statement,
    });
  }
  // Statements that have not ended are not in the counters yet.
  const running = Map.groupBy(
    sessions.filter(
      ({ state, query, blockers, began }) =>
        state === 'active' && query !== '' && blockers.length === 0 && began !== null && now - began >= 1_000,
    ),
    ({ query }) => query,
  );
  for (const [statement, all] of running) {
    if (all.length < MANY) continue;
    const longest = Math.max(...all.map(({ began }) => now - (began ?? now)));
    found.push({
      kind: 'statement-heavy',
      object: plainName(tablesOf(statement)[0] ?? 'a statement'),
      since: now - longest,
      weight: 0.6,
      sentence: `${all.length} sessions run \`${statement}\` at the same time, the longest for ${duration(longest)}.`,
      proof: proofOf(
        'pg_stat_activity',
        all.map((one) => ({
          pid: one.pid,
          program: plainName(one.app ?? ''),
          user: plainName(one.user ?? ''),
          wait: one.wait,
          since: timeOfDay(one.began ?? now),
        })),
      ),
      steps: [...all.slice(0, 1).flatMap(({ pid }) => [checkSession(pid), cancel(pid)])],
      tables: tablesOf(statement),
      statement,
    });
  }
  return found;
}

const LEAST_READ = 10_000;

function scans({ earlier }: Readings, { first, second }: { first: Counters; second: Counters }): Found[] {
  const before = new Map(first.tables.map((one) => [one.table, one]));
  const kept = countersIn(earlier, 'tables');
  return second.tables.flatMap((one) => {
    const was = before.get(one.table);
    const [scansThen = was?.scans ?? 0, , indexThen = was?.index ?? 0] = kept[one.table] ?? [];
    // Sessions report once a second, so what came since the last look counts as well.
    const base = was !== undefined && one.scans > was.scans ? was : null;
    const scanned = one.scans - (base?.scans ?? one.scans);
    const read = one.read - (base?.read ?? one.read);
    const byIndex = one.index - (base?.index ?? one.index);
    const usual = scansThen + indexThen < LEAST_CALLS ? null : scansThen / (scansThen + indexThen);
    const isNew = usual !== null && usual < 0.1 && scanned / Math.max(1, scanned + byIndex) > 0.5;
    if (scanned < 2 || read / scanned < LEAST_READ || !isNew) return [];
    return [
      {
        kind: 'sequential-scans' as const,
        object: plainName(one.table),
        since: null,
        weight: 0.5,
        sentence: `\`${plainName(one.table)}\` is read from its beginning to its end ${scanned} times in ${amount(second.now - first.now, 'ms')}, ${Math.round(read / scanned).toLocaleString('en-US')} rows each; before, ${amount(1 - (usual ?? 0), '1')} of its reads used an index.`,
        proof: proofOf('pg_stat_user_tables, two readings', [
          {
            table: one.table,
            'seq scans': scanned,
            'rows read': read,
            'index scans': byIndex,
            rows: one.rows,
          },
        ]),
        steps: [
          check(
            'See its indexes',
            `select indexrelname, idx_scan from pg_stat_user_indexes where relname = ${literal(one.table) ?? "'…'"};`,
          ),
        ],
        tables: [one.table.toLowerCase()],
      },
    ];
  });
}

const TEMPORARY = 64 * 1_048_576;

function writes({ earlier }: Readings, { first, second }: { first: Counters; second: Counters }): Found[] {
  const written = second.temporary - first.temporary;
  const [requestedThen = 0, timedThen = 0] = countersIn(earlier, 'checkpoints').all ?? [];
  const [requested = 0, timed = 0] = second.checkpoints;
  const forced = requested - requestedThen;
  const isForced = earlier !== null && forced >= 5 && forced > 2 * (timed - timedThen);
  return [
    ...(written < TEMPORARY
      ? []
      : [
          {
            kind: 'temporary-files' as const,
            object: 'temporary files',
            since: null,
            weight: 0.4,
            sentence: `${amount(written, 'By')} were written to temporary files in ${amount(second.now - first.now, 'ms')}: sorts or joins do not fit into work_mem.`,
            proof: proofOf('pg_stat_database.temp_bytes, two readings', [{ bytes: written }]),
            steps: [
              check(
                'See who runs',
                "select pid, application_name, query_start from pg_stat_activity where state = 'active' order by query_start;",
              ),
            ],
          },
        ]),
    ...(isForced
      ? [
          {
            kind: 'checkpoints-forced' as const,
            object: 'checkpoints',
            since: earlier.at,
            weight: 0.4,
            sentence: `${forced} checkpoints were forced since ${timeOfDay(earlier.at)}, and ${timed - timedThen} came by time: more is written than max_wal_size allows for.`,
            proof: proofOf('pg_stat_bgwriter or pg_stat_checkpointer', [
              { requested: forced, timed: timed - timedThen },
            ]),
            steps: [
              check('See the limit', 'show max_wal_size;'),
              {
                title: 'Raise max_wal_size',
                type: 'info' as const,
                content:
                  'alter system set max_wal_size = …; select pg_reload_conf(); needs that much more disk, and a longer recovery after a crash.',
              },
            ],
          },
        ]
      : []),
  ];
}

const BEHIND_MS = 30_000;
const BEHIND_BYTES = 1_073_741_824;

function replication(
  { replicas, slots, receives, isCaughtUp, replayed }: Server,
  { about }: Readings,
): Found[] {
  const late = replicas.filter(({ lag, bytes }) => lag >= BEHIND_MS || bytes >= BEHIND_BYTES);
  const keeping = slots.filter(
    ({ active, status, bytes }) =>
      !active &&
      (status === 'extended' || status === 'unreserved' || status === 'lost' || (bytes ?? 0) >= BEHIND_BYTES),
  );
  const found: Found[] = late.map((one) => ({
    kind: 'replication-behind',
    object: plainName(one.name),
    since: null,
    weight: 0.6,
    sentence: `The replica \`${plainName(one.name)}\`${one.client === null ? '' : ` at ${one.client}`} is ${one.lag > 0 ? `${duration(one.lag)} and ` : ''}${amount(one.bytes, 'By')} behind.`,
    proof: proofOf(
      'pg_stat_replication',
      replicas.map((r) => ({
        name: r.name,
        client: r.client,
        state: r.state,
        'lag ms': Math.round(r.lag),
        'bytes behind': r.bytes,
      })),
    ),
    steps: [
      check(
        'See where it lags',
        'select application_name, state, write_lag, flush_lag, replay_lag from pg_stat_replication;',
      ),
    ],
  }));
  for (const one of keeping) {
    const name = plainName(one.name);
    found.push({
      kind: 'log-kept-by-slot',
      object: `slot ${name}`,
      since: null,
      weight: one.status === 'lost' ? 0.7 : 0.75,
      sentence:
        one.status === 'lost'
          ? `The replication slot \`${name}\` is lost: it fell behind by more than is kept, and whoever reads it must begin anew.`
          : `Nobody reads the replication slot \`${name}\`, and it keeps ${amount(one.bytes ?? 0, 'By')} of WAL on the disk: that grows until it is read or dropped.`,
      proof: proofOf(
        'pg_replication_slots',
        slots.map((s) => ({ slot: s.name, active: s.active, 'wal status': s.status, 'bytes kept': s.bytes })),
      ),
      steps: [
        check(
          'See whose it is',
          'select slot_name, slot_type, database, active_pid, wal_status, safe_wal_size from pg_replication_slots;',
        ),
        {
          title: 'Start its reader again',
          type: 'info',
          content: 'A standby, or a CDC connector, which goes on where it ended.',
        },
        ...(literal(one.name) === null
          ? []
          : [
              command(
                'Drop it',
                `select pg_drop_replication_slot(${literal(one.name)});`,
                'Its reader must then copy everything anew; this cannot be taken back.',
              ),
            ]),
      ],
    });
  }
  if (about.isReplica && !receives)
    found.push({
      kind: 'replica-without-source',
      object: 'replication',
      since: replayed,
      weight: 0.85,
      sentence: `This replica has no connection to its source${replayed === null ? '' : `: the last transaction that it replayed is of ${timeOfDay(replayed)}`}; what it answers grows old.`,
      proof: proofOf('pg_stat_wal_receiver, pg_last_xact_replay_timestamp()', [
        { 'wal receiver': 'none', replayed: replayed === null ? null : new Date(replayed).toISOString() },
      ]),
      steps: [
        check(
          'See its settings and log',
          "select name, setting from pg_settings where name in ('primary_slot_name', 'recovery_target_timeline'); -- and: does its source run, and take its connection?",
        ),
      ],
    });
  else if (about.isReplica && isCaughtUp === false && replayed !== null && about.now - replayed >= BEHIND_MS)
    found.push({
      kind: 'replication-behind',
      object: 'replication',
      since: replayed,
      weight: 0.6,
      sentence: `This replica replays transactions of ${timeOfDay(replayed)}: it is ${duration(about.now - replayed)} behind what it has received.`,
      proof: proofOf('pg_last_xact_replay_timestamp()', [{ replayed: new Date(replayed).toISOString() }]),
      steps: [
        check(
          'See what it waits for',
          "select pid, wait_event, state from pg_stat_activity where backend_type = 'startup';",
        ),
      ],
    });
  return found;
}

const LEAST_DEAD = 20_000;

function vacuum(
  { holders }: Server,
  { counters, about: { now }, sessions: { sessions } }: Readings,
): Found[] {
  const worst = (counters?.second.tables ?? [])
    .filter(({ dead, rows }) => dead >= LEAST_DEAD && dead >= 0.3 * (rows + dead))
    .sort((a, b) => b.dead - a.dead)[0];
  // It ran, and could not clean: whoever is older than its last run kept it from that.
  const holder = holders.find(
    ({ age, since }) => age > 0 && (since === null || (worst?.vacuumed != null && since < worst.vacuumed)),
  );
  if (worst === undefined || holder === undefined || worst.vacuumed === null) return [];
  const session =
    holder.what === 'session' ? sessions.find(({ pid }) => String(pid) === holder.name) : undefined;
  const who = {
    session: `session ${holder.name}${session === undefined ? '' : ` (${whoIs(session)})`}`,
    slot: `the replication slot \`${plainName(holder.name)}\``,
    prepared: `a prepared transaction of \`${plainName(holder.name)}\``,
  }[holder.what];
  const steps: Record<typeof holder.what, DatabaseStep[]> = {
    session: [checkSession(Number(holder.name)), terminate(Number(holder.name))],
    slot: [
      check('See whose it is', 'select slot_name, active, xmin, catalog_xmin from pg_replication_slots;'),
    ],
    prepared: [
      check('Find it', 'select gid, prepared, owner from pg_prepared_xacts order by prepared;'),
      command(
        'Roll it back',
        "rollback prepared '<gid>';",
        'Its changes are lost; this cannot be taken back.',
      ),
    ],
  };
  return [
    {
      kind: 'vacuum-held-back',
      object: plainName(worst.table),
      since: holder.since,
      weight: 0.7,
      sentence: `Vacuum went over \`${plainName(worst.table)}\` at ${timeOfDay(worst.vacuumed)} and ${worst.dead.toLocaleString('en-US')} dead rows are still there beside ${worst.rows.toLocaleString('en-US')}: ${who} has held the oldest view of the data${holder.since === null ? '' : ` for ${duration(now - holder.since)}`}.`,
      proof: proofOf(
        'pg_stat_user_tables; backend_xmin, slots and pg_prepared_xacts',
        holders.map((one) => ({
          who: `${one.what} ${one.name}`,
          'transactions ago': one.age,
          since: one.since === null ? null : timeOfDay(one.since),
        })),
      ),
      steps: steps[holder.what],
      tables: [worst.table.toLowerCase()],
    },
  ];
}

function limits({ oldest, sequences, invalid }: Server, { freezeAge }: About): Found[] {
  const found: Found[] = [];
  // Autovacuum begins at its age; past twice that something keeps it from ending.
  if (oldest !== null && oldest.age >= Math.min(1_500_000_000, Math.max(2 * freezeAge, 400_000_000)))
    found.push({
      kind: 'transaction-ids-used-up',
      object: plainName(oldest.name),
      since: null,
      weight: oldest.age >= 1_800_000_000 ? 0.9 : 0.6,
      sentence: `The oldest transaction id of \`${plainName(oldest.name)}\` is ${oldest.age.toLocaleString('en-US')} transactions old; at about 2,147,000,000 the server takes no writes any more.`,
      proof: proofOf('pg_database.datfrozenxid', [{ database: oldest.name, age: oldest.age }]),
      steps: [
        check(
          'See which tables',
          "select relname, age(relfrozenxid) from pg_class where relkind = 'r' order by 2 desc limit 10;",
        ),
        command(
          'Freeze the oldest',
          'vacuum (freeze, verbose) <table>;',
          'Reads the whole table; it blocks no reads and no writes.',
        ),
      ],
    });
  for (const { name, used } of sequences.filter((one) => one.used >= NEARLY))
    found.push({
      kind: 'number-used-up',
      object: plainName(name),
      since: null,
      weight: used >= 0.999 ? 0.85 : 0.4,
      sentence: `The sequence \`${plainName(name)}\` has used ${amount(used, '1')} of its numbers; after the last one, inserts fail.`,
      proof: proofOf('pg_sequences', [{ sequence: name, used }]),
      steps: [
        check(
          'See its type',
          `select data_type, last_value, max_value from pg_sequences where sequencename = ${literal(name) ?? "'…'"};`,
        ),
      ],
    });
  if (invalid[0] !== undefined)
    found.push({
      kind: 'index-invalid',
      object: plainName(invalid[0].name),
      since: null,
      weight: 0.4,
      sentence: `The ${invalid.length === 1 ? 'index' : 'indexes'} ${joinNames(invalid.map(({ name, table }) => `\`${plainName(name)}\` on \`${plainName(table)}\``))} ${invalid.length === 1 ? 'is' : 'are'} invalid: built in part, kept up to date, and used by no statement.`,
      proof: proofOf('pg_index.indisvalid', invalid),
      steps: [
        command(
          'Build it again',
          `reindex index concurrently ${identifier(invalid[0].name)};`,
          'Blocks no writes; takes as long as creating it did.',
        ),
      ],
      tables: invalid.map(({ table }) => table.toLowerCase()),
    });
  return found;
}

function check(title: string, content: string): DatabaseStep {
  return { title, type: 'check', content };
}

function command(title: string, content: string, note: string): DatabaseStep {
  return { title, type: 'command', content, note };
}

function checkSession(pid: number): DatabaseStep {
  return check(
    'Check what it is',
    `select pid, usename, application_name, client_addr, state, xact_start, query from pg_stat_activity where pid = ${pid};`,
  );
}

function cancel(pid: number): DatabaseStep {
  return command(
    'Stop its statement',
    `select pg_cancel_backend(${pid});`,
    'The session stays; its program gets an error and may send the statement again.',
  );
}

function terminate(pid: number): DatabaseStep {
  return command(
    'End the session',
    `select pg_terminate_backend(${pid});`,
    'What it has not committed is rolled back; its program gets a broken connection.',
  );
}

/** A text in a command that people paste; `null` where it is none that can be told from the rest of the line. */
function literal(text: string): string | null {
  return /^[\p{L}\p{N} _.:@/\-[\]()]{1,63}$/u.test(text) ? `'${text}'` : null;
}

function identifier(name: string): string {
  return /^[a-z_][a-z\d_$]*$/u.test(name) ? name : /^[^"\p{Cc}`]{1,63}$/u.test(name) ? `"${name}"` : '<name>';
}
