import { z } from 'zod';
import type { Fingerprint } from './fingerprint.ts';
import { withoutLiterals } from './normalize.ts';

/* What PostgreSQL is asked, each as one value of JSON, and what it answers. */

/** A name in a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const Milliseconds = z.number().nullable();

export const About = z.object({
  version: z.string(),
  number: z.number(),
  isReplica: z.boolean(),
  most: z.number(),
  reserved: z.number(),
  freezeAge: z.number(),
  isSuper: z.boolean(),
  sees: z.boolean(),
  writes: z.boolean(),
  statements: z.string().nullable(),
  user: z.string(),
  database: z.string(),
  now: z.number(),
});
export type About = z.infer<typeof About>;

export const ABOUT = `json_build_object(
  'version', split_part(current_setting('server_version'), ' ', 1), 'number', current_setting('server_version_num')::int,
  'isReplica', pg_is_in_recovery(), 'most', current_setting('max_connections')::int,
  'reserved', current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0),
  'freezeAge', current_setting('autovacuum_freeze_max_age')::bigint,
  'isSuper', (select rolsuper from pg_roles where rolname = current_user),
  'sees', pg_has_role(current_user, 'pg_read_all_stats', 'usage') and pg_has_role(current_user, 'pg_read_all_settings', 'usage'),
  'writes', exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname !~ '^pg_|^information_schema$'
    and (has_table_privilege(c.oid, 'insert') or has_table_privilege(c.oid, 'update') or has_table_privilege(c.oid, 'delete'))),
  'statements', (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_stat_statements'
    and case when pg_has_role(current_user, 'pg_read_all_settings', 'usage') then current_setting('shared_preload_libraries', true) like '%pg_stat_statements%' end),
  'user', current_user, 'database', current_database(), 'now', extract(epoch from clock_timestamp()) * 1000)`;

const SessionRow = z.object({
  pid: z.number(),
  user: z.string().nullable(),
  app: z.string().nullable(),
  client: z.string().nullable(),
  state: z.string().nullable(),
  waitType: z.string().nullable(),
  wait: z.string().nullable(),
  transaction: Milliseconds,
  began: Milliseconds,
  changed: Milliseconds,
  query: z
    .string()
    .nullable()
    .transform((text) => withoutLiterals(text ?? '', 'postgres')),
  blockers: z.array(z.number()),
  kind: z.string().nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

const Limited = z.object({ name: z.string(), limit: z.number(), used: z.number() });
export const Sessions = z.object({
  sessions: z.array(SessionRow),
  connected: z.array(
    z.object({
      app: z.string(),
      user: z.string().nullable(),
      state: z.string().nullable(),
      count: z.number(),
    }),
  ),
  used: z.number(),
  roles: z.array(Limited),
  databases: z.array(Limited),
});
export type Sessions = z.infer<typeof Sessions>;

const epoch = (column: string) => `extract(epoch from ${column}) * 1000`;

export const SESSIONS = `(with a as materialized (select *, case when wait_event_type = 'Lock' then pg_blocking_pids(pid) else '{}'::int[] end as blockers
    from pg_stat_activity where pid <> pg_backend_pid())
  select json_build_object(
    'sessions', (select coalesce(json_agg(s), '[]') from (select pid, usename as user, application_name as app, host(client_addr) as client, state,
        wait_event_type as "waitType", wait_event as wait, ${epoch('xact_start')} as transaction, ${epoch('query_start')} as began,
        ${epoch('state_change')} as changed, left(query, 2000) as query, blockers, backend_type as kind
      from a where blockers <> '{}' or pid in (select unnest(blockers) from a) or (backend_type = 'client backend' and (state = 'active' or state like 'idle in transaction%'))
      order by (blockers <> '{}') desc, xact_start limit 300) s),
    'connected', (select coalesce(json_agg(c), '[]') from (select coalesce(nullif(application_name, ''), usename, '') as app, usename as user, state, count(*)::int as count
      from a where backend_type = 'client backend' group by 1, 2, 3 order by 4 desc limit 40) c),
    'used', (select count(*) + 1 from a where backend_type = 'client backend'),
    'roles', (select coalesce(json_agg(r), '[]') from (select rolname as name, rolconnlimit as limit, (select count(*) from a where a.usesysid = r.oid and backend_type = 'client backend') as used
      from pg_roles r where rolconnlimit > 0 and not rolsuper) r where used >= 0.9 * r.limit),
    'databases', (select coalesce(json_agg(d), '[]') from (select datname as name, datconnlimit as limit, (select count(*) from a where a.datid = d.oid and backend_type = 'client backend') as used
      from pg_database d where datconnlimit > 0) d where used >= 0.9 * d.limit)))`;

export const Lock = z.object({
  pid: z.number(),
  type: z.string(),
  mode: z.string(),
  granted: z.boolean(),
  table: z.string().nullable(),
});
export type Lock = z.infer<typeof Lock>;

export function locksOf(pids: readonly number[]): string {
  return `(select coalesce(json_agg(l), '[]') from (select l.pid, l.locktype as type, l.mode, l.granted, c.relname as table
    from pg_locks l left join pg_class c on c.oid = l.relation and l.database in (0, (select oid from pg_database where datname = current_database()))
    where l.pid in (${[...pids.filter((pid) => pid > 0), 0].join(', ')}) and l.locktype in ('relation', 'tuple', 'transactionid', 'advisory')
      and (c.oid is null or c.relnamespace <> 'pg_catalog'::regnamespace) limit 2000) l)`;
}

export const Counters = z.object({
  statements: z.array(z.object({ id: z.string(), calls: z.number(), ms: z.number(), read: z.number() })),
  tables: z.array(
    z.object({
      table: z.string(),
      scans: z.number(),
      read: z.number(),
      index: z.number(),
      rows: z.number(),
      dead: z.number(),
      vacuumed: Milliseconds,
    }),
  ),
  /** Requested and timed. */
  checkpoints: z.array(z.number()),
  temporary: z.number(),
  now: z.number(),
});
export type Counters = z.infer<typeof Counters>;

