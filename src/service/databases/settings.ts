import { z } from 'zod';
import * as read from '../../lib/environment.ts';
import { percentDecoded } from '../../lib/text.ts';

const { secretMeta } = read;

/** The protocols of `DATABASES`, with what is behind each. */
const PROTOCOLS = {
  'postgres:': { system: 'postgres', port: 5432 },
  'postgresql:': { system: 'postgres', port: 5432 },
  'mysql:': { system: 'mysql', port: 3306 },
  'mariadb:': { system: 'mysql', port: 3306 },
  'redis:': { system: 'redis', port: 6379 },
  'rediss:': { system: 'redis', port: 6379 },
  'valkey:': { system: 'redis', port: 6379 },
  'valkeys:': { system: 'redis', port: 6379 },
  'http:': { system: 'rabbitmq', port: 80 },
  'https:': { system: 'rabbitmq', port: 443 },
} as const satisfies Record<string, { system: string; port: number }>;

export type SystemName = (typeof PROTOCOLS)[keyof typeof PROTOCOLS]['system'];

/** As people write them. */
export const TITLES: Readonly<Record<SystemName, string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  redis: 'Redis',
  rabbitmq: 'RabbitMQ',
};

/** A database or broker that is looked into. */
export interface DatabaseSettings {
  /** The service's name. */
  name: string;
  system: SystemName;
  host: string;
  port: number;
  user: string;
  password: string;
  /** PostgreSQL's and MySQL's database, Redis' number, RabbitMQ's virtual host; `null` for the account's own. */
  database: string | null;
  /** Before the API's own path, where a proxy adds one; empty otherwise. */
  path: string;
  /** Whether the connection is encrypted, and the certificate verified. */
  tls: boolean;
}

const NAME = /^[\p{L}\d][\p{L}\d._-]{0,99}$/u;

/** Systems inside which the investigation looks: part of the variables of telemetry. */
export const databaseVariables = z.object({
  DATABASES: read
    .reader((text): { value: DatabaseSettings[] } | { wrong: string } => {
      const value: DatabaseSettings[] = [];
      for (const [i, part] of text.split(/,(?=\s*[^\s,=/]+=)/u).entries()) {
        const one = databaseIn(part.trim());
        if ('wrong' in one) return { wrong: `${one.wrong} (number ${i + 1})` };
        if (value.some(({ name }) => name === one.value.name))
          return { wrong: `names ${one.value.name} twice` };
        value.push(one.value);
      }
      return { value };
    })
    .optional()
    .meta({
      ...secretMeta,
      example: 'orders=postgres://gumshoe@db.example.com/orders,cache=redis://gumshoe@cache.example.com',
      description:
        'Databases and brokers to look into, as `name=address`, separated by commas: `postgres://`, `mysql://`, `redis://` (`rediss://` with TLS) and RabbitMQ’s management API (`http://` or `https://`). The name is the service. An account that may only read; [what it needs](service.md#databases)',
    }),
  [`DATABASES_PASSWORD_${read.SOURCE}`]: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      ...secretMeta,
      example: 'a-password',
      source: 'orders',
      description:
        'The password of one of `DATABASES`, by its name (in any case; `-` and `.` become `_`), if it is not in the address',
    }),
});

type Values = z.output<typeof databaseVariables>;

export function databasesOf(values: Values): DatabaseSettings[] {
  const passwords = values[`DATABASES_PASSWORD_${read.SOURCE}`] ?? {};
  return (values.DATABASES ?? []).map((one) => ({
    ...one,
    password: one.password === '' ? (passwords[variableName(one.name)] ?? '') : one.password,
  }));
}

/** A password for a database that is not configured is a slip. */
export function checkDatabases({ given, refuse }: Pick<read.Reading<unknown>, 'given' | 'refuse'>): void {
  const prefix = 'DATABASES_PASSWORD_';
  const names = [...(given.DATABASES ?? '').matchAll(/(?:^|,)\s*([^\s,=/]+)=/gu)].map(([, name = '']) =>
    variableName(name),
  );
  for (const variable of Object.keys(given).filter((name) => name.startsWith(prefix)))
    if (!names.includes(variable.slice(prefix.length).toLowerCase()))
      refuse(variable, 'belongs to none of DATABASES: its end must be one of their names');
}

function variableName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/gu, '_');
}

function databaseIn(text: string): { value: DatabaseSettings } | { wrong: string } {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at));
  if (!NAME.test(name)) return { wrong: 'must be name=address, separated by commas' };
  const url = URL.parse(text.slice(at + 1));
  const known = Object.entries(PROTOCOLS).find(([protocol]) => protocol === url?.protocol)?.[1];
  if (url === null || known === undefined || url.hostname === '')
    return { wrong: `must have an address such as postgres://user@host/database for ${name}` };
  const mode = url.searchParams.get('sslmode') ?? url.searchParams.get('ssl-mode');
  const isSecure =
    /^(?:rediss|valkeys|https):$/u.test(url.protocol) ||
    /^(?:true|1|yes)$/iu.test(url.searchParams.get('tls') ?? '');
  if (mode !== null && !/^(?:disable|disabled|require|required|verify[-_](?:ca|full|identity))$/iu.test(mode))
    return {
      wrong: `must have an sslmode of disable, require or verify-full for ${name}: a certificate is always verified`,
    };
  const place = url.pathname.replace(/^\/+|\/+$/gu, '');
  const path = percentDecoded(place) ?? place;
  const isApi = known.system === 'rabbitmq';
  return {
    value: {
      name,
      system: known.system,
      host: url.hostname.replace(/^\[(.*)\]$/u, '$1'),
      port: url.port === '' ? known.port : Number(url.port),
      user: percentDecoded(url.username) ?? url.username,
      password: percentDecoded(url.password) ?? url.password,
      database: isApi ? url.searchParams.get('vhost') : path === '' ? null : path,
      path: isApi && path !== '' ? `/${path}` : '',
      tls: isSecure || (mode !== null && !/^disabled?$/iu.test(mode)),
    },
  };
}
