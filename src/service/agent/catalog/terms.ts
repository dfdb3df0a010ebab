/** The closed classes of English, and the verbs of a question: what is left says what is asked for. */
const EMPTY = new Set(
  'most least highest lowest a an the this that these those it its they them their he she we us you i me my our your here there what which who whom whose when where why how all any every each some no not none only also just still again is are was were be been being has have had do does did can could should would will shall may might must and or but if in on at of for by to from with into over under through per as than then now right currently moment present lately please show tell give get list find see look say know want need let many much high low long big large far old go goes going come comes run runs running use uses used using take takes handle handles hold holds held make makes until within during current value number count total amount level so far let’s vs versus compared morning yesterday today tonight week since began begun begin started start roughly about already'.split(
    ' ',
  ),
);

/**
 * What exporters call what people say. A row is a word of the names of metrics (Prometheus' own conventions), not of one
 * product.
 */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  allowed: ['max', 'limit'],
  limit: ['max', 'limit'],
  maximum: ['max'],
  capacity: ['max', 'size', 'limit'],
  free: ['free', 'avail', 'available'],
  left: ['free', 'avail', 'available', 'remaining'],
  full: ['used', 'avail', 'size', 'usage'],
  space: ['used', 'avail', 'size', 'usage'],
  disk: ['disk', 'filesystem', 'volume'],
  host: ['node', 'host', 'system'],
  machine: ['node', 'host', 'system'],
  database: ['database', 'db', 'datname', 'dbname', 'schema'],
  db: ['database', 'db', 'datname', 'dbname', 'schema'],
  connections: ['connection', 'conn', 'connected', 'activity', 'session'],
  sessions: ['session', 'connection', 'activity'],
  latency: ['latency', 'duration'],
  slow: ['latency', 'duration'],
  certificate: ['cert', 'certificate', 'ssl', 'tls'],
  expires: ['expiry', 'expiration', 'expire', 'after'],
  expire: ['expiry', 'expiration', 'expire', 'after'],
  stuck: ['unacked', 'pending', 'ready', 'waiting'],
  unacknowledged: ['unacked', 'unacknowledged', 'unack'],
  waiting: ['waiting', 'ready', 'pending'],
  version: ['version', 'build', 'info'],
  uptime: ['start', 'uptime'],
  failed: ['failed', 'failures', 'errors', 'failure', 'error'],
  busiest: [],
  slowest: [],
  rate: [],
  ratio: [],
  percentage: [],
  percent: [],
  second: [],
  minute: [],
  hour: [],
  day: [],
};

/** Words as they are compared: in lower case, without the endings of number and tense. */
export function stem(word: string): string {
  const plain = word.toLowerCase();
  if (plain.length <= 3 || /ss$|us$|is$/u.test(plain)) return plain;
  const singular = plain
    .replace(/ies$/u, 'y')
    .replace(/(?<=sh|ch|x|ss)es$/u, '')
    .replace(/s$/u, '');
  return singular.length > 5 ? singular.replace(/(?:ed|ing)$/u, '') : singular;
}

/** `go_memstats_heap_inuse_bytes`, `nodeLoad1`: their words. */
export function wordsOfName(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(stem);
}

export interface Term {
  /** As it stands in the question. */
  word: string;
  /** What it may be called in a name or a description, stemmed; none for what only says how it is counted. */
  called: readonly string[];
}

/** What a question asks for, word by word. */
export function termsOf(question: string): Term[] {
  // *The most* ranks, *at most* limits.
  const words =
    question
      .toLowerCase()
      .replaceAll(/\bat most\b/gu, 'maximum')
      .match(/[\p{L}\p{N}_:./-]*[\p{L}\p{N}]/gu) ?? [];
  const asked = words.filter((word) => !EMPTY.has(word) && !/^\d+$/u.test(word));
  return [...new Set(asked)].map((word) => ({ word, called: calledOf(word) }));
}

const PERCENTILE = /^p\d\d(?:\.\d)?$/u;

function calledOf(word: string): string[] {
  const found = CALLED[word] ?? CALLED[stem(word)] ?? (PERCENTILE.test(word) ? CALLED.latency : undefined);
  if (found?.length === 0) return [];
  return [...new Set([...wordsOfName(word), stem(word), ...(found ?? []).map(stem)])];
}