export function countersOf({ statements, number }: About): string {
  const own = `dbid = (select oid from pg_database where datname = current_database())`;
  const checkpoints =
    number >= 170_000
      ? 'select json_build_array(num_requested, num_timed) from pg_stat_checkpointer'
      : 'select json_build_array(checkpoints_req, checkpoints_timed) from pg_stat_bgwriter';
  return `json_build_object(
    'statements', ${
      statements === null
        ? `'[]'::json`
        : `(select coalesce(json_agg(s), '[]') from (select queryid::text as id, sum(calls) as calls, sum(total_exec_time) as ms, sum(shared_blks_read) as read
      from ${quoted(statements)}.pg_stat_statements(false) where ${own} and queryid is not null group by queryid order by 3 desc limit 5000) s)`
    },
    'tables', (select coalesce(json_agg(t), '[]') from (select relname as table, seq_scan as scans, seq_tup_read as read, coalesce(idx_scan, 0) as index,
      n_live_tup as rows, n_dead_tup as dead, ${epoch('greatest(last_vacuum, last_autovacuum)')} as vacuumed
      from pg_stat_user_tables where n_live_tup > 5000 or n_dead_tup > 5000 order by n_live_tup desc limit 500) t),
    'checkpoints', (${checkpoints}),
    'temporary', (select coalesce(sum(temp_bytes), 0) from pg_stat_database where datname = current_database()),
    'now', ${epoch('clock_timestamp()')})`;
}

const Holder = z.object({
  what: z.enum(['session', 'slot', 'prepared']),
  name: z.string(),
  age: z.number(),
  since: Milliseconds,
});
export const Server = z.object({
  replicas: z.array(
    z.object({
      name: z.string(),
      client: z.string().nullable(),
      state: z.string().nullable(),
      lag: z.number(),
      bytes: z.number(),
    }),
  ),
  slots: z.array(
    z.object({
      name: z.string(),
      active: z.boolean(),
      status: z.string().nullable(),
      bytes: z.number().nullable(),
    }),
  ),
  /** Of a replica: whether it receives, and when the last transaction that it replayed was committed. */
  receives: z.boolean(),
  isCaughtUp: z.boolean().nullable(),
  replayed: Milliseconds,
  oldest: z.object({ name: z.string(), age: z.number() }).nullable(),
  holders: z.array(Holder),
  prepared: z.array(z.object({ owner: z.string(), since: z.number(), transaction: z.string() })),
  sequences: z.array(z.object({ name: z.string(), used: z.number() })),
  invalid: z.array(z.object({ name: z.string(), table: z.string() })),
});
export type Server = z.infer<typeof Server>;

