import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createServiceClient } from '../../../src/contract/client/client.ts';
import type { DropReport } from '../../../src/contract/client/http.ts';
import { startSimulatedService } from '../../../src/demo/simulated-service.ts';
import { fastClock } from '../../support/paced-clock.ts';
import { all, errorOf } from './harness.ts';

test('an issue at the embedded service, from its creation to its deletion', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gumshoe-client-'));
  const service = await startSimulatedService({
    file: join(folder, 'service.db'),
    keys: { k: 'o' },
  });
  const drops: DropReport[] = [];
  const client = createServiceClient({
    url: service.url,
    apiKey: 'k',
    version: '2026-03-17',
    clock: fastClock(1),
    onDropped: (drop) => drops.push(drop),
  });
  try {
    const { uuid, number } = await client.issues.create({
      title: 'Checkout is slow',
      description: 'p95 above 2 s (gumshoe-1)',
      environment: 'production',
      context: { service: 'checkout' },
    });
    await expect.poll(async () => (await client.issues.get(uuid)).status).toBe('ready_to_fix');
    expect((await all(client.issues.list({ search: 'GUMSHOE-1' }))).map((issue) => issue.uuid)).toEqual([
      uuid,
    ]);

    const { rootCause } = await client.issues.results(uuid, { version: 1 });
    const evidence = [...(rootCause?.relevantEvidence ?? []), ...(rootCause?.irrelevantEvidence ?? [])];
    const ids = evidence.flatMap(({ artifacts = [] }) =>
      artifacts.flatMap(({ documentId }) => documentId ?? []),
    );
    expect((await client.artifacts.get(ids)).map(({ id }) => id)).toEqual([...new Set(ids)]);

    const events = await all(client.query.stream({ question: `What was #${number}?` }));
    const done = events.at(-1);
    const joined = events.map((event) => (event.kind === 'delta' ? event.text : '')).join('');
    expect(done).toMatchObject({ kind: 'done', complete: true, text: joined, response: { answer: joined } });

    expect((await client.issues.update(uuid, 'resolved')).status).toBe('resolved');
    await client.issues.delete(uuid);
    expect(await errorOf(client.issues.byNumber(number))).toMatchObject({
      name: 'RejectedError',
      status: 404,
    });
    expect(drops).toEqual([]);
  } finally {
    await client.close();
    await service.close();
    await rm(folder, { recursive: true });
  }
});
