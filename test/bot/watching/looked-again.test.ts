import { expect, it } from 'vitest';
import type { InvestigationResults } from '../../../src/contract/answers.ts';
import { uuidOf } from '../../support/issues.ts';
import { type Watching, watching } from './support.ts';

const found = (title: string, at: string): InvestigationResults => ({
  rootCause: { rootCauseSummary: `${title}: it began at ${at}.` },
  causalTreeV2: { nodes: [{ id: 'x', nodeType: 'cause', title }] },
});

async function looked(test: Watching, version: number, results: InvestigationResults): Promise<void> {
  test.service.results.set(uuidOf(1), results);
  test.elsewhere(1, { status: 'ready_to_fix', latestVersion: version });
  await test.opened.clock.sleep(60_000);
  await test.poller.tick();
}

it('a later look that finds the same is a line for whom asked, nothing for nobody, and no second post', async () => {
  await using test = await watching();
  const { store, opened } = test;
  await test.investigation(1);
  await looked(test, 1, found('Pool of ledger', '10:00'));
  await store.outbox.delivered('result:issue-1:1', 1);
  await looked(test, 2, found('Pool of ledger', '10:20'));
  expect((await store.outbox.get('result:issue-1:1'))?.state).toBe('due');
  const at = opened.clock.now() + 1;
  await store.audit.add({ at, who: 'U1', what: 'had it investigated again', issueId: 'issue-1' });
  await looked(test, 3, found('Pool of ledger', '10:40'));
  await looked(test, 4, found('Disk of ledger', '11:00'));
  expect(await test.said()).toEqual([
    'result:issue-1:1 {"version":1,"notice":"result"}',
    'result:issue-1:2 {"version":2,"notice":"result","isSaid":true,"isAsBefore":true}',
    'result:issue-1:3 {"version":3,"notice":"result","isAsBefore":true}',
    'result:issue-1:4 {"version":4,"notice":"result"}',
  ]);
});

it('where the message of the first look is gone, the later one is posted whole', async () => {
  await using test = await watching();
  await test.investigation(1);
  await looked(test, 1, found('Pool of ledger', '10:00'));
  await test.store.outbox.dead('result:issue-1:1', 'message_not_found');
  await looked(test, 2, found('Pool of ledger', '10:20'));
  expect(await test.said()).toContain('result:issue-1:2 {"version":2,"notice":"result"}');
});