export function serverOf({ isReplica }: About): string {
  const position = isReplica ? 'pg_last_wal_replay_lsn()' : 'pg_current_wal_lsn()';
  const all = (rows: string) => `(select coalesce(json_agg(t), '[]') from (${rows}) t)`;
  return `json_build_object(
    'replicas', ${all(`select coalesce(nullif(application_name, ''), 'replica') as name, host(client_addr) as client, state,
      coalesce(extract(epoch from replay_lag) * 1000, 0) as lag, coalesce(pg_wal_lsn_diff(${position}, replay_lsn), 0) as bytes from pg_stat_replication limit 50`)},
    'slots', ${all(`select slot_name as name, active, wal_status as status, pg_wal_lsn_diff(${position}, restart_lsn) as bytes from pg_replication_slots limit 50`)},
    'receives', exists (select from pg_stat_wal_receiver where status = 'streaming' or pid is not null),
    'isCaughtUp', ${isReplica ? 'pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()' : 'null::boolean'},
    'replayed', ${isReplica ? epoch('pg_last_xact_replay_timestamp()') : 'null::float8'},
    'oldest', (select json_build_object('name', datname, 'age', age(datfrozenxid)) from pg_database order by age(datfrozenxid) desc limit 1),
    'holders', ${all(`select * from (
      select 'session' as what, pid::text as name, age(backend_xmin) as age, ${epoch('coalesce(xact_start, backend_start)')} as since from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid() and backend_type = 'client backend'
      union all select 'slot', slot_name, greatest(age(xmin), age(catalog_xmin)), null from pg_replication_slots where xmin is not null or catalog_xmin is not null
      union all select 'prepared', owner, age(transaction), ${epoch('prepared')} from pg_prepared_xacts) h order by age desc limit 5`)},
    'prepared', ${all(`select owner, ${epoch('prepared')} as since, transaction::text from pg_prepared_xacts order by prepared limit 20`)},
    'sequences', ${all(`select sequencename as name, last_value::float8 / max_value as used from pg_sequences where increment_by > 0 and last_value > 0.8 * max_value limit 20`)},
    'invalid', ${all(`select i.relname as name, c.relname as table from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      where not x.indisvalid and c.relkind = 'r' and not exists (select from pg_stat_progress_create_index p where p.index_relid = x.indexrelid) limit 20`)})`;
}

export const Parts = z.object({
  index: z.record(z.string(), z.string()),
  table: z.record(z.string(), z.string()),
  setting: z.record(z.string(), z.string()),
  role: z.record(z.string(), z.string()),
  extension: z.record(z.string(), z.string()),
});

/** The texts of some statements. */
export function textsOf(ids: readonly string[], schema: string): string {
  return `(select coalesce(json_agg(t), '[]') from (select distinct on (queryid) queryid::text as id, left(query, 4000) as query
    from ${quoted(schema)}.pg_stat_statements(true) where queryid in (${ids.join(', ')})) t)`;
}

/** A text of a setting may hold a secret: only that it differs is kept. What our own session sets is none of the server's. */
export const FINGERPRINT = `(select json_build_object(
  'index', (select coalesce(json_object_agg(indexname || ' on ' || tablename, indexdef), '{}') from (select * from pg_indexes where schemaname !~ '^pg_|^information_schema$' order by 1, 2, 3 limit 3000) i),
  'table', (select coalesce(json_object_agg(name, columns), '{}') from (select c.relname as name, count(*) || ' columns' as columns from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where c.relkind in ('r', 'p') and c.relpersistence <> 't' and n.nspname !~ '^pg_|^information_schema$' group by n.nspname, c.relname order by 1 limit 3000) t),
  'setting', (select json_object_agg(name, case when vartype = 'string' then left(md5(setting), 8) else setting || coalesce(' ' || nullif(unit, ''), '') end)
    from pg_settings where source not in ('client', 'session', 'override') and context <> 'internal' and name <> 'application_name'),
  'role', (select coalesce(json_object_agg(rolname, 'connection limit ' || rolconnlimit || case when rolsuper then ', superuser' else '' end), '{}') from (select * from pg_roles where rolname !~ '^pg_' order by 1 limit 1000) r),
  'extension', (select coalesce(json_object_agg(extname, extversion), '{}') from pg_extension)))`;

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
