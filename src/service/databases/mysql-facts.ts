import { amount, duration, timeOfDay } from '../investigation/format.ts';
import {
  byRootBlocker,
  check,
  command,
  connectedBy,
  type Found,
  fact,
  info,
  insideOf,
  NEARLY,
  proofOf,
  waitingFor,
} from './fact.ts';
import { countersIn, type Fingerprint } from './fingerprint.ts';
import type { About, Digest, MetadataLock, SessionRow, Wait } from './mysql-statements.ts';
import { lastPart, plainName, tablesOf, withoutLiterals } from './normalize.ts';
import type { Inside } from './system.ts';

type Session = SessionRow & { statement: string };

/** All that one look at MySQL or MariaDB has read. */
export interface MysqlReadings {
  about: About;
  sessions: readonly Session[];
  waits: readonly Wait[];
  /** `null` where it is not known who holds what. */
  metadata: readonly MetadataLock[] | null;
  status: Readonly<Record<string, string>>;
  /** Two readings, about a second apart; `null` without performance_schema. */
  digests: { first: readonly Digest[]; second: readonly Digest[] } | null;
  replication: readonly Readonly<Record<string, unknown>>[];
  earlier: Fingerprint | null;
  now: number;
}

export function judgeMysql(database: string, readings: MysqlReadings): Omit<Inside, 'unread'> {
  const { sessions, status, about, digests } = readings;
  const found = [
    rowsBlocked(readings),
    tablesBlocked(readings),
    connections(readings),
    idle(readings),
    statements(readings),
    replication(readings),
  ].flat();
  return insideOf({ database, system: 'mysql' }, found, {
    read: [
      `${status.Threads_connected ?? sessions.length} of ${about.most} connections`,
      'locks',
      ...(digests === null ? ['running statements'] : ['statements']),
      'replication',
    ],
    connected: connectedBy(sessions, programOf, (all) => `${idleOf(all)} idle`),
  });
}

function idleOf(sessions: readonly Session[]): number {
  return sessions.filter(({ command }) => command === 'Sleep').length;
}

const WAITED_S = 5;
const MANY = 5;

/** Chains of waits for rows, from their roots. */
function rowsBlocked(readings: MysqlReadings): Found[] {
  const { waits, sessions } = readings;
  const blockersOf = Map.groupBy(waits, ({ waiting }) => waiting);
  const firstOf = new Map([...blockersOf].flatMap(([id, [first]]) => (first ? [[id, first]] : [])));
  const byRoot = byRootBlocker(firstOf, (id) => (blockersOf.get(id) ?? []).map(({ blocking }) => blocking));
  return [...byRoot].flatMap(([root, all]) => {
    const longest = Math.max(...all.map(({ seconds }) => seconds));
    if (longest < WAITED_S && all.length < MANY) return [];
    const table = plainName(lastPart(all[0]?.table ?? ''));
    return blockedFact(readings, root, {
      table,
      lock: `locks on rows of \`${table}\``,
      waiting: all.flatMap((one) => sessions.find(({ id }) => id === one.waiting) ?? []),
      longest,
      from: readings.about.isMaria
        ? 'information_schema.innodb_lock_waits'
        : 'performance_schema.data_lock_waits',
    });
  });
}

