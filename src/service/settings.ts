/** What `npm run service` reads from its environment. */
export interface ServiceSettings {
  port: number;
  /** API key → organisation. */
  keys: Record<string, string>;
  file: string;
  /** The development key, where no keys are set: it may be shown. */
  developmentKey: string | null;
}

type Parsed<T> = { value: T } | { problem: string };

const DEVELOPMENT_KEY = 'development-key';
const DEFAULT_FILE = './data/service.db';

/** Reads the settings, or says in one line per variable what is wrong. A key is never part of a line. */
export function readServiceSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { settings: ServiceSettings } | { problems: string[] } {
  const port = readPort(environment.PORT?.trim());
  const keys = readKeys(environment.SERVICE_API_KEYS?.trim());
  const file = readFile(environment.DATABASE_URL?.trim());
  if ('problem' in port || 'problem' in keys || 'problem' in file) {
    return { problems: [port, keys, file].flatMap((part) => ('problem' in part ? [part.problem] : [])) };
  }
  return { settings: { port: port.value, file: file.value, ...keys.value } };
}

function readPort(text: string | undefined): Parsed<number> {
  if (!text) return { value: 4010 };
  if (/^\d{1,5}$/u.test(text) && Number(text) <= 65_535) return { value: Number(text) };
  return { problem: `PORT must be a number from 0 to 65535, such as PORT=4010 (got "${text}")` };
}

function readKeys(text: string | undefined): Parsed<Pick<ServiceSettings, 'keys' | 'developmentKey'>> {
  if (!text) {
    return { value: { keys: { [DEVELOPMENT_KEY]: 'development' }, developmentKey: DEVELOPMENT_KEY } };
  }
  const pairs = text.split(',').map((pair) => /^([^\s:]+):([^\s:]+)$/u.exec(pair.trim()));
  const keys = new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
  const wrong = pairs.indexOf(null);
  if (wrong >= 0) {
    return {
      problem: `SERVICE_API_KEYS must be comma-separated key:organisation pairs, such as k1:acme,k2:globex (pair ${wrong + 1} is malformed)`,
    };
  }
  if (keys.size < pairs.length) {
    return {
      problem: 'SERVICE_API_KEYS lists the same key twice; a key belongs to exactly one organisation',
    };
  }
  return { value: { keys: Object.fromEntries(keys), developmentKey: null } };
}

function readFile(text: string | undefined): Parsed<string> {
  if (!text) return { value: DEFAULT_FILE };
  if (/^postgres(ql)?:/iu.test(text)) {
    return {
      problem: `DATABASE_URL points to PostgreSQL, which the service does not support; use SQLite, such as sqlite:${DEFAULT_FILE}`,
    };
  }
  const file = /^sqlite:(.+)$/iu.exec(text)?.[1];
  if (file) return { value: file };
  return { problem: `DATABASE_URL must point to a SQLite file, such as sqlite:${DEFAULT_FILE}` };
}
