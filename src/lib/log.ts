import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * The program's logger: JSON lines, on stdout by default, with secrets redacted.
 *
 * @param secrets the program's own, redacted wherever they occur: not all of them have a recognisable shape
 */
export function createLogger(
  level: string,
  lines: DestinationStream = destination(1),
  secrets: readonly string[] = [],
): Logger {
  return pino({ level, hooks: { streamWrite: redactor(secrets) }, base: null }, lines);
}

const REDACTED = '[redacted]';

/** Field names whose values are secrets, in lower case without hyphens and underscores. */
const SECRET_FIELDS = new Set(
  (
    'token bottoken apptoken usertoken accesstoken refreshtoken apikey xapikey secret clientsecret signingsecret ' +
    'password authorization proxyauthorization cookie setcookie xslacksignature responseurl triggerid ticket'
  ).split(' '),
);

const PATTERNS = [
  // Slack tokens, rotating ones included (xoxe.xoxb-…).
  /(?:\b|(?<=%[\da-f]{2}))(?:xox[a-z](?:\.xox[a-z])?|xapp)-[\w-]+/giu,
  // Credentials of an `Authorization` header.
  /(?<=\b(?:Bearer|Basic)(?:\s|\+|%20)+)[\w.~+/=%-]+/giu,
  // URLs of incoming webhooks, workflows and responses: anyone who has one may post there.
  /(?<=hooks\.slack(?:-gov)?\.com(?::\d+)?(?:\/|%2f))[^\s"'<>|\\)\]}&]+/giu,
  // Parameters in a URL or a form; a ticket opens a Socket Mode connection.
  /(?<=(?:\b|_|%[\da-f]{2})(?:ticket|token|access_token|refresh_token|client_secret|signing_secret|secret|password|api_?key)(?:=|%3d))[^\s"'<>|\\&]+/giu,
  // User and password in a URL.
  /(?<=:\/\/)[^\s"'<>|\\/?#@]*:[^\s"'<>|\\/?#]+(?=@)/gu,
];

/** What each match of the patterns contains; most texts contain none of it. */
const SUSPICIOUS = /xox|xapp-|bearer|basic|hooks\.slack|=|%3d|:\/\//iu;

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
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length);

  const inText = (text: string): string => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
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
