import { amount, duration, timeOfDay } from '../investigation/format.ts';
import { check, command, connectedBy, type Found, fact, info, insideOf, NEARLY, proofOf } from './fact.ts';
import { plainName } from './normalize.ts';
import type { Inside } from './system.ts';

export interface Slow {
  at: number;
  ms: number;
  command: string;
  /** Never shown: only its prefix is, if many keys have it. */
  key: string | null;
  client: string;
}

export interface Client {
  name: string;
  host: string;
  user: string;
  command: string;
  idleMs: number;
}

export interface Sample {
  keys: { key: string; bytes: number | null; expires: boolean | null }[];
  scanned: number;
}

export interface RedisReadings {
  /** Two readings of INFO, about a second apart. */
  first: Readonly<Record<string, string>>;
  second: Readonly<Record<string, string>>;
  limits: Readonly<Record<string, string>>;
  slow: readonly Slow[];
  clients: readonly Client[];
  sample: Sample;
  now: number;
}

export function judgeRedis(database: string, readings: RedisReadings): Omit<Inside, 'unread'> {
  const { second, limits, clients, sample } = readings;
  const found = [
    memory(readings),
    connections(readings),
    slowCommands(readings),
    saving(readings),
    replication(readings),
  ].flat();
  return insideOf({ database, system: 'redis' }, found, {
    read: [
      `memory (${sizeOf(number(second, 'used_memory'))}${number(limits, 'maxmemory') > 0 ? ` of ${sizeOf(number(limits, 'maxmemory'))}` : ', without a limit'})`,
      `${clients.length} connections`,
      'saving',
      'replication',
      ...(sample.scanned > 0 ? [`${sample.scanned.toLocaleString('en-US')} keys`] : []),
      'slow commands',
    ],
    connected: connectedBy(clients, whoIs, ([first]) => first?.command ?? ''),
  });
}

function number(from: Readonly<Record<string, string>>, name: string): number {
  const value = Number(from[name] ?? 0);
  return Number.isFinite(value) ? value : 0;
}

function sizeOf(bytes: number): string {
  return amount(bytes, 'By');
}

/** A prefix is shown if so many keys of the sample have it: a name of one person is no prefix. */
const SHARED = 5;
const REST = '(other keys)';

/** What stands before the first separator, if it is a word that many keys share: `session:*`. Never a key, never a part of one. */
export function prefixesOf(keys: readonly string[]): (key: string) => string {
  const wordOf = (key: string) =>
    /^(?<word>[A-Za-z][A-Za-z_]{0,39}(?:\{[a-z]+\})?)(?<by>[:/|.-])/u.exec(key)?.groups;
  const counts = new Map<string, number>();
  for (const key of keys) {
    const groups = wordOf(key);
    if (groups !== undefined)
      counts.set(`${groups.word}${groups.by}*`, (counts.get(`${groups.word}${groups.by}*`) ?? 0) + 1);
  }
  return (key) => {
    const groups = wordOf(key);
    const prefix = groups === undefined ? REST : `${groups.word}${groups.by}*`;
    return (counts.get(prefix) ?? 0) >= SHARED ? prefix : REST;
  };
}

interface Prefix {
  prefix: string;
  keys: number;
  bytes: number;
  forever: number;
}

function largest({ sample }: RedisReadings): Prefix[] {
  const prefixOf = prefixesOf(sample.keys.map(({ key }) => key));
  const all = new Map<string, Prefix>();
  for (const { key, bytes, expires } of sample.keys) {
    const prefix = prefixOf(key);
    const one = all.get(prefix) ?? { prefix, keys: 0, bytes: 0, forever: 0 };
    one.keys += 1;
    one.bytes += bytes ?? 0;
    one.forever += expires === false ? 1 : 0;
    all.set(prefix, one);
  }
  return [...all.values()].sort((a, b) => b.bytes - a.bytes || b.keys - a.keys);
}

/** From this share of its limit on, the next write may be refused. */
const FULL = 0.97;

