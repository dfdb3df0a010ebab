import { execFile } from 'node:child_process';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import type { Budget } from './budget.ts';
import { anyCase, createLogSource, FAILURE_WORDS, type LogQuery, lineOf } from './logs.ts';
import { known, type LogLine, mapped, type Reading, unknown } from './model.ts';
import { type OpenSource, oncePerBudget } from './source.ts';

/** Runs journalctl with these arguments; rejects with Node's error if it is not there, or fails. */
export type Journalctl = (args: readonly string[], signal: AbortSignal) => Promise<string>;

const FIELD = '_SYSTEMD_UNIT';
const LONGEST_LINE = 8_000;
/** journalctl gives the newest so many of a window; more are only sampled. */
const MOST_COUNTED = 5_001;
const MOST_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 20_000;
const LEVELS = ['critical', 'critical', 'critical', 'error', 'warn', 'info', 'info', 'debug'];

const journalctl: Journalctl = (args, signal) =>
  new Promise((resolve, reject) => {
    const options = { signal, timeout: PATIENCE_MS, maxBuffer: MOST_BYTES, encoding: 'utf8' } as const;
    execFile('journalctl', [...args, '--no-pager', '--quiet'], options, (error, stdout, stderr) => {
      // Where no line matches it ends with 1, and without a word.
      if (error === null || (error.code === 1 && stderr === '')) resolve(stdout);
      else reject(error);
    });
  });

const Entry = z.looseObject({
  __REALTIME_TIMESTAMP: z.string(),
  [FIELD]: z.string(),
  // What is no text is an array of bytes, what is too long is null.
  MESSAGE: z.union([z.string(), z.array(z.number())]).nullable(),
  PRIORITY: z.string().optional(),
  _PID: z.string().optional(),
});

/** Log lines of this machine's units from journald, without a log store: `payments.service` is the service `payments`. */
export function createJournaldSource({
  clock,
  run = journalctl,
}: {
  clock: Clock;
  run?: Journalctl;
}): OpenSource {
  const ask = async (args: readonly string[], budget: Budget): Promise<Reading<string>> => {
    const request = budget.takeRequest();
    if (!request.granted) return unknown(request.reason);
    try {
      return known(await run(args, budget.signal));
    } catch (error) {
      return unknown(reasonOf(error));
    }
  };
  /** Units by the services that they are. */
  const units = oncePerBudget(async (_, budget): Promise<Reading<Map<string, string[]>>> => {
    const reading = await ask([`--field=${FIELD}`], budget);
    return mapped(reading, (text) =>
      Map.groupBy(
        text.split('\n').filter((unit) => unit.endsWith('.service')),
        serviceOf,
      ),
    );
  });
  const matching = oncePerBudget(async (key, budget): Promise<Reading<LogLine[]>> => {
    const { service, from, to, failuresOnly, text, limit } = Query.parse(JSON.parse(key));
    const named = await units('', budget);
    if (!named.known) return named;
    const wanted = service === null ? [] : (named.value.get(service) ?? []);
    const args = [
      '--output=json',
      `--output-fields=MESSAGE,PRIORITY,_PID,${FIELD}`,
      `--since=@${Math.floor(from / 1000)}`,
      `--until=@${Math.ceil(to / 1000)}`,
      `--lines=${limit}`,
      ...(text === undefined ? [] : [`--grep=${anyCase(text)}`]),
      ...(failuresOnly ? [`--grep=${FAILURE_WORDS.join('|')}`, '--case-sensitive=false'] : []),
      ...wanted.map((unit) => `--unit=${unit}`),
    ];
    return mapped(await ask(args, budget), linesIn);
  });
  const query = ({ service, window: { from, to }, failuresOnly, text }: LogQuery, limit: number) =>
    JSON.stringify({ service, from, to, failuresOnly, text, limit });

  const source = createLogSource('journald', {
    name: 'journald',
    http: { base: 'this machine', close: async () => undefined },
    clock,
    services: async (_, budget) =>
      mapped(await units('', budget), (found) => ({ field: FIELD, services: [...found.keys()] })),
    count: async (of, budget) =>
      mapped(await matching(query(of, MOST_COUNTED), budget), ({ length }) => length),
    read: async (of, budget) => matching(query(of, of.limit), budget),
  });
  return {
    ...source,
    check: async (budget) => {
      const reading = await units('', budget);
      const count = reading.known ? reading.value.size : 0;
      const summary = !reading.known
        ? reading.reason
        : count === 0
          ? 'The journal shows no services: let the user that Gumshoe runs as read it (the group systemd-journal).'
          : `The journal of this machine is read: ${count} services.`;
      return { name: source.name, ok: count > 0, summary, details: [] };
    },
  };
}

const Query = z.object({
  service: z.string().nullable(),
  from: z.number(),
  to: z.number(),
  failuresOnly: z.boolean(),
  text: z.string().optional(),
  limit: z.number(),
});

/** `payments.service` → `payments`, `worker@3.service` → `worker`. */
function serviceOf(unit: string): string {
  return unit.replace(/(?:@.*)?\.service$/u, '');
}

function linesIn(text: string): LogLine[] {
  return text.split('\n').flatMap((line) => {
    const entry = Entry.safeParse(parseJson(line)).data;
    if (entry === undefined || entry.MESSAGE === null) return [];
    const { __REALTIME_TIMESTAMP: at, MESSAGE: message, PRIORITY: priority, _PID: pid } = entry;
    const words = typeof message === 'string' ? message : Buffer.from(message).toString('utf8');
    const service = serviceOf(entry[FIELD]);
    const level = LEVELS[Number(priority ?? Number.NaN)];
    const fields = { [FIELD]: service, ...(pid && { instance: pid }), ...(level && { level }) };
    return lineOf(Math.floor(Number(at) / 1000), words.slice(0, LONGEST_LINE), fields, {
      field: FIELD,
      service,
    });
  });
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'it failed';
  return code === 'ENOENT'
    ? 'JOURNALD is set, and there is no journalctl here: it works where Gumshoe runs on the machine itself. In a container use LOG_FILES, or a log store.'
    : `journalctl could not read the journal (${code}): let the user that Gumshoe runs as read it (the group systemd-journal).`;
}
