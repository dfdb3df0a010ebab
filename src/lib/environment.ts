import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { Environment } from './io.ts';
import { secretsOfVariable } from './redact.ts';

/*
 * A program is configured by environment variables: one zod object, whose members read a text and carry
 * `.meta({ description, example, secret })`. `npm run docs` writes the documents' tables and `.env.example` from it.
 */

const Meta = z.object({
  /** Without a final full stop. */
  description: z.string(),
  /** A value that is accepted; shown in every problem that concerns the variable. */
  example: z.string(),
  /** `<NAME>_FILE` may name a file that holds it. */
  secret: z.literal(true).optional(),
  /** A secret that whoever guesses it could use: production wants at least `STRONG_LENGTH` characters. */
  strong: z.literal(true).optional(),
  /** Of `NAME_<SOURCE>`, of which each source of webhooks may have one: the source in the example. */
  source: z.string().optional(),
});

/** What a variable is documented with. */
export interface Variable extends z.output<typeof Meta> {
  name: string;
  /** `null` if there is none, or where it depends (the description says). */
  default: string | null;
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** Of a secret, for `.meta`. */
export const secretMeta = { secret: true } as const;
/** Of a secret that must not be guessed, for `.meta`. */
export const strongMeta = { secret: true, strong: true } as const;

/** Ends the name of a variable of which each source of webhooks may have one. */
export const SOURCE = '<SOURCE>';

/** What `strong` means in production. */
export const STRONG_LENGTH = 16;

export function variablesOf(object: z.ZodObject<Shape>): Variable[] {
  return Object.entries(object.shape).map(([name, schema]) => ({
    name,
    default: (schema instanceof z.ZodPrefault && String(schema.def.defaultValue)) || null,
    ...Meta.parse(schema.meta()),
  }));
}

/** Whether `<name>_FILE` may hold this variable. */
export function isSecret(name: string, variables: readonly Variable[]): boolean {
  return variables.some((one) => one.secret === true && (one.name === name || sourceIn(name, one) !== null));
}

/** What follows the prefix of `NAME_<SOURCE>`; `null` if the variable is another one. */
function sourceIn(name: string, variable: Variable): string | null {
  if (!variable.name.endsWith(SOURCE)) return null;
  const prefix = variable.name.slice(0, -SOURCE.length);
  return name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : null;
}

/** The variables of one program, while they are read. */
export interface Reading<T> {
  /** What is set, trimmed: an empty text counts as unset, as `NAME=` in a file means. */
  given: Readonly<Record<string, string>>;
  production: boolean;
  /** What must not appear in a log or a message: of all variables whose `.meta` says that they are secret. */
  secrets(): string[];
  /** Adds a problem, unless the variable has one already. The sentence goes on after its name, and holds no value. */
  refuse(name: string, sentence: string): void;
  /** The values, or every problem in a line of its own. No line holds a value, since it may be a secret. */
  finish(): { values: T } | { problems: string[] };
}

export function readEnvironment<T extends Shape>(
  object: z.ZodObject<T>,
  env: Environment,
): Reading<z.output<z.ZodObject<T>>> {
  const variables = variablesOf(object);
  const problems = new Map<string, string>();
  const given: Record<string, string> = {};
  const texts: Record<string, string | Record<string, string>> = {};
  const variableOf = new Map<string, Variable>();

  const refuse = (name: string, sentence: string) => {
    const example = variableOf.get(name)?.example ?? '';
    if (!problems.has(name)) problems.set(name, `${name} ${sentence}; for example ${name}=${example}`);
  };
  const take = (name: string, variable: Variable): string | null => {
    variableOf.set(name, variable);
    const text = variable.secret ? secretOf(name, env, problems) : (env[name]?.trim() ?? '');
    if (text === '') return null;
    given[name] = text;
    // `docker --env-file` keeps quotation marks, and no other message would then say why a value is invalid.
    if (/^(["']).*\1$/u.test(text)) refuse(name, 'is in quotation marks: remove them');
    return text;
  };
  for (const variable of variables) {
    const { name } = variable;
    if (name.endsWith(SOURCE)) texts[name] = ofSources(variable, env, take, refuse);
    else {
      const text = take(name, variable);
      if (text !== null) texts[name] = text;
    }
  }

  const parsed = object.safeParse(texts);
  for (const issue of parsed.error?.issues ?? []) {
    const [name, source] = issue.path.map(String);
    if (name !== undefined) refuse(name.replace(SOURCE, source?.toUpperCase() ?? SOURCE), issue.message);
  }
  const production = env.NODE_ENV?.trim() === 'production';
  for (const [name, text] of Object.entries(production ? given : {})) {
    if (!variableOf.get(name)?.strong || text.split(',').every((part) => part.trim().length >= STRONG_LENGTH))
      continue;
    refuse(name, `is too short for NODE_ENV=production: a secret needs at least ${STRONG_LENGTH} characters`);
  }
  return {
    given,
    production,
    secrets: () =>
      Object.entries(given).flatMap(([name, text]) =>
        variableOf.get(name)?.secret ? secretsOfVariable(name, text) : [],
      ),
    refuse,
    finish: () =>
      parsed.success && problems.size === 0
        ? { values: parsed.data }
        : { problems: [...variableOf.keys()].flatMap((name) => problems.get(name) ?? []) },
  };
}

/** By source, in small letters. */
function ofSources(
  variable: Variable,
  env: Environment,
  take: (name: string, variable: Variable) => string | null,
  refuse: (name: string, sentence: string) => void,
): Record<string, string> {
  const names = Object.keys(env).map((name) => (variable.secret ? name.replace(/_FILE$/u, '') : name));
  const texts: Record<string, string> = {};
  for (const name of [...new Set(names)].sort()) {
    const source = sourceIn(name, variable);
    const text = source === null ? null : take(name, variable);
    if (source === null || text === null) continue;
    if (/^[A-Z0-9_]{1,60}$/u.test(source)) texts[source.toLowerCase()] = text;
    else refuse(name, 'must end in the name of a source: letters, digits and underscores');
  }
  return texts;
}

/** A secret, from its variable or from the file that `<NAME>_FILE` names, as Docker and Kubernetes mount them. */
function secretOf(name: string, env: Environment, problems: Map<string, string>): string {
  const text = env[name]?.trim() ?? '';
  const path = env[`${name}_FILE`]?.trim() ?? '';
  if (path === '') return text;
  if (text !== '') {
    problems.set(name, `${name} and ${name}_FILE are both set: remove one of them`);
    return text;
  }
  // It may be the secret itself, put there by mistake: do not repeat it.
  const shown = /^\.{0,2}\//u.test(path)
    ? path
    : 'the file (a path with a slash is easier to tell from a secret)';
  const wrong = `${name}_FILE must name a file that holds the secret: ${shown}`;
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret === '') problems.set(name, `${wrong} is empty`);
    return secret;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    problems.set(name, `${wrong} cannot be read (${code})`);
    return '';
  }
}

/** A reader from a function that returns the value, or what is wrong with it: the end of a sentence about the variable. */
export function reader<T>(read: (text: string) => { value: T } | { wrong: string }) {
  return z.string().transform((text, context): T => {
    const result = read(text);
    if ('value' in result) return result.value;
    context.addIssue({ code: 'custom', message: result.wrong });
    return z.NEVER;
  });
}

/** A secret without a shape of its own: no spaces. */
export function secret() {
  return reader((text) =>
    /^[\x21-\x7e]+$/u.test(text)
      ? { value: text }
      : { wrong: 'must not contain spaces or non-ASCII characters' },
  );
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
    const value = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most
      ? { value }
      : { wrong: `must be a whole number from ${least} to ${most}` };
  });
}