/** Waits for a table's definition: an ALTER that waits for a transaction, and everybody behind it. */
function tablesBlocked(readings: MysqlReadings): Found[] {
  const { sessions, metadata } = readings;
  const behind = new Set(readings.waits.map((one) => one.waiting));
  const found: Found[] = [];
  const waiting = sessions.filter(({ state }) => /waiting for table metadata lock/iu.test(state ?? ''));
  const global = sessions.filter(({ state }) =>
    /waiting for (?:global read lock|backup lock|commit lock)|waiting for table flush/iu.test(state ?? ''),
  );
  const enough = (all: readonly Session[]) => all.length >= MANY || all.some(({ time }) => time >= WAITED_S);
  if (waiting.length > 0 && enough(waiting)) {
    const longest = Math.max(...waiting.map(({ time }) => time));
    const table =
      mostCommon(waiting.flatMap(({ statement }) => tablesOf(statement).slice(0, 1))) ?? 'a table';
    const ids = new Set(waiting.map(({ id }) => id));
    const holders = (metadata ?? [])
      .filter((one) => one.granted === 1 && lastPart(one.table) === table && !ids.has(one.id))
      .map(({ id }) => id);
    // Without the plugin that says who holds it: a transaction that began before the first of them waited.
    const open = sessions.filter(
      (one) =>
        one.transaction !== null && one.transaction >= longest && !ids.has(one.id) && !behind.has(one.id),
    );
    const isKnown = holders.length > 0;
    const root = sessions.find(({ id }) => holders.includes(id)) ?? (isKnown ? undefined : open[0]);
    const shared = {
      table,
      waiting,
      longest,
      from: isKnown
        ? 'metadata locks, information_schema.processlist'
        : 'information_schema.processlist, innodb_trx',
    };
    if (root !== undefined)
      found.push(
        blockedFact(readings, root.id, {
          ...shared,
          lock: `the definition of \`${table}\` (a metadata lock)`,
          ...(isKnown
            ? {}
            : {
                unsure:
                  open.length === 1
                    ? ' (the only open transaction that is older)'
                    : ` (the oldest of ${open.length} open transactions; the plugin METADATA_LOCK_INFO would say which)`,
              }),
        }),
      );
    else
      found.push(
        fact('blocked-sessions', table, 0.75, {
          sentence: `${waiting.length} ${waiting.length === 1 ? 'session waits' : 'sessions wait'} for the definition of \`${table}\` (a metadata lock), the oldest for ${duration(longest * 1000)}; who holds it is not seen.`,
          proof: rowsOf('information_schema.processlist', waiting),
          steps: [
            check(
              'See who holds it',
              "select * from information_schema.metadata_lock_info; -- after: install soname 'metadata_lock_info';",
            ),
          ],
          tables: [table],
        }),
      );
  }
  if (global.length > 0 && enough(global)) {
    const ids = new Set(global.map(({ id }) => id));
    const longest = Math.max(...global.map(({ time }) => time));
    const holder = sessions
      .filter(
        ({ id, command, time, user }) =>
          !ids.has(id) && command === 'Sleep' && user !== 'system user' && time >= longest,
      )
      .sort((a, b) => a.time - b.time)[0];
    const shared = {
      table: 'all tables',
      lock: 'all tables against writes (a global read lock, as of a backup)',
      waiting: global,
      longest,
      from: 'information_schema.processlist',
      unsure: ' (the one that went to sleep last before they began to wait)',
    };
    if (holder !== undefined) found.push(blockedFact(readings, holder.id, shared));
    else
      found.push(
        fact('blocked-sessions', 'all tables', 0.75, {
          sentence: `${global.length} ${global.length === 1 ? 'session waits' : 'sessions wait'} for a global read lock, as a backup takes it, the oldest for ${duration(longest * 1000)}.`,
          proof: rowsOf('information_schema.processlist', global),
          steps: [check('See who holds it', 'show full processlist;')],
        }),
      );
  }
  return found;
}

interface Blocked {
  table: string;
  lock: string;
  waiting: readonly Session[];
  longest: number;
  from: string;
  unsure?: string;
}

function blockedFact(
  { sessions, about }: MysqlReadings,
  id: number,
  { table, lock, waiting, longest, from, unsure = '' }: Blocked,
): Found {
  const root = sessions.find((one) => one.id === id);
  const since = root?.transaction == null ? null : about.now - root.transaction * 1000;
  const isIdle = root?.command === 'Sleep';
  const doing =
    root === undefined
      ? ''
      : isIdle
        ? ` and has done nothing for ${duration(root.time * 1000)}`
        : root.statement === ''
          ? ''
          : ` and runs \`${root.statement}\``;
  const many = waitingFor(waiting.length, longest * 1000);
  return fact('blocked-sessions', table, unsure === '' ? 0.9 : 0.8, {
    since,
    sentence: `Session ${id} (${root === undefined ? 'no longer listed' : programOf(root)})${unsure} holds ${lock}${since === null ? '' : ` in a transaction since ${timeOfDay(since)}`}${doing}; ${many}.`,
    proof: rowsOf(from, [...(root === undefined ? [] : [root]), ...waiting]),
    steps: [
      check('Check what it is', `select * from information_schema.processlist where id = ${id};`),
      ...(isIdle
        ? []
        : [
            command(
              'Stop its statement',
              `kill query ${id};`,
              'The session stays; its program gets an error.',
            ),
          ]),
      command(
        'End the session',
        `kill ${id};`,
        'What it has not committed is rolled back, which takes as long as its changes are large.',
      ),
    ],
    tables: [lastPart(table)],
  });
}

function rowsOf(from: string, all: readonly Session[]) {
  return proofOf(
    from,
    all.map((one) => ({
      id: one.id,
      user: plainName(one.user),
      host: hostOf(one.host),
      command: one.command,
      state: one.state,
      'for s': one.time,
      'transaction s': one.transaction,
      statement: one.statement,
    })),
  );
}

