import { z } from 'zod';
import type { DatabaseHealth } from './system.ts';

/* What MySQL and MariaDB are asked, and what they answer. Of MySQL 8 the statements are from its documentation. */

/** Numbers may come as texts. */
const amount = z.union([z.number(), z.string().transform(Number), z.null().transform(() => 0)]);
const text = z.union([z.string(), z.null().transform(() => '')]);

export const About = z
  .object({
    version: z.string(),
    user: z.string(),
    most: amount,
    digests: amount,
    metadata: amount,
    process: amount,
    now: amount,
  })
  .transform((row) => ({ ...row, isMaria: /mariadb/iu.test(row.version) }));
export type About = z.infer<typeof About>;

/** `process` is whether others' sessions are seen; `metadata` whether it is known who holds which table's definition. */
export const ABOUT = `select version() as version, current_user() as user, @@max_connections as most, @@performance_schema as digests,
  (select count(*) > 0 from information_schema.plugins where plugin_name = 'METADATA_LOCK_INFO' and plugin_status = 'ACTIVE') or (version() not like '%MariaDB%' and @@performance_schema) as metadata,
  (select count(*) > 0 from information_schema.user_privileges where privilege_type in ('PROCESS', 'SUPER') and grantee like concat('''', substring_index(current_user(), '@', 1), '''@%')) as process,
  unix_timestamp(now(6)) * 1000 as now`;

export const SessionRow = z.object({
  id: amount,
  user: text,
  host: text,
  program: text,
  command: text,
  /** Seconds in its state: of one that sleeps, since its last statement. */
  time: amount,
  state: z.string().nullable(),
  query: z.string().nullable(),
  /** Seconds since its transaction began; `null` without one. */
  transaction: z.union([z.number(), z.string().transform(Number), z.null()]),
  rows: amount,
});
export type SessionRow = z.infer<typeof SessionRow>;

export function sessionsOf({ isMaria }: About): string {
  const program = isMaria
    ? `''`
    : `coalesce((select a.attr_value from performance_schema.session_connect_attrs a where a.processlist_id = p.id and a.attr_name = 'program_name' limit 1), '')`;
  return `select p.id, p.user, p.host, ${program} as program, p.command, p.time, p.state, left(p.info, 2000) as query,
    timestampdiff(second, t.trx_started, now()) as transaction, coalesce(t.trx_rows_locked, 0) as \`rows\`
    from information_schema.processlist p left join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id
    where p.id <> connection_id() and p.command not in ('Daemon', 'Binlog Dump', 'Binlog Dump GTID') and p.user <> 'system user' order by t.trx_started is null, t.trx_started, p.time desc limit 2000`;
}

export const Wait = z.object({ waiting: amount, blocking: amount, table: text, seconds: amount });
export type Wait = z.infer<typeof Wait>;

/** Who waits for whom for a row. */
export function waitsOf({ isMaria }: About): string {
  return isMaria
    ? `select r.trx_mysql_thread_id as waiting, b.trx_mysql_thread_id as blocking, max(l.lock_table) as \`table\`, max(timestampdiff(second, r.trx_wait_started, now())) as seconds
        from information_schema.innodb_lock_waits w join information_schema.innodb_trx r on r.trx_id = w.requesting_trx_id
        join information_schema.innodb_trx b on b.trx_id = w.blocking_trx_id join information_schema.innodb_locks l on l.lock_id = w.requested_lock_id
        group by 1, 2 limit 500`
    : `select r.trx_mysql_thread_id as waiting, b.trx_mysql_thread_id as blocking, max(concat(l.object_schema, '.', l.object_name)) as \`table\`, max(timestampdiff(second, r.trx_wait_started, now())) as seconds
        from performance_schema.data_lock_waits w join information_schema.innodb_trx r on r.trx_id = w.requesting_engine_transaction_id
        join information_schema.innodb_trx b on b.trx_id = w.blocking_engine_transaction_id
        join performance_schema.data_locks l on l.engine_lock_id = w.requesting_engine_lock_id
        group by 1, 2 limit 500`;
}

export const MetadataLock = z.object({ id: amount, table: text, mode: text, granted: amount });
export type MetadataLock = z.infer<typeof MetadataLock>;

/** Who holds the definition of which table. */
export function metadataOf({ isMaria }: About): string {
  return isMaria
    ? `select thread_id as id, concat(table_schema, '.', table_name) as \`table\`, lock_mode as mode, 1 as granted
        from information_schema.metadata_lock_info where lock_type like '%able metadata lock%' and thread_id <> connection_id() limit 1000`
    : `select t.processlist_id as id, concat(m.object_schema, '.', m.object_name) as \`table\`, m.lock_type as mode, m.lock_status = 'GRANTED' as granted
        from performance_schema.metadata_locks m join performance_schema.threads t on t.thread_id = m.owner_thread_id
        where m.object_type = 'TABLE' and t.processlist_id is not null and t.processlist_id <> connection_id() limit 1000`;
}

