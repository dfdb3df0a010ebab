import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { START, type TestService, temporaryFolder, testService } from '../service/support.ts';
import { stoppedClock } from '../support/paced-clock.ts';
import { numbers } from './paging.ts';
import { serviceClient } from './service-client.ts';

const Kept = z.array(z.object({ id: z.string() }));

/** Ids of all artifacts that the results of an issue refer to. */
async function references(service: TestService, uuid: string): Promise<string> {
  const results = JSON.stringify((await service.get(`/issues/${uuid}/results`)).body);
  const ids = new Set(Array.from(results.matchAll(/"documentId":"([^"]+)"/gu), ([, id]) => `id=${id}`));
  return [...ids].slice(0, 100).join('&');
}

describe('4.7 delete issue', () => {
  it('answers 204 without a body, once', async () => {
    const { create, call, get } = await testService();
    const { uuid } = await create();
    const answer = await call('DELETE', `/issues/${uuid}`);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await call('DELETE', `/issues/${uuid}`)).status).toBe(404);
    expect((await get(`/issues/${uuid}`)).status).toBe(404);
    expect((await get(`/issues/${uuid}/results`)).status).toBe(404);
    expect((await get('/issues/by_number/1')).status).toBe(404);
  });

  it('removes everything: lists, searches, results of every version, artifacts; and nothing else', async () => {
    const clock = stoppedClock(START);
    const service = await testService({ clock, investigationMs: 0 });
    const client = await serviceClient(service);
    const fault = { kind: 'connection_pool', service: 'payments' } as const;
    service.service().inject({ ...fault, from: START - 480_000, to: START + 300_000 });
    const ready = (uuid: string) =>
      expect.poll(async () => (await client.issues.get(uuid)).status).toBe('ready_to_fix');
    const issue = { title: 'Errors at payments', context: { service: 'payments' } };
    const gone = await service.create(issue);
    const kept = await service.create(issue);
    await ready(gone.uuid);
    await ready(kept.uuid);
    const first = await references(service, gone.uuid);
    await client.issues.update(gone.uuid, 'investigating');
    await ready(gone.uuid);
    const second = await references(service, gone.uuid);
    const others = await references(service, kept.uuid);
    expect(first).not.toBe(second);

    await client.issues.delete(gone.uuid);

    expect((await service.get(`/artifacts?${first}`)).body).toEqual([]);
    expect((await service.get(`/artifacts?${second}`)).body).toEqual([]);
    expect((await service.get(`/issues/${gone.uuid}/results?version=1`)).status).toBe(404);
    expect(await numbers(service, '')).toEqual([2]);
    expect(await numbers(service, 'search=payments')).toEqual([2]);
    expect(await numbers(service, 'search=pa')).toEqual([2]);
    const artifacts = Kept.parse((await service.get(`/artifacts?${others}`)).body);
    expect(artifacts.map(({ id }) => `id=${id}`).join('&')).toBe(others);
  });

  it('makes the agent forget the issue, in a conversation that was about it too', async () => {
    const service = await testService({ investigationMs: 0 });
    const client = await serviceClient(service);
    const { uuid } = await service.create({ title: 'Zebra crossing on fire' });
    const first = await client.query.ask({ question: 'what was #1?' });
    expect(first.answer).toContain('Zebra crossing');
    await client.issues.delete(uuid);
    for (const question of ['what was #1?', 'and now?', 'what should I do?', 'what is open?']) {
      const { conversation_id = '' } = first;
      const next = await client.query.ask({ question, conversation_id });
      expect(next.answer).not.toContain('Zebra');
    }
  });

  it('leaves nothing of the issue in the file, and no other turn is lost', async () => {
    const file = join(temporaryFolder(), 'service.db');
    const service = await testService({ file, investigationMs: 0 });
    const client = await serviceClient(service);
    const { uuid } = await service.create({
      title: 'Zebra crossing',
      description: 'Zebra',
      context: { host: 'Zebra' },
    });
    for (let number = 2; number <= 11; number++) await service.create({ title: `Issue ${number}` });
    const ask = async (...questions: string[]) => {
      let conversation_id: string | undefined;
      for (const question of questions) {
        ({ conversation_id } = await client.query.ask({
          question,
          ...(conversation_id && { conversation_id }),
        }));
      }
    };
    await ask('why is payments unwell?', 'Issue #1: Zebra crossing\n\nwhat happened?', 'what should I do?');
    await ask('tell me of issue 1', 'and #11?');
    await ask('what was #11?', 'and what about #10?');
    await client.issues.delete(uuid);
    await service.close();

    const db = new Database(file, { readonly: true });
    const kept = ['issues', 'seeds', 'versions', 'artifacts', 'turns'].flatMap((table) =>
      db.prepare(`SELECT * FROM ${table}`).all(),
    );
    const questions = db.prepare('SELECT question FROM turns ORDER BY askedAt, question').pluck().all();
    db.close();
    expect(kept.filter((row) => /zebra/iu.test(JSON.stringify(row)))).toEqual([]);
    expect(questions).toEqual(['and what about #10?', 'what was #11?', 'why is payments unwell?']);
  });

  it('is not disturbed by an investigation that still runs', async () => {
    const logged: string[] = [];
    const log = {
      warn: () => undefined,
      error: (_: Record<string, unknown>, message: string) => logged.push(message),
    };
    const service = await testService({ investigationMs: 0, log });
    const deleted = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { uuid } = await service.create();
        return (await service.call('DELETE', `/issues/${uuid}`)).status;
      }),
    );
    expect(deleted).toEqual([204, 204, 204, 204, 204]);
    await service.close();
    expect(logged).toEqual([]);
  });
});
