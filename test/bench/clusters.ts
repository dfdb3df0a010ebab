import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { clusterVerdicts } from '../../src/tools/rca.ts';
import { grid } from './measure.ts';

/** `answers.json` of recorded clusters, which the checks never read. */
const Answers = z.record(z.string(), z.object({ object: z.string(), cause: z.string() }));

interface Judged {
  cause: string;
  isObject: boolean;
  isThird: boolean;
  isBoth: boolean;
  confidence: number;
  ms: number;
}

/** Judges the recorded clusters of a folder, and scores the verdicts by kind of fault. */
export async function benchClusters(folder: string): Promise<string> {
  const answers = Answers.parse(JSON.parse(await readFile(join(folder, 'answers.json'), 'utf8')));
  const all: Judged[] = [];
  for await (const { case: id, ranking, ms } of clusterVerdicts(folder)) {
    const answer = answers[id];
    const [best] = ranking;
    if (answer === undefined) continue;
    const isObject = best?.object === answer.object;
    all.push({
      cause: answer.cause,
      isObject,
      isThird: ranking.slice(0, 3).some(({ object }) => object === answer.object),
      isBoth: isObject && best?.cause === answer.cause,
      confidence: best?.confidence ?? 0,
      ms,
    });
  }
  const share = (some: readonly Judged[], is: (one: Judged) => boolean) =>
    (some.filter(is).length / some.length).toFixed(3);
  const row = (name: string, some: readonly Judged[]) => [
    name,
    String(some.length),
    share(some, ({ isObject }) => isObject),
    share(some, ({ isThird }) => isThird),
    share(some, ({ isBoth }) => isBoth),
  ];
  const kinds = [...Map.groupBy(all, ({ cause }) => cause)].toSorted(([a], [b]) => a.localeCompare(b));
  const buckets = Map.groupBy(all, ({ confidence }) => Math.min(4, Math.floor(confidence * 5)));
  const times = all.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return [
    grid([
      ['kind', 'cases', 'object', 'object@3', 'both'],
      ...kinds.map(([cause, some]) => row(cause, some)),
      row('all', all),
    ]),
    '',
    grid([
      ['confidence', 'said', 'right'],
      ...[...buckets]
        .toSorted(([a], [b]) => a - b)
        .map(([i, some]) => [
          `${(i / 5).toFixed(1)} to ${((i + 1) / 5).toFixed(1)}`,
          String(some.length),
          share(some, ({ isBoth }) => isBoth),
        ]),
    ]),
    '',
    `ms for a verdict: ${times[times.length >> 1]} in the middle, ${times[Math.floor(times.length * 0.95)]} at the 95th percentile`,
  ].join('\n');
}
