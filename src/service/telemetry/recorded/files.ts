import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { OperatorError } from '../../../lib/io.ts';
import { parseJson } from '../../../lib/json.ts';
import type { Measure, Signal } from '../model.ts';

async function exists(folder: string, name: string): Promise<boolean> {
  return access(join(folder, name)).then(
    () => true,
    () => false,
  );
}

/**
 * One JSON document, validated.
 * @throws OperatorError that names the file and the problem.
 */
export async function readJson<T extends z.ZodType>(
  folder: string,
  name: string,
  schema: T,
): Promise<z.infer<T>> {
  const path = join(folder, name);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  });
  const json = parseJson(text);
  if (json === undefined) throw new OperatorError(`${path} is not JSON`);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new OperatorError(`${path} is not as expected: ${issueOf(parsed.error)}`);
}

/**
 * The lines of a file below `name` or `name.gz`, in batches as they are read; none if there is no such file. Batches
 * matter: a recording has a million lines.
 * @throws OperatorError that names the file.
 */
async function* readLines(folder: string, name: string): AsyncGenerator<string[]> {
  const packed = await exists(folder, `${name}.gz`);
  if (!packed && !(await exists(folder, name))) return;
  const path = join(folder, packed ? `${name}.gz` : name);
  const file = createReadStream(path);
  const stream = packed ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => stream.destroy(error));
  stream.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of stream) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
  } catch (cause) {
    throw new OperatorError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
  if (rest !== '') yield [rest];
}

/** One object per line of NDJSON, validated; invalid lines are left out and counted in `bad`. */
export async function readNdjson<T extends z.ZodType>(
  folder: string,
  name: string,
  schema: T,
  take: (row: z.infer<T>) => void,
): Promise<{ bad: number }> {
  let bad = 0;
  for await (const lines of readLines(folder, name)) {
    for (const line of lines) {
      if (line === '') continue;
      const parsed = schema.safeParse(parseJson(line));
      if (parsed.success) take(parsed.data);
      else bad++;
    }
  }
  return { bad };
}

/**
 * The rows of a CSV file by the column names in its first line; `take` gets a row's cells in the order of `columns`.
 */
export async function readCsv(
  folder: string,
  name: string,
  columns: readonly string[],
  take: (cells: readonly string[]) => void,
): Promise<void> {
  let order: number[] | null = null;
  for await (const lines of readLines(folder, name)) {
    for (const line of lines) {
      if (line === '') continue;
      const cells = cellsOf(line);
      if (order === null) {
        order = columns.map((column) => cells.indexOf(column));
        const missing = columns.filter((_, index) => order?.[index] === -1);
        if (missing.length > 0)
          throw new OperatorError(`${join(folder, name)} has no column ${missing.join(', ')}`);
      } else take(order.map((index) => cells[index] ?? ''));
    }
  }
}

function cellsOf(line: string): string[] {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (!text.includes('"')) return text.split(',');
  const cells: string[] = [];
  for (const [, quoted, plain] of text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
  }
  return cells;
}

function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'unknown' : `${issue.path.join('.') || 'the document'}: ${issue.message}`;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

interface Described {
  unit: string;
  /** The recording's description of the metric's kind. */
  kind: string;
}

interface Rule {
  measure: Measure;
  /** Words, one of which must be in the name. */
  words: RegExp;
  /** Required units, if any. */
  unit?: RegExp;
  bad: Signal['bad'];
}

/**
 * Maps words to measures, using general monitoring vocabulary. The first match wins, so specific rules precede general
 * ones: the duration of a wait is `waiting`, not `latency`.
 */
