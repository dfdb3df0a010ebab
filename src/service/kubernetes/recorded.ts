import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { OperatorError } from '../../lib/io.ts';
import { parseJson } from '../../lib/json.ts';
import { type Alert, addObject, isKind, noObjects, type Snapshot } from './cluster.ts';
import type { Kind } from './model.ts';

const FILE = 'cases.ndjson.gz';

const Times = z.object({
  time_range: z.string().default('').catch(''),
  evidence: z.array(z.string().catch('')).default([]).catch([]),
});
const Reported = z.union([
  Times.extend({ type: z.enum(['Service', 'Node']), name: z.string() }),
  z.object({
    request_method: z.string(),
    url: z.string().default('').catch(''),
    entry_service: z.string().default('').catch(''),
    raw_error: z.string().default('').catch(''),
    occurrences: z.number().default(1).catch(1),
  }),
]);
const Case = z.object({
  id: z.string(),
  at: z.iso.datetime({ offset: true }),
  query: z.string().default(''),
  alerts: z
    .object({ alerts: z.array(z.unknown()).default([]) })
    .default({ alerts: [] })
    .catch({ alerts: [] }),
  objects: z.array(z.looseObject({ kind: z.unknown() })),
  logs: z.record(z.string(), z.array(z.string())).default({}).catch({}),
  metrics: z
    .object({
      start: z.iso.datetime({ offset: true }),
      offsets: z.array(z.number()),
      series: z.record(z.string(), z.record(z.string(), z.array(z.number().nullable()))),
    })
    .nullish()
    .catch(null),
});

export interface RecordedCluster {
  id: string;
  /** The alert as a person got it. */
  query: string;
  snapshot: Snapshot;
}

/**
 * The recorded clusters of a folder, one after the other: `cases.ndjson.gz` has a case a line.
 * @throws OperatorError that names the file, and the line, which cannot be read.
 */
export async function* readClusters(folder: string): AsyncGenerator<RecordedCluster> {
  const path = join(folder, FILE);
  const file = createReadStream(path);
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  let line = 0;
  try {
    for await (const text of createInterface({ input: file.pipe(unpacked) })) {
      line++;
      if (text.trim() !== '') yield snapshotIn(text, `${path}, line ${line}`);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${path} cannot be read (${error instanceof Error ? error.message : String(error)}): it holds recorded clusters, one JSON object a line, packed with gzip.`,
    );
  }
}

function snapshotIn(text: string, where: string): RecordedCluster {
  const json = parseJson(text);
  if (json === undefined) throw new OperatorError(`${where} is no JSON.`);
  const parsed = Case.safeParse(json);
  if (!parsed.success)
    throw new OperatorError(
      `${where} is no recorded cluster: ${z.prettifyError(parsed.error).slice(0, 300).replaceAll('\n', ' ')}`,
    );
  const { id, at, query, alerts, objects: raw, logs, metrics } = parsed.data;
  const objects = noObjects();
  const read = new Set<Kind>();
  for (const one of raw) {
    if (!isKind(one.kind)) continue;
    // A kind of which there is nothing may not have been listed.
    read.add(one.kind);
    addObject(objects, one.kind, one);
  }
  return {
    id,
    query,
    snapshot: {
      at: Date.parse(at),
      objects,
      read,
      logs: new Map(Object.entries(logs)),
      metrics: metrics
        ? {
            times: metrics.offsets.map((offset) => Date.parse(metrics.start) + offset * 1000),
            series: new Map(Object.entries(metrics.series)),
          }
        : null,
      alerts: alerts.alerts.flatMap(alertIn),
    },
  };
}

function alertIn(raw: unknown): Alert[] {
  const parsed = Reported.safeParse(raw);
  if (!parsed.success) return [];
  if ('request_method' in parsed.data) {
    const { request_method, url, entry_service, raw_error, occurrences } = parsed.data;
    return [
      {
        kind: 'request',
        method: request_method,
        url,
        service: entry_service,
        error: raw_error,
        count: occurrences,
      },
    ];
  }
  const { type, name, time_range, evidence } = parsed.data;
  const [from = null, to = null] = time_range.split(' ~ ').map(recordedTime);
  return [{ kind: type === 'Node' ? 'node' : 'app', name, from, to, evidence: evidence.join(' | ') }];
}

/** `2025-12-26 12:23:21` was written eight hours east of UTC. */
function recordedTime(written: string): number | null {
  const at = Date.parse(`${written.trim().replace(' ', 'T')}+08:00`);
  return Number.isNaN(at) ? null : at;
}