export const Status = z.object({ Variable_name: z.string(), Value: z.string() });
export const STATUS = `show global status where variable_name in ('Threads_connected', 'Threads_running', 'Max_used_connections', 'Aborted_connects',
  'Connection_errors_max_connections', 'Innodb_log_waits', 'Innodb_buffer_pool_reads', 'Innodb_buffer_pool_read_requests', 'Slow_queries', 'Created_tmp_disk_tables', 'Uptime')`;

export function valuesOf(rows: readonly z.infer<typeof Status>[]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.map((row) => [row.Variable_name, row.Value]));
}

export const Digest = z.object({
  id: z.string(),
  statement: text,
  calls: amount,
  ms: amount,
  examined: amount,
  noIndex: amount,
});
export type Digest = z.infer<typeof Digest>;
export const DIGESTS = `select concat(coalesce(schema_name, ''), ' ', digest) as id, left(digest_text, 1000) as statement, count_star as calls, sum_timer_wait / 1e9 as ms,
  sum_rows_examined as examined, sum_no_index_used + sum_no_good_index_used as noIndex
  from performance_schema.events_statements_summary_by_digest where digest is not null and (schema_name is null or schema_name not in ('mysql', 'performance_schema', 'information_schema'))
  order by sum_timer_wait desc limit 1000`;

export function replicationOf({ isMaria, version }: About): string {
  const [major = 8, minor = 0, patch = 0] = version.split(/[.-]/u).map(Number);
  if (isMaria) return 'show all slaves status';
  return major > 8 || minor > 0 || patch >= 22 ? 'show replica status' : 'show slave status';
}

export const Part = z.object({ part: z.string(), name: z.string(), value: z.string() });

/** Of the settings those whose values are numbers or words of the server: no paths, and no text of people. */
export function fingerprintOf({ isMaria }: About): string {
  const [home, own] = isMaria
    ? ['information_schema', 'global_variables']
    : ['performance_schema', 'global_variables'];
  const ours = `table_schema not in ('mysql', 'performance_schema', 'information_schema', 'sys')`;
  return `(select 'index' as part, concat(index_name, ' on ', table_name) as name, left(concat(if(max(non_unique), 'index', 'unique index'), ' (', group_concat(coalesce(column_name, '?') order by seq_in_index), ')'), 300) as value
      from information_schema.statistics where ${ours} group by table_schema, table_name, index_name limit 3000)
    union all (select 'table', table_name, concat(count(*), ' columns') from information_schema.columns where ${ours} group by table_schema, table_name limit 3000)
    union all (select 'setting', lower(variable_name), left(variable_value, 100) from ${home}.${own}
      where (variable_name like 'innodb%' or variable_name like 'max%' or variable_name like '%timeout' or variable_name in ('sql_mode', 'read_only', 'tmp_table_size', 'sort_buffer_size', 'join_buffer_size', 'sync_binlog'))
        and variable_name not like '%version%' and variable_name not like '%path%' and variable_name not like '%dir' and variable_name not like '%file%')`;
}

export function grantOf({ user }: About): string {
  const [name = '', host = '%'] = [
    user.slice(0, user.lastIndexOf('@')),
    user.slice(user.lastIndexOf('@') + 1),
  ];
  return `grant process, replication client on *.* to ${quoted(name)}@${quoted(host)};`;
}

function quoted(word: string): string {
  return `'${word.replaceAll(/['\\\p{Cc}]/gu, '')}'`;
}

const WRITES = /\b(?:ALL PRIVILEGES|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|SUPER|TRUNCATE|RELOAD)\b/u;

export function healthOf(about: About, grants: readonly string[]): DatabaseHealth {
  const all = grants.join('\n');
  const has = (right: RegExp) => right.test(all) || /ALL PRIVILEGES ON \*\.\*/u.test(all);
  const [name = '', host = '%'] = [
    about.user.slice(0, about.user.lastIndexOf('@')),
    about.user.slice(about.user.lastIndexOf('@') + 1),
  ];
  const to = `${quoted(name)}@${quoted(host)}`;
  return {
    version: `${about.isMaria ? 'MariaDB' : 'MySQL'} ${/^[\d.]+/u.exec(about.version)?.[0] ?? ''}`,
    missing: [
      ...(has(/\bPROCESS\b/u)
        ? []
        : [{ what: 'it does not see what other sessions do', grant: `grant process on *.* to ${to};` }]),
      ...(has(/REPLICATION CLIENT|BINLOG MONITOR|REPLICA MONITOR|SLAVE MONITOR/u)
        ? []
        : [
            {
              what: 'it does not see replication',
              grant: about.isMaria
                ? `grant slave monitor on *.* to ${to};`
                : `grant replication client on *.* to ${to};`,
            },
          ]),
      ...(about.digests === 1
        ? has(/SELECT ON (?:\*\.\*|`performance_schema`)/u)
          ? []
          : [
              {
                what: 'it does not see statements and locks',
                grant: `grant select on performance_schema.* to ${to};`,
              },
            ]
        : [
            {
              what: 'heavy statements are not counted',
              grant: 'performance_schema=ON in its configuration, and a restart',
            },
          ]),
    ],
    // Behind the account, a grant has its password’s hash.
    writes: grants.find((line) => WRITES.test(line.slice(0, line.indexOf(' ON '))))?.split(' TO ')[0] ?? null,
  };
}