export const port = () => integer(0, 65_535);

/** `true` or `false`; also 1, yes, 0, no. */
export function boolean() {
  return reader((text) => {
    const word = text.toLowerCase();
    if (['true', '1', 'yes'].includes(word)) return { value: true };
    if (['false', '0', 'no'].includes(word)) return { value: false };
    return { wrong: 'must be true or false' };
  });
}

export function oneOf<const Word extends string>(words: readonly Word[]) {
  return reader((text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { wrong: `must be one of ${words.join(', ')}` } : { value };
  });
}

export const logLevel = () => oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

/** A name or address to listen on. */
export function host() {
  return reader((text) =>
    isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/u.test(text)
      ? { value: text }
      : { wrong: 'must be a host name or IP address without a port' },
  );
}

/** A word that is sent on as it is. */
export function line() {
  return reader((text) => (/[\r\n]/u.test(text) ? { wrong: 'must be one line' } : { value: text }));
}

/** A file of SQLite for one process, or a PostgreSQL database for any number of replicas. */
/** A host, and the page on which its operator says how it is. */
export interface HostPage {
  host: string;
  url: string;
}

/** `host=https://page`, separated by commas. */
export function hostPages() {
  return reader((text): { value: HostPage[] } | { wrong: string } => {
    const pairs = text.split(',').map((pair) => pair.trim().split('='));
    const value = pairs.flatMap(([written = '', ...rest]) => {
      const host = written.toLowerCase();
      const page = URL.parse(rest.join('='));
      const isHost = host !== '' && URL.parse(`http://${host}`)?.hostname === host;
      if (!isHost || page === null || !['http:', 'https:'].includes(page.protocol)) return [];
      const { origin, pathname } = page;
      return [{ host, url: origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname) }];
    });
    return value.length < pairs.length
      ? { wrong: 'must be host=address pairs, separated by commas: api.stripe.com=https://status.stripe.com' }
      : { value };
  });
}

