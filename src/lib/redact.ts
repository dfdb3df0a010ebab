import { readFileSync } from 'node:fs';
import { isSecretName, replaceCredentials } from './credentials.ts';
import type { Command, Environment, Io } from './io.ts';
import { parseJson } from './json.ts';
import { percentDecoded } from './text.ts';

const REDACTED = '[redacted]';

/** A shorter secret would match by chance in half of all lines. */
const SHORTEST = 6;
/** JSON inside a string is parsed up to this depth and length; beyond that, only the patterns apply. */
const DEEPEST = 8;
const LONGEST = 200_000;

/** Redacts the secrets in a line of JSON. */
export type Redact = (line: string) => string;

/**
 * Recognizes secrets by the name of their field at any depth (also in JSON inside a string), by their shape, and by being
 * one of the program's own.
 */
export function redactor(secrets: readonly string[] = []): Redact {
  const known = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST))].sort(
    (a, b) => b.length - a.length,
  );

  const inText = (text: string): string =>
    replaceCredentials(
      known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text),
      () => REDACTED,
    );

  const inString = (text: string, depth: number): string => {
    if (depth < DEEPEST && text.length <= LONGEST && /^\s*[[{]/u.test(text)) {
      const value = parseJson(text);
      if (value !== undefined) return JSON.stringify(walk(value, depth + 1));
    }
    return inText(text);
  };

  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return inString(value, depth);
    if (Array.isArray(value)) return value.map((one) => walk(one, depth));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        return [inText(name), isSecretName(name) && holdsSomething(one) ? REDACTED : walk(one, depth)];
      }),
    );
  };

  return (line) => {
    const value = parseJson(line);
    return value === undefined ? inText(line) : `${JSON.stringify(walk(value, 0))}\n`;
  };
}

function holdsSomething(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}

const SECRET_NAME = /(?:TOKENS?|SECRETS?|PASSWORD|PASS|KEYS?|HEADERS|CREDENTIALS)(?:_[A-Z0-9_]+)?$/u;

/** What the documents name in place of a token. */
const EXAMPLE = /^x(?:ox[a-z]|app)-your-/u;

/** The secrets that an environment and the words of a command hold: by the variables' names, and in addresses. */
export function secretsIn(env: Environment, words: readonly string[] = []): string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => {
    if (!name.endsWith('_FILE'))
      return SECRET_NAME.test(name) ? partsOf(name, value.trim()) : addressed(value);
    const file = contentOf(value.trim());
    return [
      ...(SECRET_NAME.test(name.slice(0, -'_FILE'.length)) ? partsOf(name, file) : []),
      ...addressed(file),
    ];
  });
  return [...values, ...words.flatMap(addressed)].filter((one) => !EXAMPLE.test(one));
}

/** The secrets in the value of a secret variable: itself and its parts, or of an address the password. */
export function secretsOfVariable(name: string, value: string): string[] {
  const isAddress = !SECRET_NAME.test(name) && URL.canParse(value);
  return (isAddress ? addressed(value) : partsOf(name, value)).filter((one) => one !== '');
}

/** Several keys, a key before its organization, or the value of a header behind its scheme. */
function partsOf(name: string, value: string): string[] {
  const parts = value.split(',').map((part) => part.trim());
  if (name.includes('HEADERS')) {
    return parts.flatMap(
      (part) =>
        part
          .slice(part.indexOf('=') + 1)
          .split(/\s|%20/u)
          .at(-1) ?? [],
    );
  }
  // A name before its token, and what it may do behind it.
  if (name.includes('TOKENS')) return parts.map((part) => part.split(':')[1] ?? '');
  // A tool before its secret.
  if (name.endsWith('SECRETS'))
    return [value, ...parts, ...parts.map((part) => part.slice(part.indexOf(':') + 1))];
  return name.includes('KEYS')
    ? parts.flatMap((part) => [part, part.split(':', 1)[0] ?? ''])
    : [value, ...parts];
}

/** The passwords in an address, or in several (`name=address,…`). */
function addressed(text: string): string[] {
  const whole = text.trim();
  const all = whole.includes('=')
    ? whole.split(/,(?=\s*[^\s,=/]+=)/u).map((one) => one.slice(one.indexOf('=') + 1))
    : [];
  return [whole, ...all].flatMap((address) => {
    const password = URL.parse(address)?.password ?? '';
    return [password, percentDecoded(password) ?? ''].filter(Boolean);
  });
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Whoever needs the file says that it cannot be read.
    return '';
  }
}

/** The command with what it prints redacted as the log is. */
export function withoutSecrets(command: Command): Command {
  return (words, env, io) => command(words, env, redactedIo(io, env, words));
}

/** Prints without secrets; a line without one stays as it is. */
export function redactedIo(io: Io, env: Environment, words: readonly string[] = []): Io {
  const redact = redactor(secretsIn(env, words));
  const safe = (line: string): string => {
    const value = parseJson(line);
    const redacted = redact(line);
    return value !== undefined && redacted === `${JSON.stringify(value)}\n` ? line : redacted.trimEnd();
  };
  return { ...io, out: (line) => io.out(safe(line)), err: (line) => io.err(safe(line)) };
}
