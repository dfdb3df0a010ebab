import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import { ISSUE, START, testService } from '../service/support.ts';
import { stoppedClock } from '../support/paced-clock.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const Detail = z.looseObject({
  uuid: z.string(),
  seeds: z.array(z.unknown()),
  versions: z.array(z.unknown()),
});
const Results = z.record(z.string(), z.unknown());
const Answer = z.looseObject({ artifacts: z.array(z.looseObject({ id: z.string() })) });

/** One answer of every kind, of a service in which an issue was investigated twice. */
export interface SampleAnswers {
  created: unknown;
  list: { data: unknown[] };
  detail: z.infer<typeof Detail>;
  byNumber: unknown;
  updated: unknown;
  results: z.infer<typeof Results>;
  artifacts: unknown[];
  answer: z.infer<typeof Answer>;
  failure: unknown;
}

/** Every optional field of a create request (contract, 2.5). */
export const FULL_ISSUE = {
  ...ISSUE,
  title: 'High error ratio at checkout',
  severity: 'high',
  triggeredAt: '2026-03-17T11:58:00.000Z',
  context: {
    alertUrl: 'https://alerts.example/7',
    service: 'checkout',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    errorType: 'PoolTimeout',
    errorMessage: 'no connection within 5 s',
    host: 'checkout-7d9f',
    region: 'eu-central-1',
    version: '3.14.1',
    tags: ['team:shop', 'tier:1'],
    metadata: { runbook: { page: 3 } },
  },
};

/** Makes the samples before the tests of a file, and answers the way to it. */
export function sampleAnswers(): () => SampleAnswers {
  const ends: (() => Promise<void>)[] = [];
  let samples: SampleAnswers | undefined;
  beforeAll(async () => {
    samples = await askForSamples((end) => ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => {
    if (!samples) throw new Error('The samples is there when the tests run, not before.');
    return samples;
  };
}

async function askForSamples(atEnd: (close: () => Promise<void>) => void): Promise<SampleAnswers> {
  const clock = stoppedClock(START);
  const service = await testService({ file: ':memory:', clock, investigationMs: 0 }, atEnd);
  const fault = { kind: 'connection_pool', service: 'payments' } as const;
  service.service().inject({ ...fault, from: START - 8 * MINUTE, to: START + 5 * MINUTE });
  const body = async (path: string) => (await service.get(path)).body;
  const ready = (issue: string) =>
    until('it is investigated', async () => Object(await body(issue)).status === 'ready_to_fix');

  const created = (await service.post('/issues', FULL_ISSUE)).body;
  const issue = `/issues/${z.looseObject({ uuid: z.string() }).parse(created).uuid}`;
  await ready(issue);
  const updated = (await service.patch(issue, { status: 'investigating' })).body;
  await ready(issue);
  await service.create();

  const results = Results.parse(await body(`${issue}/results`));
  const answer = Answer.parse((await service.post('/query', { question: 'why is payments unwell?' })).body);
  const references = JSON.stringify(results).matchAll(/"(?:documentId|artifactId)":"([^"]+)"/gu);
  const ids = [...Array.from(references, ([, id]) => id), ...answer.artifacts.map(({ id }) => id)];
  const query = [...new Set(ids)].slice(0, 100).map((id) => `id=${id}`);
  return {
    created,
    updated,
    results,
    answer,
    detail: Detail.parse(await body(issue)),
    byNumber: await body('/issues/by_number/1'),
    list: z.looseObject({ data: z.array(z.unknown()) }).parse(await body('/issues?limit=1')),
    artifacts: z.array(z.unknown()).parse(await body(`/artifacts?${query.join('&')}`)),
    failure: (await service.get('/issues?limit=0')).body,
  };
}
