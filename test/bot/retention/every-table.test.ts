import { expect, it } from 'vitest';
import type { Aggregates } from '../../../src/bot/store/open.ts';
import type { Tables } from '../../../src/bot/store/tables.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { DAY, seeder } from '../store/sweep/seeding.ts';

type Part = keyof Aggregates['sweep'];

/** Every table: with which part of the sweep its rows go, or why they stay. A new table needs a line here. */
const TABLES: Readonly<Record<keyof Tables, Part | { kept: string }>> = {
  inbox: 'inbox',
  webhooks: 'webhooks',
  receivedAlerts: 'receivedAlerts',
  senderMessages: 'senderMessages',
  outbox: 'outbox',
  alerts: 'alerts',
  issues: 'issues',
  results: 'issues',
  checklistSteps: 'issues',
  notes: 'issues',
  verdicts: 'issues',
  tickets: 'issues',
  votes: 'issues',
  artifacts: 'issues',
  progress: 'issues',
  conversations: 'conversations',
  questions: 'conversations',
  holds: 'holds',
  files: 'files',
  changes: 'changes',
  acts: 'acts',
  sessions: 'sessions',
  channels: { kept: 'what people set for a channel, one row each' },
  digests: { kept: 'what people set for a channel, one row each' },
  identityOverrides: { kept: 'what people said of alerts that may come again: hashes, and names of fields' },
  flags: { kept: 'one row for each name' },
  blockers: { kept: 'goes once it is mended' },
  tombstones: { kept: 'goes once the service no longer has the issue' },
  silences: { kept: 'goes when the silence ends' },
  audit: { kept: 'who did what outlives what it was done to' },
  replicas: { kept: 'goes when the replica does' },
  leases: { kept: 'one row for each kind of work' },
  allowances: { kept: 'one row for each person and limit' },
};

it('what is old goes from every table, or stays for a reason', async () => {
  await using opened = await openTestStore();
  const old = opened.clock.now() - 91 * DAY;
  const seed = seeder(opened, old);
  await seed.issue('over');
  await seed.everythingAbout('over', old);
  await seed.add('notes', { issueId: 'over', number: 1, who: 'U1', text: 'n', at: old, cause: 'c' });
  await seed.add('tickets', {
    issueId: 'over',
    state: 'made',
    wantedBy: 'U1',
    wantedAt: old,
    said: 'open',
    saidRepeats: 0,
    quietUntil: old,
    attempts: 0,
    nextAt: old,
  });
  await seed.add('progress', { issueId: 'over', found: '{}' });
  await seed.add('verdicts', {
    ...{ issueId: 'over', version: 1, channel: 'C1', at: old, confidence: 'high', shown: 'high' },
  });
  await seed.alert('ignored');
  await seed.conversation('about nothing', { threadTs: '1.1' });
  await seed.question('about nothing');
  await seed.message('announced');
  await seed.add('holds', {
    id: 'h',
    channel: 'C1',
    reason: 'storm',
    state: 'closed',
    createdAt: old,
    lastAt: old,
  });
  await seed.add('files', { key: 'f', state: 'ready', nextAt: old, createdAt: old });
  for (const [key, at] of [
    ['old', old],
    ['newest', opened.clock.now()],
  ] as const) {
    await seed.add('inbox', { key, body: '', receivedAt: at, state: 'done' });
  }
  await seed.add('changes', { cause: 'c', version: 1, at: old });
  await seed.add('acts', { subject: 's', receivedAt: old, who: 'U1', what: 'w' });
  await seed.add('sessions', { channel: 'C1', threadTs: '1.1', status: 'active', notifiedAt: old });
  await seed.add('webhooks', {
    ...{ id: 'w', source: 'grafana', digest: 'd', body: '', headers: '{}' },
    ...{ receivedAt: old, attempts: 0, nextAt: old, state: 'done' },
  });
  await seed.add('receivedAlerts', {
    ...{ id: 'w:0', source: 'grafana', tool: 'Grafana', reading: '{}', state: 'decided' },
    ...{ receivedAt: old, nextAt: old, attempts: 0 },
  });
  await seed.add('senderMessages', {
    channel: 'C1',
    ts: '1.1',
    sender: 'C1 tool',
    observation: '{}',
    at: old,
  });
  const swept = Object.entries(TABLES).flatMap(([table, part]) => (typeof part === 'string' ? table : []));
  const rows = async () => {
    const counts: Record<string, number> = {};
    for (const table of swept) counts[table] = (await seed.ids(table as keyof Tables, '1')).length;
    return counts;
  };
  expect(Object.entries(await rows()).filter(([, count]) => count === 0)).toEqual([]);

  const ages = { over: opened.clock.now() - 90 * DAY, spent: opened.clock.now() - 14 * DAY };
  for (const part of Object.values(TABLES)) {
    if (typeof part !== 'string') continue;
    for (let went = 1; went > 0; ) went = await opened.store.transaction((tx) => tx.sweep[part](ages, 200));
  }
  const left = Object.entries(await rows()).filter(([, count]) => count > 0);
  // The newest delivery says when Slack last delivered.
  expect(left).toEqual([['inbox', 1]]);
});