function mostCommon(words: readonly string[]): string | undefined {
  return [...Map.groupBy(words, (word) => word)].sort((a, b) => b[1].length - a[1].length)[0]?.[0];
}

function hostOf(host: string): string {
  return plainName(host.replace(/:\d+$/u, ''));
}

function programOf({ program, user, host }: Session): string {
  return `${program === '' ? '' : `\`${plainName(program)}\`, `}user \`${plainName(user)}\` from ${hostOf(host)}`;
}

function connections({ sessions, status, about: { most }, earlier }: MysqlReadings): Found | [] {
  const used = Number(status.Threads_connected ?? sessions.length);
  if (used < NEARLY * most) return [];
  const by = [...Map.groupBy(sessions, programOf)].sort((a, b) => b[1].length - a[1].length);
  const [who = 'unknown', all = []] = by[0] ?? [];
  const idleOnes = idleOf(all);
  const refused =
    Number(status.Connection_errors_max_connections ?? 0) -
    (earlier === null ? 0 : (countersIn(earlier, 'status').refused?.[0] ?? 0));
  return fact('connections-used-up', 'connections', used >= most ? 0.9 : 0.75, {
    sentence: `${used} of ${most} connections are in use${refused > 0 ? `, and ${refused.toLocaleString('en-US')} were refused for that since the server started` : ''}; ${all.length} of them are of ${who}${idleOnes === 0 ? '' : `, ${idleOnes} of those idle`}.`,
    proof: proofOf(
      'information_schema.processlist by user and host',
      by.map(([name, some]) => ({
        who: name,
        connections: some.length,
        idle: idleOf(some),
      })),
    ),
    steps: [
      check(
        'See who holds them',
        "select user, substring_index(host, ':', 1) as host, command, count(*) from information_schema.processlist group by 1, 2, 3 order by 4 desc;",
      ),
      command(
        'Raise the limit',
        `set global max_connections = ${Math.ceil(1.5 * most)};`,
        `Each connection takes memory; undo with: set global max_connections = ${most};`,
      ),
      info('Make its pools smaller', `Instances times pool size must stay below ${most}.`),
    ],
  });
}

const IDLE_S = 5 * 60;

function idle({ sessions, waits }: MysqlReadings): Found | [] {
  const blocking = new Set(waits.map((one) => one.blocking));
  const all = sessions.filter(
    (one) =>
      one.command === 'Sleep' &&
      one.transaction !== null &&
      one.transaction >= IDLE_S &&
      one.time >= IDLE_S &&
      !blocking.has(one.id),
  );
  const [oldest] = all;
  if (oldest === undefined) return [];
  return fact('idle-in-transaction', `session ${oldest.id}`, 0.4, {
    sentence: `Session ${oldest.id} (${programOf(oldest)}) has been idle for ${duration(oldest.time * 1000)} in a transaction${all.length > 1 ? `; ${all.length - 1} more do the same` : ''}: old versions of rows are kept for it.`,
    proof: rowsOf('information_schema.innodb_trx', all),
    steps: [
      check('Check what it is', `select * from information_schema.processlist where id = ${oldest.id};`),
      command('End the session', `kill ${oldest.id};`, 'What it has not committed is rolled back.'),
    ],
  });
}

const SLOWER = 4;
const BUSY = 0.15;
const LEAST_CALLS = 20;