export type Database = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };

/** `sqlite:./relative`, `sqlite:/absolute`, or `postgres://user:password@host/database`. */
export function database() {
  return reader((text): { value: Database } | { wrong: string } => {
    if (/^postgres(ql)?:/iu.test(text)) {
      const wrong = wrongInPostgresUrl(text);
      return wrong === null ? { value: { kind: 'postgres', url: text } } : { wrong };
    }
    if (!text.startsWith('sqlite:')) return { wrong: 'must start with sqlite: or postgres://' };
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/u, '');
    if (file.includes(':memory:'))
      return { wrong: 'must name a file: an in-memory database is lost on restart' };
    if (file === '' || file.startsWith('//') || /[/?#]$|[?#]/u.test(file)) {
      return { wrong: 'must be sqlite: followed by a file path' };
    }
    return { value: { kind: 'sqlite', file } };
  });
}

/** A connection string of PostgreSQL. */
export function postgresUrl() {
  return reader((text) => {
    const wrong = /^postgres(ql)?:/iu.test(text) ? wrongInPostgresUrl(text) : 'must start with postgres://';
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

/** The credentials of one system, each with its variable's prefix: half of a pair, or two ways at once, is a mistake. */
export function checkCredentials(
  { given, refuse }: Pick<Reading<unknown>, 'given' | 'refuse'>,
  prefix: string,
): void {
  const has = (suffix: string) => given[`${prefix}_${suffix}`] !== undefined;
  const more = ['TOKEN', 'USER', 'PASSWORD', 'ORG_ID'].find(has);
  if (more !== undefined && !has('URL')) refuse(`${prefix}_URL`, `is missing: ${prefix}_${more} is set`);
  if (has('TOKEN') && has('USER')) {
    refuse(`${prefix}_TOKEN`, `and ${prefix}_USER are both set: remove one of them`);
  }
  for (const [one, other] of [
    ['USER', 'PASSWORD'],
    ['PASSWORD', 'USER'],
  ] as const) {
    if (has(one) && !has(other)) refuse(`${prefix}_${other}`, `is missing: ${prefix}_${one} is set`);
  }
}
