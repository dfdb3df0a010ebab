import { describe, expect, it } from 'vitest';
import { type Doomed, deleteIssue } from '../../../src/bot/issues/delete.ts';
import { answerIntent } from '../../../src/bot/store/intents/thread-intents.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import { noCheckpoint } from '../../../src/lib/clock.ts';
import { crashAt } from '../../support/crash-at.ts';
import { rejected } from '../../support/fake-service.ts';
import { intent, theIssue, uuidOf } from '../../support/issues.ts';
import { tablesOf } from '../../support/tables-of.ts';
import { type Watching, watching } from '../watching/support.ts';

const issue1: Doomed = { uuid: uuidOf(1), number: 1, issueId: 'issue-1' };

function deletion(test: Watching, who = 'U1', { step = noCheckpoint, doomed = issue1 } = {}) {
  const options = {
    store: test.store,
    services: createServices({ default: test.service.client }),
    clock: test.opened.clock,
    checkpoint: step,
  };
  return deleteIssue(doomed, { who, cause: `window of ${who}` }, options);
}

/** Results, a question in its thread with its answer, and a message that it counts. */
async function lived(store: Store): Promise<void> {
  await store.results.save('issue-1', 1, '{"rootCause":{}}', 1);
  const conversation = await store.conversations.start({
    id: 'talk-1',
    channel: 'C1',
    threadTs: '1.0',
    issueId: null,
    startedBy: 'U1',
    createdAt: 1,
  });
  await store.questions.add({
    id: 'question-1',
    conversation: conversation.id,
    asker: 'U1',
    text: 'why?',
    createdAt: 1,
  });
  await store.outbox.want(
    answerIntent({ questionId: 'question-1', channel: 'C1', threadTs: '1.0', asker: 'U1' }, 1),
  );
}

describe('deleting an issue', () => {
  it('deletes it at the service, and here everything but that there was one and who deleted it', async () => {
    await using test = await watching();
    await test.investigation();
    await lived(test.store);
    const at = test.opened.clock.now();
    expect(await deletion(test)).toBe('deleted');
    expect(test.service.issues.size).toBe(0);
    expect(await theIssue(test.store)).toMatchObject({
      state: 'gone',
      isOpen: false,
      watched: false,
      number: 1,
      title: 'Deleted issue',
      request: '{}',
      lastAction: JSON.stringify({ userId: 'U1', what: 'deleted it', at }),
    });
    expect(await test.store.results.latest('issue-1')).toBeNull();
    expect(await test.store.questions.get('question-1')).toBeNull();
    expect(await test.store.conversations.byThread('C1', '1.0')).toBeNull();
    expect(await intent(test.store, 'answer:question-1')).toBeNull();
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
    expect(await test.store.audit.of('issue-1')).toEqual([{ at, who: 'U1', what: 'deleted it' }]);
  });

  it('leaves other issues and other threads alone', async () => {
    await using test = await watching();
    await test.investigation(1);
    await test.investigation(2, { identity: 'disk@production', threadTs: '2.0' });
    await lived(test.store);
    await test.store.results.save('issue-2', 1, '{}', 1);
    const other = { id: 'talk-2', channel: 'C1', threadTs: '2.0', issueId: null };
    await test.store.conversations.start({ ...other, startedBy: 'U1', createdAt: 1 });
    await deletion(test);
    expect(await test.store.results.latest('issue-2')).toEqual({ version: 1, results: {} });
    expect(await test.store.conversations.byThread('C1', '2.0')).not.toBeNull();
    expect((await theIssue(test.store, 'issue-2')).state).toBe('created');
  });

  it('that was gone at the service already deletes what is kept here, and says so on the card', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.issues.clear();
    test.service.fail('delete', { error: rejected(404, 'no such issue') });
    expect(await deletion(test)).toBe('gone');
    expect(await theIssue(test.store)).toMatchObject({ state: 'gone', request: '{}' });
  });

  it('a second time keeps who did it first', async () => {
    await using test = await watching();
    await test.investigation();
    await deletion(test, 'U1');
    test.service.fail('delete', { error: rejected(404, 'no such issue') });
    expect(await deletion(test, 'U2')).toBe('gone');
    expect((await theIssue(test.store)).lastAction).toContain('U1');
    expect(await test.store.audit.of('issue-1')).toHaveLength(1);
  });

  it.each([
    [500, 'api_error'],
    [403, 'invalid_request_error'],
    [404, null],
  ])('changes nothing here where the service answers %s (%s)', async (status, type) => {
    await using test = await watching();
    await test.investigation();
    await lived(test.store);
    test.service.fail('delete', { error: rejected(status, 'no', type) });
    await expect(deletion(test)).rejects.toThrow(`HTTP ${status}`);
    expect(await theIssue(test.store)).toMatchObject({ state: 'created', lastAction: null });
    expect(await test.store.results.latest('issue-1')).not.toBeNull();
    expect(await test.store.questions.get('question-1')).not.toBeNull();
  });
});

describe('a deletion that a crash cuts off', () => {
  const steps = ['deletion: before send', 'deletion: sent', 'deletion: recorded'];

  it.each(steps)('at “%s” is done, and its card says who did it', async (step) => {
    await using test = await watching();
    await test.investigation();
    await expect(deletion(test, 'U1', { step: crashAt(step) })).rejects.toThrow('crashed at');
    if (step === 'deletion: sent') {
      // Meanwhile the poller finds it gone, and cannot know by whom.
      test.service.fail('get', { error: rejected(404, 'no such issue') });
      await test.poller.tick();
      expect((await theIssue(test.store)).state).toBe('gone');
      test.service.fail('delete', { error: rejected(404, 'no such issue') });
    }
    expect(await deletion(test)).toBe('deleted');
    expect(test.service.issues.size).toBe(0);
    expect(await theIssue(test.store)).toMatchObject({
      state: 'gone',
      request: '{}',
      lastAction: expect.stringContaining('deleted it'),
    });
    expect((await test.store.audit.of('issue-1')).map(({ what }) => what)).toEqual(['deleted it']);
  });

  it.each(steps)('at “%s” of an issue that was filed elsewhere is kept once', async (step) => {
    await using test = await watching();
    await test.investigation();
    const doomed = { ...issue1, issueId: null };
    await expect(deletion(test, 'U1', { doomed, step: crashAt(step) })).rejects.toThrow('crashed at');
    await deletion(test, 'U1', { doomed });
    const audit = tablesOf(test.opened.file).audit;
    expect(audit).toEqual([
      expect.objectContaining({ what: 'deleted #1, which was filed elsewhere', issue_id: null }),
    ]);
  });
});
