import { amount, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import {
  check,
  command,
  type DatabaseStep,
  type Found,
  fact,
  info,
  insideOf,
  NEARLY,
  proofOf,
} from './fact.ts';
import { countersIn } from './fingerprint.ts';
import { plainName, tablesOf } from './normalize.ts';
import { blocked, connections, idle, MANY, whoIs } from './postgres-sessions.ts';
import type { About, Counters, Readings, Server } from './postgres-statements.ts';
import { cancel, checkSession, identifier, literal, terminate } from './postgres-steps.ts';
import type { Inside } from './system.ts';

/** What the readings show to be wrong. Pure: the limits are of what was read, never of our own clock. */
export function judgePostgres(database: string, readings: Readings): Omit<Inside, 'unread'> {
  const { sessions, server, counters, about } = readings;
  const found = [
    blocked(readings),
    connections(readings),
    idle(readings),
    counters === null ? [] : statements(readings, counters),
    counters === null ? [] : scans(readings, counters),
    counters === null ? [] : writes(readings, counters),
    server === null ? [] : replication(server, readings),
    server === null ? [] : vacuum(server, readings),
    server === null ? [] : limits(server, about),
  ].flat();
  return insideOf({ database, system: 'postgres' }, found, {
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
  });
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
    found.push(
      fact('statement-slower', plainName(tablesOf(statement)[0] ?? 'a statement'), 0.6, {
        sentence: `\`${statement}\` takes ${amount(now_, 'ms')} a call, ${one.calls} calls in ${amount(wall, 'ms')} (${Math.round((100 * one.ms) / total)}% of what the statements take); it took ${amount(usual, 'ms')} on average over ${calls.toLocaleString('en-US')} calls ${kept[one.id] === undefined ? 'since the counters began' : `until ${timeOfDay(earlier?.at ?? now)}`}.`,
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
          info(
            'Look at what changed',
            'A dropped index, a table that grew, stale statistics (analyze is safe to run), or a different plan.',
          ),
        ],
        tables: tablesOf(statement),
        statement,
      }),
    );
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
    found.push(
      fact('statement-heavy', plainName(tablesOf(statement)[0] ?? 'a statement'), 0.6, {
        since: now - longest,
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
      }),
    );
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
    return fact('sequential-scans', plainName(one.table), 0.5, {
      sentence: `\`${plainName(one.table)}\` was scanned in full ${scanned} times in ${amount(second.now - first.now, 'ms')}, ${Math.round(read / scanned).toLocaleString('en-US')} rows each; before, ${amount(1 - (usual ?? 0), '1')} of its reads used an index.`,
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
    });
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
    written < TEMPORARY
      ? []
      : fact('temporary-files', 'temporary files', 0.4, {
          sentence: `${amount(written, 'By')} were written to temporary files in ${amount(second.now - first.now, 'ms')}: sorts or joins do not fit into work_mem.`,
          proof: proofOf('pg_stat_database.temp_bytes, two readings', [{ bytes: written }]),
          steps: [
            check(
              'See who runs',
              "select pid, application_name, query_start from pg_stat_activity where state = 'active' order by query_start;",
            ),
          ],
        }),
    isForced
      ? fact('checkpoints-forced', 'checkpoints', 0.4, {
          since: earlier.at,
          sentence: `${forced} checkpoints were forced since ${timeOfDay(earlier.at)}, and ${timed - timedThen} came by time: more is written than max_wal_size allows for.`,
          proof: proofOf('pg_stat_bgwriter or pg_stat_checkpointer', [
            { requested: forced, timed: timed - timedThen },
          ]),
          steps: [
            check('See the limit', 'show max_wal_size;'),
            info(
              'Raise max_wal_size',
              'alter system set max_wal_size = …; select pg_reload_conf(); needs that much more disk, and a longer recovery after a crash.',
            ),
          ],
        })
      : [],
  ].flat();
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
  const found: Found[] = late.map((one) =>
    fact('replication-behind', plainName(one.name), 0.6, {
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
    }),
  );
  for (const one of keeping) {
    const name = plainName(one.name);
    found.push(
      fact('log-kept-by-slot', `slot ${name}`, one.status === 'lost' ? 0.7 : 0.75, {
        sentence:
          one.status === 'lost'
            ? `The replication slot \`${name}\` is lost: it fell behind by more than is kept, and whoever reads it must start over.`
            : `Nobody reads the replication slot \`${name}\`, and it keeps ${amount(one.bytes ?? 0, 'By')} of WAL on the disk: that grows until it is read or dropped.`,
        proof: proofOf(
          'pg_replication_slots',
          slots.map((s) => ({
            slot: s.name,
            active: s.active,
            'wal status': s.status,
            'bytes kept': s.bytes,
          })),
        ),
        steps: [
          check(
            'See whose it is',
            'select slot_name, slot_type, database, active_pid, wal_status, safe_wal_size from pg_replication_slots;',
          ),
          info('Start its reader again', 'A standby, or a CDC connector, which goes on where it ended.'),
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
      }),
    );
  }
  if (about.isReplica && !receives)
    found.push(
      fact('replica-without-source', 'replication', 0.85, {
        since: replayed,
        sentence: `This replica has no connection to its source${replayed === null ? '' : `: the last transaction that it replayed is from ${timeOfDay(replayed)}`}; its answers are stale.`,
        proof: proofOf('pg_stat_wal_receiver, pg_last_xact_replay_timestamp()', [
          { 'wal receiver': 'none', replayed: replayed === null ? null : new Date(replayed).toISOString() },
        ]),
        steps: [
          check(
            'See its settings and log',
            "select name, setting from pg_settings where name in ('primary_slot_name', 'recovery_target_timeline'); -- and: does its source run, and take its connection?",
          ),
        ],
      }),
    );
  else if (about.isReplica && isCaughtUp === false && replayed !== null && about.now - replayed >= BEHIND_MS)
    found.push(
      fact('replication-behind', 'replication', 0.6, {
        since: replayed,
        sentence: `This replica replays transactions from ${timeOfDay(replayed)}: it is ${duration(about.now - replayed)} behind what it has received.`,
        proof: proofOf('pg_last_xact_replay_timestamp()', [{ replayed: new Date(replayed).toISOString() }]),
        steps: [
          check(
            'See what it waits for',
            "select pid, wait_event, state from pg_stat_activity where backend_type = 'startup';",
          ),
        ],
      }),
    );
  return found;
}

