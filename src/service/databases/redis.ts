import type { Taken } from './fingerprint.ts';
import { type Client, judgeRedis, type RedisReadings, type Sample, type Slow } from './redis-facts.ts';
import { connectRedis, RedisError, type Reply, refusedWith } from './resp.ts';
import { APPLICATION, Refused, type Session } from './session.ts';
import { type DatabaseSettings, TITLES } from './settings.ts';
import type { DatabaseHealth, Inside, Looked, Opened, System } from './system.ts';

const TITLE = TITLES.redis;

/** Redis 6 or later, and Valkey. */
export const redis: System = { open };

const BETWEEN_MS = 1_000;
/** The keys that are looked at to find who uses the memory, and for how long. */
const MOST_SCANNED = 10_000;
const MOST_MEASURED = 2_000;
const SCAN_MS = 200;

async function open(settings: DatabaseSettings, session: Session): Promise<Opened> {
  const what = `${TITLE} ${settings.name}`;
  const connection = await session.connect(() => connectRedis(settings, session));

  /** One answer; an error of Redis is thrown if it refuses everything, and returned if it only refuses this. */
  async function ask(...commands: readonly (readonly string[])[]): Promise<Reply[]> {
    const replies = await session.statement(() => connection.send(commands));
    for (const reply of replies) {
      const refused = reply instanceof RedisError ? refusedWith(reply, what) : null;
      if (refused !== null) throw refused;
    }
    return replies;
  }

  const { user, password, database } = settings;
  const login = password === '' ? [] : [user === '' ? ['AUTH', password] : ['AUTH', user, password]];
  try {
    await ask(
      ...login,
      ['CLIENT', 'SETNAME', APPLICATION],
      ...(database === null ? [] : [['SELECT', database]]),
    );
  } catch (error) {
    connection.close();
    throw error;
  }

  const info = async (): Promise<Readonly<Record<string, string>>> => {
    const [reply] = await ask(['INFO', 'all']);
    if (typeof reply === 'string' && reply.includes('redis_version')) return infoOf(reply);
    throw new Refused('denied', `${what} does not let its account read INFO: ${grant(settings)}`);
  };

  async function sample(): Promise<Sample> {
    const keys: string[] = [];
    let cursor = '0';
    const until = Date.now() + SCAN_MS;
    const measured: Sample['keys'] = [];
    // All that is asked of the keys counts as one statement: it is bounded by time and by number.
    await session.statement(async () => {
      do {
        const [reply] = await connection.send([['SCAN', cursor, 'COUNT', '1000']]);
        if (!Array.isArray(reply)) return;
        const [next, batch] = reply;
        cursor = String(next);
        const found = (Array.isArray(batch) ? batch : []).filter((key) => typeof key === 'string');
        keys.push(...found);
        const some = measured.length < MOST_MEASURED ? found.slice(0, 500) : [];
        const answers = await connection.send(
          some.flatMap((key) => [
            ['MEMORY', 'USAGE', key],
            ['PTTL', key],
          ]),
        );
        for (const [i, key] of some.entries()) {
          const [bytes, ttl] = [answers[2 * i], answers[2 * i + 1]];
          measured.push({
            key,
            bytes: typeof bytes === 'number' ? bytes : null,
            expires: typeof ttl === 'number' ? ttl >= 0 : null,
          });
        }
      } while (cursor !== '0' && keys.length < MOST_SCANNED && Date.now() < until);
    });
    return { keys: measured, scanned: keys.length };
  }

  let last: RedisReadings | null = null;

  async function look({ now }: Looked): Promise<Inside> {
    const first = await info();
    const [limits, slow, clients] = await ask(
      ['CONFIG', 'GET', 'max*'],
      ['SLOWLOG', 'GET', '20'],
      ['CLIENT', 'LIST'],
    );
    const sampled = await sample();
    await session.pause(BETWEEN_MS);
    const second = await info();
    const readings: RedisReadings = {
      first,
      second,
      limits: pairsOf(limits),
      slow: slowOf(slow),
      clients: clientsOf(clients),
      sample: sampled,
      now,
    };
    last = readings;
    const unread = [
      ...([limits, slow, clients].some((reply) => reply instanceof RedisError) || sampled.scanned === 0
        ? missingOf([limits, slow, clients], sampled, second).map(
            (right) => `${right} of ${settings.name} may not be read by its account: ${grant(settings)}`,
          )
        : []),
    ];
    return { ...judgeRedis(settings.name, readings), unread };
  }

  return {
    look,
    check: async (): Promise<DatabaseHealth> => {
      const seen = await info();
      const replies = await ask(
        ['CONFIG', 'GET', 'maxmemory'],
        ['SLOWLOG', 'GET', '1'],
        ['CLIENT', 'LIST'],
        ['ACL', 'WHOAMI'],
      );
      const [who] = replies.slice(3);
      const name = typeof who === 'string' ? who : user === '' ? 'default' : user;
      // An account that may not run this is one that may not write either; only what it may is told.
      const [dry] = await ask(['ACL', 'DRYRUN', name, 'SET', 'gumshoe', '1']);
      const [rights] = dry === 'OK' ? ['OK'] : await ask(['ACL', 'GETUSER', name]);
      const mayWrite = dry === 'OK' || (Array.isArray(rights) && JSON.stringify(rights).includes('+@all'));
      const missing = missingOf(replies.slice(0, 3), null, seen);
      return {
        version: `${seen.valkey_version === undefined ? TITLE : 'Valkey'} ${seen.valkey_version ?? seen.redis_version ?? ''}`,
        missing: missing.map((right) => ({ what: `${right} cannot be read`, grant: grant(settings) })),
        writes: mayWrite ? `it may run any command: ${grant(settings)}` : null,
      };
    },
    fingerprint: async (): Promise<Taken> => {
      const [reply] = await ask(['CONFIG', 'GET', '*']);
      const seen = last?.second ?? (await info());
      return {
        parts: {
          setting: Object.fromEntries(
            Object.entries(pairsOf(reply)).filter(
              ([name]) => !/pass|auth|user|requirepass|masterauth|acl|key-file|cert/iu.test(name),
            ),
          ),
          version: { [TITLE]: seen.redis_version ?? '' },
        },
        counters: {},
      };
    },
    close: async () => connection.close(),
  };
}

