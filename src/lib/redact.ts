import { readFileSync } from 'node:fs';
import type { Command, Environment, Io } from './io.ts';

const REDACTED = '[redacted]';

/** Field names whose values are secrets, in lower case without hyphens and underscores. */
const SECRET_FIELDS = new Set(
  (
    'token bottoken apptoken usertoken accesstoken refreshtoken apikey xapikey secret clientsecret signingsecret ' +
    'password authorization proxyauthorization cookie setcookie xslacksignature responseurl triggerid ticket'
  ).split(' '),
);

const HYPHEN = String.raw`(?:-|%(?:25)*2d|\\+u002d|\\+x2d|&#0*45;|&#x0*2d;)`;

const PATTERNS = [
  // Slack tokens, rotating ones included (xoxe.xoxb-…), also with their hyphens encoded; not the documents' `xoxb-your-…`.
  new RegExp(
    String.raw`(?:\b|(?<=%[\da-f]{2}))(?:xox[a-z](?:\.xox[a-z])?|xapp)${HYPHEN}(?!your-)(?:\w|${HYPHEN})+`,
    'giu',
  ),
  // What a parser quotes of a body that is not JSON, which may begin or end in the middle of a secret.
  /(?<=Unexpected token .{1,8}, )(?:\.\.\.)?"[\s\S]{0,80}?"(?:\.\.\.)?(?= is not valid JSON)/gu,
  // Credentials of an `Authorization` header.
  /(?<=\b(?:Bearer|Basic)(?:\s|\+|%20)+)[\w.~+/=%-]+/giu,
  // URLs of incoming webhooks, workflows and responses: anyone who has one may post there.
  /(?<=hooks\.slack(?:-gov)?\.com(?::\d+)?(?:\/|%2f))[^\s"'<>|\\)\]}&]+/giu,
  // Parameters in a URL or a form (a ticket opens a Socket Mode connection), but not what a problem of the configuration names.
  /(?<!; for example \w{1,80}=)(?<=(?:\b|_|%[\da-f]{2})(?:ticket|token|access_token|refresh_token|client_secret|signing_secret|secret|password|api_?key)(?:=|%3d))[^\s"'<>|\\&]+/giu,
  // User and password in a URL, unless it is an example's.
  /(?<=:\/\/)[^\s"'<>|\\/?#@]*:(?!password@)[^\s"'<>|\\/?#]+(?=@)/gu,
];

/** What each match of the patterns contains; most texts contain none of it. */
const SUSPICIOUS = /xox|xapp|not valid json|bearer|basic|hooks\.slack|=|%3d|:\/\//iu;

/** A shorter secret would match by chance in half of all lines. */
const SHORTEST = 6;
/** JSON inside a string is parsed up to this depth and length; beyond that, only the patterns apply. */
const DEEPEST = 8;
const LONGEST = 200_000;

/** Redacts the secrets in a line of JSON. */
export type Redact = (line: string) => string;

/**
 * Recognises secrets by the name of their field at any depth (also in JSON inside a string), by their shape, and by being
 * one of the program's own.
 */
export function redactor(secrets: readonly string[] = []): Redact {
  const known = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST))]
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length);
  const encoded = known.map(encodedForm);

  const inText = (text: string): string => {
    const plain = known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    const without = ENCODED.test(plain)
      ? encoded.reduce((rest, pattern) => rest.replace(pattern, REDACTED), plain)
      : plain;
    if (!SUSPICIOUS.test(without)) return without;
    return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, REDACTED), without);
  };

  const inString = (text: string, depth: number): string => {
    if (depth < DEEPEST && text.length <= LONGEST && /^\s*[[{]/u.test(text)) {
      const value = parsed(text);
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
        const isSecret = SECRET_FIELDS.has(name.toLowerCase().replace(/[-_]/gu, ''));
        return [inText(name), isSecret && holdsSomething(one) ? REDACTED : walk(one, depth)];
      }),
    );
  };

  return (line) => {
    const value = parsed(line);
    return value === undefined ? inText(line) : `${JSON.stringify(walk(value, 0))}\n`;
  };
}

/** Without one of these, no character is written in another way. */
const ENCODED = /[%\\&+]/u;

/** A secret as it is, in base64 (at any place in the encoded text), and in hexadecimal digits. */
function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    // The first and the last character may belong to what stands beside it, too.
    const whole = bytes.toString('base64').replace(/=+$/u, '');
    const inner = whole.slice(before === 0 ? 0 : before + 1, bytes.length % 3 === 0 ? undefined : -1);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = Buffer.from(secret).toString('hex');
  return [secret, ...[...base64, hex, hex.toUpperCase()].filter((form) => form.length >= SHORTEST + 2)];
}

/** A text whose characters are escaped or encoded: for a URL (once or more), for JSON, for HTML. */
function encodedForm(text: string): RegExp {
  const characters = [...text].map((character) => {
    const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    const forms = [
      String.raw`\\*${character.replace(/[\\^$.*+?()[\]{}|/]/u, String.raw`\$&`)}`,
      bytes.join(''),
      String.raw`\\+u${hex.padStart(4, '0')}`,
      String.raw`\\+x${hex.padStart(2, '0')}`,
      `&#0*${code};`,
      `&#x0*${hex};`,
      ...(NAMED[character] ?? []),
    ];
    return `(?:${forms.join('|')})`;
  });
  return new RegExp(characters.join(''), 'giu');
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;'],
  "'": ['&apos;'],
  ' ': [String.raw`\+`],
};

function holdsSomething(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
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
  return name.includes('KEYS')
    ? parts.flatMap((part) => [part, part.split(':', 1)[0] ?? ''])
    : [value, ...parts];
}

/** The password in an address. */
function addressed(text: string): string[] {
  const password = URL.parse(text.trim())?.password ?? '';
  try {
    return [password, decodeURIComponent(password)].filter(Boolean);
  } catch {
    return [password];
  }
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
    const value = parsed(line);
    const redacted = redact(line);
    return value !== undefined && redacted === `${JSON.stringify(value)}\n` ? line : redacted.trimEnd();
  };
  return { ...io, out: (line) => io.out(safe(line)), err: (line) => io.err(safe(line)) };
}