const LEAST_DEAD = 20_000;

function vacuum(
  { holders }: Server,
  { counters, about: { now }, sessions: { sessions } }: Readings,
): Found | [] {
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
  return fact('vacuum-held-back', plainName(worst.table), 0.7, {
    since: holder.since,
    sentence: `Vacuum processed \`${plainName(worst.table)}\` at ${timeOfDay(worst.vacuumed)} and ${worst.dead.toLocaleString('en-US')} dead rows are still there beside ${worst.rows.toLocaleString('en-US')}: ${who} has held the oldest view of the data${holder.since === null ? '' : ` for ${duration(now - holder.since)}`}.`,
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
  });
}

function limits({ oldest, sequences, invalid }: Server, { freezeAge }: About): Found[] {
  const found: Found[] = [];
  // Autovacuum begins at its age; past twice that something keeps it from ending.
  if (oldest !== null && oldest.age >= Math.min(1_500_000_000, Math.max(2 * freezeAge, 400_000_000)))
    found.push(
      fact('transaction-ids-used-up', plainName(oldest.name), oldest.age >= 1_800_000_000 ? 0.9 : 0.6, {
        sentence: `The oldest transaction id of \`${plainName(oldest.name)}\` is ${oldest.age.toLocaleString('en-US')} transactions old; at about 2,147,000,000 the server stops accepting writes.`,
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
      }),
    );
  for (const { name, used } of sequences.filter((one) => one.used >= NEARLY))
    found.push(
      fact('number-used-up', plainName(name), used >= 0.999 ? 0.85 : 0.4, {
        sentence: `The sequence \`${plainName(name)}\` has used ${amount(used, '1')} of its numbers; after the last one, inserts fail.`,
        proof: proofOf('pg_sequences', [{ sequence: name, used }]),
        steps: [
          check(
            'See its type',
            `select data_type, last_value, max_value from pg_sequences where sequencename = ${literal(name) ?? "'…'"};`,
          ),
        ],
      }),
    );
  if (invalid[0] !== undefined)
    found.push(
      fact('index-invalid', plainName(invalid[0].name), 0.4, {
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
      }),
    );
  return found;
}
