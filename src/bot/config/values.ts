import { isIP } from 'node:net';
import { validate as isCron } from 'node-cron';
import { z } from 'zod';

/** Readers of one variable's text. Their messages complete a sentence that begins with the variable's name. */

const tokenKinds = [
  { prefix: 'xoxb-', kind: 'a bot token', home: 'SLACK_BOT_TOKEN' },
  { prefix: 'xapp-', kind: 'an app-level token', home: 'SLACK_APP_TOKEN' },
  { prefix: 'xoxp-', kind: 'a user token', home: null },
  { prefix: 'xoxe', kind: 'a rotating or configuration token', home: null },
];

/** The sentence for a token in the wrong variable, or `null`. It names the kind of token, never the token. */
function misplaced(text: string, expected: string | null): string | null {
  const found = tokenKinds.find(({ prefix }) => text.startsWith(prefix));
  if (found === undefined || found.prefix === expected) return null;
  const home = found.home === null ? 'which Gumshoe does not use' : `which belongs in ${found.home}`;
  return `holds ${found.kind} (${found.prefix}…), ${home}`;
}

/** A reader from a function that returns the value, or what is wrong with it. */
export function reader<T>(read: (text: string) => { value: T } | { wrong: string }) {
  return z.string().transform((text, context): T => {
    const result = read(text);
    if ('value' in result) return result.value;
    context.addIssue({ code: 'custom', message: result.wrong });
    return z.NEVER;
  });
}

/** A Slack token with this prefix. */
export function token(prefix: 'xoxb-' | 'xapp-') {
  return reader((text) => {
    const wrong = misplaced(text, prefix);
    if (wrong !== null) return { wrong };
    if (!text.startsWith(prefix)) return { wrong: `must start with ${prefix}` };
    return /^[\w-]+$/.test(text.slice(prefix.length))
      ? { value: text }
      : { wrong: `must be ${prefix} followed by letters, digits and hyphens` };
  });
}

/** A secret without a shape of its own: no spaces, and no token of Slack's put in the wrong place. */
export function secret() {
  return reader((text) => {
    const wrong = misplaced(text, null);
    if (wrong !== null) return { wrong };
    return /^[\x21-\x7e]+$/.test(text)
      ? { value: text }
      : { wrong: 'must not contain spaces or non-ASCII characters' };
  });
}

/** One secret or several, separated by commas. */
export function secrets() {
  return reader((text) => {
    const parts = text.split(',').map((part) => part.trim());
    if (parts.includes('')) return { wrong: 'holds an empty secret: remove the superfluous comma' };
    const read = z.array(secret()).safeParse(parts);
    return read.success
      ? { value: read.data }
      : { wrong: read.error.issues[0]?.message ?? 'is not a secret' };
  });
}

/** `name=value` pairs of HTTP headers, separated by commas, with percent-encoded values, as OpenTelemetry writes them. */
export function headers() {
  return reader((text) => {
    const pairs = text.split(',').map((pair) => /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=(.*)$/isu.exec(pair));
    if (pairs.includes(null)) return { wrong: 'must be name=value, or several of them separated by commas' };
    try {
      const decoded = pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2]?.trim() ?? '')]);
      return { value: Object.fromEntries(z.array(z.tuple([z.string(), z.string()])).parse(decoded)) };
    } catch {
      return { wrong: 'has a value that is not percent-encoded' };
    }
  });
}

function parseWebAddress(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null;
}

/** An http or https address that requests are made below: no user, no query, no fragment. */
export function baseAddress() {
  return reader((text) => {
    const url = parseWebAddress(text);
    if (url === null) return { wrong: 'must be a URL starting with http:// or https://' };
    if (url.username !== '' || url.password !== '') return { wrong: 'must not hold a user or a password' };
    if (url.search !== '' || url.hash !== '') return { wrong: 'must not hold a query or a fragment' };
    return { value: text };
  });
}

/** A proxy's address, which may hold a user and a password. */
export function proxyAddress() {
  return reader((text) =>
    parseWebAddress(text) === null
      ? { wrong: 'must be a URL starting with http:// or https://' }
      : { value: text },
  );
}