function statements({ digests, sessions, earlier, waits }: MysqlReadings): Found[] {
  const behind = new Set(waits.map((one) => one.waiting));
  const found: Found[] = [];
  const kept = countersIn(earlier, 'statements');
  const before = new Map((digests?.first ?? []).map((one) => [one.id, one]));
  for (const one of digests?.second ?? []) {
    const was = before.get(one.id);
    const [calls, ms] = [one.calls - (was?.calls ?? 0), one.ms - (was?.ms ?? 0)];
    const [callsThen = 0, msThen = 0] = kept[one.id] ?? [was?.calls ?? 0, was?.ms ?? 0];
    const usual = callsThen >= LEAST_CALLS ? msThen / callsThen : null;
    if (was === undefined || calls <= 0 || ms / 1_000 < BUSY || usual === null || ms / calls < SLOWER * usual)
      continue;
    const statement = withoutLiterals(one.statement, 'mysql');
    const full =
      one.noIndex - was.noIndex > 0
        ? `; it uses no index, and reads ${Math.round((one.examined - was.examined) / calls).toLocaleString('en-US')} rows a call`
        : '';
    found.push(
      fact('statement-slower', plainName(tablesOf(statement)[0] ?? 'a statement'), 0.65, {
        sentence: `\`${statement}\` takes ${amount(ms / calls, 'ms')} a call, ${calls} calls within a second; it took ${amount(usual, 'ms')} on average over ${callsThen.toLocaleString('en-US')} calls before${full}.`,
        proof: proofOf('events_statements_summary_by_digest, two readings', [
          {
            statement,
            calls,
            'ms a call': Number((ms / calls).toFixed(2)),
            'rows examined': one.examined - was.examined,
          },
        ]),
        steps: [check('See its plan', `explain ${statement.endsWith('…') ? '<the statement>' : statement};`)],
        tables: tablesOf(statement),
        statement,
      }),
    );
  }
  const running = Map.groupBy(
    sessions.filter(
      ({ id, command, statement, state }) =>
        (command === 'Query' || command === 'Execute') &&
        statement !== '' &&
        !behind.has(id) &&
        !/waiting for|lock/iu.test(state ?? ''),
    ),
    ({ statement }) => statement,
  );
  for (const [statement, all] of running) {
    const longest = Math.max(...all.map(({ time }) => time));
    // Several of the same at once, of which one has been at it for seconds: they pile up.
    if (all.length < MANY || longest < 1) continue;
    found.push(
      fact('statement-heavy', plainName(tablesOf(statement)[0] ?? 'a statement'), 0.7, {
        sentence: `${all.length} sessions run \`${statement}\` at the same time, the longest for ${duration(longest * 1000)}; ${programOf(all[0] ?? missing)} sends it.`,
        proof: rowsOf('information_schema.processlist', all),
        steps: [
          check('See its plan', `explain ${statement.endsWith('…') ? '<the statement>' : statement};`),
          command(
            'Stop one of them',
            `kill query ${all[0]?.id ?? '<id>'};`,
            'Its program gets an error, and may send it again.',
          ),
        ],
        tables: tablesOf(statement),
        statement,
      }),
    );
  }
  return found;
}

const missing: Session = {
  id: 0,
  user: '',
  host: '',
  program: '',
  command: '',
  time: 0,
  state: null,
  query: null,
  transaction: null,
  rows: 0,
  statement: '',
};

const BEHIND_S = 30;

/** `SHOW REPLICA STATUS`, whose columns have had two names. */
function replication({ replication: rows }: MysqlReadings): Found[] {
  return rows.flatMap((row): Found | [] => {
    const value = (...names: string[]) => {
      const found = names.map((name) => row[name]).find((one) => one !== undefined && one !== null);
      return found === undefined ? '' : String(found);
    };
    const [io, sql] = [
      value('Replica_IO_Running', 'Slave_IO_Running'),
      value('Replica_SQL_Running', 'Slave_SQL_Running'),
    ];
    const behind = value('Seconds_Behind_Source', 'Seconds_Behind_Master');
    const source = plainName(value('Source_Host', 'Master_Host'));
    const [ioError, sqlError] = [value('Last_IO_Errno'), value('Last_SQL_Errno')];
    const proof = proofOf('SHOW REPLICA STATUS', [
      {
        source,
        'IO thread': io,
        'SQL thread': sql,
        'seconds behind': behind,
        'IO error': ioError,
        'SQL error': sqlError,
      },
    ]);
    const see = check('See its errors', 'show replica status; -- MariaDB: show all slaves status;');
    if (io === 'No' || io === 'Connecting')
      return fact('replica-without-source', 'replication', 0.85, {
        sentence: `This replica has no connection to its source ${source}${ioError === '' || ioError === '0' ? '' : ` (error ${ioError})`}: its answers are stale.`,
        proof,
        steps: [see, command('Let it connect again', 'start replica;', 'Undo with: stop replica;')],
      });
    if (sql === 'No')
      return fact('replica-without-source', 'replication', 0.85, {
        sentence: `This replica receives from ${source}, and applies nothing${sqlError === '' || sqlError === '0' ? '' : ` since error ${sqlError}`}: its answers are stale.`,
        proof,
        steps: [
          see,
          info(
            'Fix what it stopped at',
            'Somebody wrote to the replica, or it lacks data that the source has. Skipping an event makes the two differ: copy the data again unless you know that this is harmless.',
          ),
        ],
      });
    const seconds = Number(behind);
    if (behind === '' || seconds < BEHIND_S) return [];
    return fact('replication-behind', 'replication', 0.6, {
      sentence: `This replica is ${duration(seconds * 1000)} behind its source ${source}.`,
      proof,
      steps: [
        see,
        check(
          'See what it applies',
          "select * from information_schema.processlist where user = 'system user';",
        ),
      ],
    });
  });
}