function memory(readings: RedisReadings): Found | [] {
  const { first, second, limits, sample } = readings;
  const [used, most] = [
    number(second, 'used_memory'),
    number(limits, 'maxmemory') || number(second, 'maxmemory'),
  ];
  const policy = limits['maxmemory-policy'] ?? second.maxmemory_policy ?? '';
  const refused = count(second.errorstat_OOM) - count(first.errorstat_OOM);
  const isFull = most > 0 && used >= FULL * most;
  // A full cache that evicts does what it is for, as long as it finds something to evict.
  if (refused <= 0 && !(isFull && policy === 'noeviction')) return [];
  const prefixes = largest(readings).slice(0, 5);
  const total = sample.keys.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const [top] = prefixes;
  const forever = sample.keys.filter(({ expires }) => expires === false).length;
  const share =
    top === undefined || total === 0
      ? ''
      : ` Of ${sample.keys.length.toLocaleString('en-US')} keys looked at, \`${top.prefix}\` ${top.prefix === REST ? 'have' : 'has'} the most memory (${Math.round((100 * top.bytes) / total)}%, ${top.keys.toLocaleString('en-US')} keys, ${top.forever === 0 ? 'all with an expiry' : top.forever === top.keys ? 'none with an expiry' : `${top.forever.toLocaleString('en-US')} without an expiry`}).`;
  const raised = 2 ** Math.ceil(Math.log2(Math.max(1, (1.25 * most) / 1_048_576)));
  const now = `${Math.round(most / 1_048_576)}mb`;
  return fact('memory-full', top?.prefix ?? 'memory', refused > 0 ? 0.9 : 0.8, {
    sentence: `Redis uses ${sizeOf(used)} of at most ${sizeOf(most)} with the policy ${plainName(policy)}${refused > 0 ? `, and refused ${refused.toLocaleString('en-US')} ${refused === 1 ? 'write' : 'writes'} for lack of memory within a second` : ': the next write is refused'}.${share}${forever === sample.keys.length && forever > 0 ? ' No key has an expiry.' : ''}`,
    proof: proofOf(
      'INFO, CONFIG GET, and a bounded SCAN with MEMORY USAGE',
      prefixes.map((one) => ({
        prefix: one.prefix,
        keys: one.keys,
        bytes: one.bytes,
        'without expiry': one.forever,
      })),
    ),
    steps: [
      check('See what it holds', 'redis-cli info memory'),
      ...(top === undefined || top.prefix === REST
        ? []
        : [
            info(
              `Stop who writes ${top.prefix}`,
              'An import or a job that never ends; its keys without an expiry stay until they are deleted.',
            ),
          ]),
      command(
        'Raise the limit',
        `redis-cli config set maxmemory ${raised}mb`,
        `Takes that much memory of the machine; undo with: redis-cli config set maxmemory ${now}`,
      ),
      command(
        'Let it evict',
        'redis-cli config set maxmemory-policy allkeys-lru',
        `Whatever was not used for longest is deleted, which is right for a cache only; undo the policy with: redis-cli config set maxmemory-policy ${/^[a-z-]+$/u.test(policy) ? policy : 'noeviction'}; the keys are not.`,
      ),
      ...(top !== undefined && /^[A-Za-z_]+[:/|.-]\*$/u.test(top.prefix)
        ? [
            command(
              'Delete by prefix',
              `redis-cli --scan --pattern '${top.prefix}' | xargs -r -n 500 redis-cli unlink`,
              'This cannot be taken back.',
            ),
          ]
        : []),
    ],
  });
}

/** `count=12`. */
function count(stat: string | undefined): number {
  return Number(/count=(\d+)/u.exec(stat ?? '')?.[1] ?? 0);
}

function connections({ clients, second, limits, first }: RedisReadings): Found | [] {
  const most = number(limits, 'maxclients') || number(second, 'maxclients');
  const used = number(second, 'connected_clients') || clients.length;
  const refused = number(second, 'rejected_connections') - number(first, 'rejected_connections');
  if (most <= 0 || (used < NEARLY * most && refused <= 0)) return [];
  const by = [...Map.groupBy(clients, whoIs)].sort((a, b) => b[1].length - a[1].length);
  const [who = 'unknown', all = []] = by[0] ?? [];
  const idle = all.filter(({ idleMs }) => idleMs >= 60_000).length;
  return fact('connections-used-up', 'connections', refused > 0 || used >= most ? 0.9 : 0.7, {
    sentence: `${used.toLocaleString('en-US')} of ${most.toLocaleString('en-US')} connections are in use${refused > 0 ? `, and ${refused} more were refused within a second` : ''}; ${all.length} of them are of ${who}${idle === 0 ? '' : `, ${idle} of those idle for a minute or more`}.`,
    proof: proofOf(
      'CLIENT LIST by name and address',
      by.map(([name, some]) => ({ who: name, connections: some.length, command: some[0]?.command ?? '' })),
    ),
    steps: [
      check('See who holds them', 'redis-cli client list'),
      command(
        'Raise the limit',
        `redis-cli config set maxclients ${2 * most}`,
        `Each connection takes memory and a file descriptor; undo with: redis-cli config set maxclients ${most}`,
      ),
      command(
        'Close idle ones',
        'redis-cli config set timeout 300',
        `Closes connections that are idle for 5 minutes, pooled ones included; undo with: redis-cli config set timeout ${/^\d+$/u.test(limits.timeout ?? '') ? limits.timeout : 0}`,
      ),
    ],
  });
}

function whoIs({ name, host, user }: Client): string {
  const shown = [
    ...(name === '' ? [] : [`\`${plainName(name, 40)}\``]),
    ...(host === '' ? [] : [`at ${host}`]),
    ...(user === '' || user === 'default' ? [] : [`(user ${plainName(user, 40)})`]),
  ];
  return shown.join(' ') || 'unnamed';
}

const LATELY_MS = 5 * 60_000;
/** One command that takes so long holds up all others. */
const SLOW_MS = 50;