const RULES: readonly Rule[] = [
  { measure: 'certificate', words: /\b(cert|certs|certificate|tls|expiry|expires)\b/, bad: 'low' },
  { measure: 'restarts', words: /\b(restart|restarts|restarted|crash|crashes|oom|oomkilled)\b/, bad: 'high' },
  { measure: 'up', words: /\b(up|ready|available replicas|healthy|alive)\b/, bad: 'low' },
  {
    measure: 'success',
    words: /\b(availability|success|successes|successful|succeeded)\b/,
    unit: /^1$/,
    bad: 'low',
  },
  {
    measure: 'errors',
    words:
      /\b(error|errors|failure|failures|failed|fail|servfail|5xx|4xx|rejected|dropped|timeouts|exceptions)\b/,
    unit: /^1$/,
    bad: 'high',
  },
  {
    measure: 'lag',
    words: /\b(lag|age|oldest|behind|delay)\b/,
    bad: 'high',
  },
  {
    measure: 'waiting',
    words: /\b(wait|waits|waiting|waiters|acquire|blocked|pending)\b/,
    bad: 'high',
  },
  { measure: 'throttling', words: /\b(throttle|throttled|throttling)\b/, bad: 'high' },
  {
    measure: 'latency',
    words: /\b(latency|duration|elapsed|response time|rtt|took|seconds p\d+|time)\b/,
    unit: /^(m|u|n)?s$/,
    bad: 'high',
  },
  { measure: 'cache-hits', words: /\b(hit|hits)\b/, bad: 'low' },
  {
    measure: 'activity',
    words: /\b(network|receive|received|transmit|transmitted|syscall|syscalls|io|packets)\b/,
    bad: 'either',
  },
  { measure: 'cpu', words: /\bcpu\b/, bad: 'high' },
  { measure: 'memory', words: /\b(memory|heap|rss|mem)\b/, bad: 'high' },
  { measure: 'disk', words: /\b(disk|volume|filesystem|storage|inodes)\b/, bad: 'high' },
  { measure: 'queue', words: /\b(queue|queued|backlog|depth)\b/, bad: 'high' },
  { measure: 'connections', words: /\b(connections|conns|conn|pool|in use)\b/, bad: 'high' },
  {
    measure: 'requests',
    words: /\b(requests|request|calls|queries|messages|operations|rps|qps)\b/,
    unit: /\/s$/,
    bad: 'either',
  },
];

/** Things that are counted when they go wrong, in any unit. */
const PROBLEM =
  /\b(error|errors|failure|failures|failed|panic|panics|exception|exceptions|timeout|timeouts|rejected|dropped|5xx|evictions)\b/;

const UNITS: Readonly<Record<string, string>> = {
  s: 's',
  seconds: 's',
  ms: 'ms',
  ratio: '1',
  bytes: 'By',
  'bytes/s': 'By/s',
  '1/s': '{request}/s',
  cores: '{cpu}',
};

/** What a recorded metric measures, by the words in its name and its unit: never by a list of metrics. */
export function classify(metric: string, { unit, kind }: Described): Signal {
  const words = wordsOf(metric);
  const ucum = UNITS[unit.toLowerCase()] ?? '';
  const rule = RULES.find(
    (rule) => rule.words.test(words) && (rule.unit === undefined || rule.unit.test(ucum)),
  );
  const measure = rule?.measure ?? 'other';
  return {
    id: metric,
    name: metric,
    label: words,
    measure,
    unit: ucum,
    bad: rule?.bad ?? (PROBLEM.test(words) ? 'high' : 'either'),
    metricType: 'gauge',
    ...(measure === 'latency' ? { quantile: quantileOf(words) } : {}),
    ...(isShared(words, kind) ? { shared: true } : {}),
  };
}

function wordsOf(metric: string): string {
  return metric
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}

function quantileOf(words: string): number | 'mean' | null {
  if (/\b(mean|avg|average)\b/.test(words)) return 'mean';
  const digits = /\bp(\d{2,3})\b/.exec(words)?.[1];
  return digits === undefined ? null : Number(digits) / 10 ** digits.length;
}

function isShared(words: string, kind: string): boolean {
  return /^(node|host|machine)\b/.test(words) || /\b(machine|node|host)\b/i.test(kind);
}