/** The statement that gives an account what a look needs, and nothing else. */
function grant({ user }: DatabaseSettings): string {
  return `ACL SETUSER ${user === '' ? APPLICATION : user} on >password ~* resetchannels -@all +info +client|list +client|setname +config|get +slowlog|get +scan +memory|usage +pttl +acl|whoami`;
}

function missingOf(
  replies: readonly (Reply | undefined)[],
  sampled: Sample | null,
  seen: Readonly<Record<string, string>>,
): string[] {
  const names = ['Limits (CONFIG GET)', 'Slow commands (SLOWLOG GET)', 'Connections (CLIENT LIST)'];
  const isEmpty = Object.keys(seen).every((name) => !/^db\d+$/u.test(name));
  return [
    ...names.filter((_, i) => replies[i] instanceof RedisError),
    ...(sampled !== null && sampled.scanned === 0 && !isEmpty ? ['Keys (SCAN)'] : []),
  ];
}

function infoOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split(/\r?\n/u).filter((line) => line.includes(':') && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}

function pairsOf(reply: Reply | undefined): Record<string, string> {
  const items = Array.isArray(reply) ? reply : [];
  const pairs: Record<string, string> = {};
  for (let i = 0; i + 1 < items.length; i += 2) pairs[String(items[i])] = String(items[i + 1]);
  return pairs;
}

/** Of a slow command its name and its first key: the other arguments are values. */
function slowOf(reply: Reply | undefined): Slow[] {
  return (Array.isArray(reply) ? reply : []).flatMap((entry) => {
    if (!Array.isArray(entry)) return [];
    const [, at, micros, words, , client] = entry;
    const [command, key] = Array.isArray(words) ? words : [];
    return typeof at === 'number' && typeof micros === 'number' && typeof command === 'string'
      ? [
          {
            at: at * 1000,
            ms: micros / 1000,
            command: command.toUpperCase().slice(0, 30),
            key: typeof key === 'string' ? key : null,
            client: typeof client === 'string' ? client : '',
          },
        ]
      : [];
  });
}

function clientsOf(reply: Reply | undefined): Client[] {
  if (typeof reply !== 'string') return [];
  return reply
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const fields = new Map(
        line
          .split(' ')
          .map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
      );
      const address = fields.get('addr') ?? '';
      return {
        name: fields.get('name') ?? '',
        host: address.slice(0, Math.max(0, address.lastIndexOf(':'))),
        user: fields.get('user') ?? '',
        command: fields.get('cmd') ?? '',
        idleMs: Number(fields.get('idle') ?? 0) * 1000,
      };
    });
}