function slowCommands({ slow, sample, now }: RedisReadings): Found | [] {
  const late = slow.filter(({ at, ms }) => now - at <= LATELY_MS && ms >= SLOW_MS);
  const total = late.reduce((sum, { ms }) => sum + ms, 0);
  // One slow command is an accident, and many are a cause.
  if (late.length < 3 && total < 1_000) return [];
  const prefixOf = prefixesOf(sample.keys.map(({ key }) => key));
  const shown = (one: Slow) =>
    `${one.command}${one.key === null || one.command === 'KEYS' ? '' : ` ${prefixOf(one.key)}`}`;
  const by = [...Map.groupBy(late, shown)].sort((a, b) => sum(b[1]) - sum(a[1]));
  const [what, all] = by[0] ?? ['', []];
  const longest = Math.max(...all.map(({ ms }) => ms));
  const first = Math.min(...all.map(({ at }) => at));
  return fact('slow-commands', what, total >= 1_000 ? 0.75 : 0.5, {
    since: first,
    sentence: `\`${what}\` was slow ${all.length} ${all.length === 1 ? 'time' : 'times'} since ${timeOfDay(first)}, for up to ${amount(longest, 'ms')}: while it runs, Redis serves nobody else.`,
    proof: proofOf(
      'SLOWLOG GET, without arguments',
      by.map(([command, some]) => ({
        command,
        times: some.length,
        'longest ms': Math.max(...some.map(({ ms }) => ms)),
        client: some[0]?.client.replace(/:\d+$/u, '') ?? '',
      })),
    ),
    steps: [
      check('See who sends it', 'redis-cli slowlog get 20'),
      info(
        'Replace it',
        'SCAN, HSCAN, SSCAN and ZSCAN in place of KEYS, HGETALL, SMEMBERS and ZRANGE over all of a large key; UNLINK in place of DEL.',
      ),
    ],
  });
}

function sum(all: readonly Slow[]): number {
  return all.reduce((total, { ms }) => total + ms, 0);
}

function saving({ second }: RedisReadings): Found | [] {
  const isSaveFailed = second.rdb_last_bgsave_status === 'err';
  const isLogFailed = second.aof_last_write_status === 'err';
  if (!isSaveFailed && !isLogFailed) return [];
  const last = number(second, 'rdb_last_save_time') * 1000;
  return fact('save-failed', isLogFailed ? 'append-only file' : 'snapshot', 0.8, {
    since: isSaveFailed && last > 0 ? last : null,
    sentence: isLogFailed
      ? 'Redis could not write its append-only file: writes are refused until it can.'
      : `The last save to disk failed${last > 0 ? `, the last that succeeded was at ${timeOfDay(last)} (${number(second, 'rdb_changes_since_last_save').toLocaleString('en-US')} changes since)` : ''}: with stop-writes-on-bgsave-error, which is the default, writes are refused (MISCONF).`,
    proof: proofOf('INFO persistence', [
      {
        rdb_last_bgsave_status: second.rdb_last_bgsave_status,
        aof_last_write_status: second.aof_last_write_status,
        changes: second.rdb_changes_since_last_save,
      },
    ]),
    steps: [
      check(
        'See why',
        'redis-cli info persistence; df -h; and its log: no space, no right to its folder, or no memory to fork',
      ),
      ...(isSaveFailed
        ? [
            command(
              'Take writes meanwhile',
              'redis-cli config set stop-writes-on-bgsave-error no',
              'What is written is lost if the machine fails before the next save; undo with: redis-cli config set stop-writes-on-bgsave-error yes',
            ),
          ]
        : []),
    ],
  });
}

function replication({ second }: RedisReadings): Found[] {
  const found: Found[] = [];
  if ((second.role === 'slave' || second.role === 'replica') && second.master_link_status === 'down') {
    const downFor = number(second, 'master_link_down_since_seconds') * 1000;
    found.push(
      fact('replica-without-source', 'replication', 0.85, {
        sentence: `This replica has had no connection to its master ${plainName(`${second.master_host ?? ''}:${second.master_port ?? ''}`)}${downFor > 0 ? ` for ${duration(downFor)}` : ''}: its answers are stale.`,
        proof: proofOf('INFO replication', [{ master_link_status: 'down', 'down for s': downFor / 1000 }]),
        steps: [
          check('See whether the master answers', 'redis-cli -h <master> ping; redis-cli info replication'),
        ],
      }),
    );
  }
  for (const [name, value] of Object.entries(second).filter(([key]) => /^slave\d+$/u.test(key))) {
    const lag = Number(/lag=(\d+)/u.exec(value)?.[1] ?? 0);
    const state = /state=(\w+)/u.exec(value)?.[1] ?? '';
    if (lag < 30 && state === 'online') continue;
    const host = /ip=([^,]+)/u.exec(value)?.[1] ?? name;
    found.push(
      fact('replication-behind', plainName(host), 0.5, {
        sentence: `The replica at ${plainName(host)} ${state === 'online' ? `has acknowledged nothing for ${lag} s` : `is not in step: ${plainName(state)}`}.`,
        proof: proofOf('INFO replication', [{ replica: plainName(host), state, 'lag s': lag }]),
        steps: [check('See its link', 'redis-cli info replication')],
      }),
    );
  }
  return found;
}