/** A whole number between two bounds, both included. */
export function integer(least: number, most: number) {
  return reader((text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most
      ? { value }
      : { wrong: `must be a whole number from ${least} to ${most}` };
  });
}

/** `true` or `false`; also 1, yes, 0, no. */
export function boolean() {
  return reader((text) => {
    const word = text.toLowerCase();
    if (['true', '1', 'yes'].includes(word)) return { value: true };
    if (['false', '0', 'no'].includes(word)) return { value: false };
    return { wrong: 'must be true or false' };
  });
}

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return reader((text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { wrong: `must be one of ${words.join(', ')}` } : { value };
  });
}

/** Slack ids separated by commas, each once. `letters` are those that an id may begin with. */
export function ids(letters: string, noun: string) {
  const shape = new RegExp(`^[${letters}][A-Z0-9]{2,}$`);
  return reader((text) => {
    const items = text.split(',').map((item) => item.trim());
    const value = [...new Set(items.filter((item) => item !== ''))];
    return value.every((item) => shape.test(item))
      ? { value }
      : { wrong: `must be a comma-separated list of ${noun} ids (not names)` };
  });
}

/** ARNs of SNS topics separated by commas. */
export function topics() {
  return reader((text) => {
    const value = text.split(',').map((item) => item.trim());
    return value.every((item) => /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/.test(item))
      ? { value }
      : { wrong: 'must be a comma-separated list of ARNs of SNS topics' };
  });
}

/** A file of SQLite for one process, or a PostgreSQL database for any number of replicas. */
export type Database = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };

/** `sqlite:./relative`, `sqlite:/absolute`, or `postgres://user:password@host/database`. */
export function database() {
  return reader((text): { value: Database } | { wrong: string } => {
    if (/^postgres(ql)?:/iu.test(text)) {
      const wrong = wrongInPostgresUrl(text);
      return wrong === null ? { value: { kind: 'postgres', url: text } } : { wrong };
    }
    if (!text.startsWith('sqlite:')) return { wrong: 'must start with sqlite: or postgres://' };
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (file.includes(':memory:'))
      return { wrong: 'must name a file: an in-memory database is lost on restart' };
    if (file === '' || file.startsWith('//') || /[/?#]$|[?#]/.test(file)) {
      return { wrong: 'must be sqlite: followed by a file path' };
    }
    return { value: { kind: 'sqlite', file } };
  });
}

/** A connection string of PostgreSQL. */
export function postgresUrl() {
  return reader((text) => {
    if (!/^postgres(ql)?:/iu.test(text)) return { wrong: 'must start with postgres://' };
    const wrong = wrongInPostgresUrl(text);
    return wrong === null ? { value: text } : { wrong };
  });
}

function wrongInPostgresUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) {
    return 'is not a URL: write postgres://user:password@host/database, with %-codes for special characters';
  }
  return url.pathname.length > 1 ? null : 'must name a database: postgres://user:password@host/database';
}

/** A cron expression of five fields, or six with seconds first. */
export function cron() {
  return reader((text) =>
    isCron(text) ? { value: text } : { wrong: 'must be a cron expression (seconds first)' },
  );
}

/** A calendar date, `YYYY-MM-DD`. */
export function date() {
  return reader((text) =>
    z.iso.date().safeParse(text).success ? { value: text } : { wrong: 'must be a date such as 2026-03-17' },
  );
}

/** A name or address to listen on. */
export function host() {
  return reader((text) =>
    isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)
      ? { value: text }
      : { wrong: 'must be a host name or IP address without a port' },
  );
}

/** A word that is sent on as it is. */
export function line() {
  return reader((text) => (/[\r\n]/.test(text) ? { wrong: 'must be one line' } : { value: text }));
}

/** The path of a file that is there. */
export function existingFile(exists: (path: string) => boolean) {
  return reader((text) => (exists(text) ? { value: text } : { wrong: 'names a file that does not exist' }));
}
