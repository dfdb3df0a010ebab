import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import { rejected } from '../../../../support/fake-service.ts';
import { addCreated, newIssue, theIssue } from '../../../../support/issues.ts';
import { listening, responseAddress } from '../../support/listening.ts';

/** A button of a message as Slack says that it was pressed. */
function press(name: keyof typeof actionIds, value: unknown = 'issue-1', more: Record<string, unknown> = {}) {
  return {
    type: 'block_actions',
    team: { id: 'T1', domain: 'acme' },
    user: { id: 'U1', name: 'alice' },
    channel: { id: 'C1', name: 'alerts' },
    trigger_id: '1.2.3',
    response_url: 'http://127.0.0.1:9/expired',
    actions: [{ type: 'button', action_id: actionIds[name], block_id: 'b', value, action_ts: '1.0' }],
    ...more,
  };
}

const names = ['resolve', 'mute', 'reopen', 'ask', 'retry'] as const;

describe.each(names)('the button “%s”', (name) => {
  it.each([['of-another-time'], [undefined], [7]])(
    'with the value %o says that it knows no such issue',
    async (value) => {
      const l = await listening();
      const { url, said } = await responseAddress();
      await l.give(press(name, value, { response_url: url }));
      expect(said.map(({ text }) => text)).toEqual([expect.stringMatching(/^I no longer have this issue/)]);
    },
  );

  it('answers in the thread that it stands in', async () => {
    const l = await listening();
    const { url, bodies } = await responseAddress();
    const message = { type: 'message', ts: '5.0', thread_ts: '1.0', text: '' };
    await l.give(press(name, 'unknown', { response_url: url, message }));
    expect(bodies).toMatchObject([{ thread_ts: '1.0', response_type: 'ephemeral' }]);
    await l.give(
      press(name, 'unknown', { response_url: url, message: { ...message, thread_ts: undefined } }),
    );
    expect(bodies[1]).not.toHaveProperty('thread_ts');
  });

  it('that comes again when its response address has expired is no failure', async () => {
    const l = await listening();
    await l.give(press(name, 'unknown'));
    expect(l.acks).toEqual([null]);
  });
});

describe('Ask', () => {
  it('starts one conversation in the issue’s thread and says so once, however often it is pressed', async () => {
    const l = await listening();
    await addCreated(l.store, l.clock.now(), { threadTs: '1.0' });
    await l.give(press('ask'));
    await l.give(press('ask', 'issue-1', { user: { id: 'U2', name: 'bob' } }));
    const conversation = await l.store.conversations.byThread('C1', '1.0');
    expect(conversation).toMatchObject({ issueId: 'issue-1', startedBy: 'U1' });
    expect(await l.store.outbox.get(`notice:ask:${conversation?.id}`)).toMatchObject({
      kind: 'notice',
      wanted: 1,
      payload: '{"notice":"ask_here"}',
    });
    expect(await l.store.outbox.countDue()).toBe(1);
  });

  it('says so once more after somebody had us listen no more', async () => {
    const l = await listening();
    await addCreated(l.store, l.clock.now(), { threadTs: '1.0' });
    await l.give(press('ask'));
    const { id = '' } = (await l.store.conversations.byThread('C1', '1.0')) ?? {};
    await l.store.conversations.listen(id, false, 0);
    const pressedAgain = press('ask', 'issue-1', { trigger_id: '4.5.6' });
    await l.give(pressedAgain);
    await l.give(pressedAgain);
    expect(await l.store.conversations.byThread('C1', '1.0')).toMatchObject({ listening: true });
    expect(await l.store.outbox.get(`notice:ask:${id}:4.5.6`)).toMatchObject({ kind: 'notice', wanted: 1 });
    expect(await l.store.outbox.countDue()).toBe(2);
  });

  it('on a card that has no thread yet does nothing', async () => {
    const l = await listening();
    await l.store.issues.add(newIssue({ threadTs: null }));
    await l.give(press('ask'));
    expect(await l.store.outbox.countDue()).toBe(0);
  });
});

describe('Try again', () => {
  it('files an issue that failed anew, and says who did it', async () => {
    const l = await listening();
    await l.store.issues.add(newIssue());
    await l.store.issues.rewrite('issue-1', { state: 'failed', isOpen: false, failure: 'No.', attempts: 9 });
    await l.give(press('retry'));
    expect(await theIssue(l.store)).toMatchObject({
      state: 'pending',
      isOpen: true,
      failure: null,
      attempts: 0,
      lastAction: JSON.stringify({ userId: 'U1', what: 'tried again', at: l.clock.now() }),
    });
    expect(l.woken).toEqual(['filed', 'timers']);
  });

  it('on an issue that is filed already does nothing', async () => {
    const l = await listening();
    await addCreated(l.store, l.clock.now());
    const before = await theIssue(l.store);
    await l.give(press('retry'));
    expect(await theIssue(l.store)).toEqual(before);
  });

  it('of an alert that was filed anew meanwhile does not take its repeats away', async () => {
    const l = await listening();
    await l.store.issues.add(newIssue());
    await l.store.issues.rewrite('issue-1', { state: 'failed', isOpen: false });
    await addCreated(l.store, l.clock.now(), { id: 'issue-2', number: 2 });
    await l.give(press('retry'));
    expect(await theIssue(l.store)).toMatchObject({ state: 'pending', isOpen: false });
    expect(await l.store.issues.openByIdentity('cpu@production')).toMatchObject({ id: 'issue-2' });
  });
});

describe('a change of status', () => {
  it('that the service refuses is told to who pressed, and nobody else', async () => {
    const l = await listening();
    await addCreated(l.store, l.clock.now());
    const { url, said } = await responseAddress();
    l.service.break('', rejected(500, 'boom', 'api_error'));
    await l.give(press('resolve', 'issue-1', { response_url: url }));
    expect(said).toEqual([{ text: expect.stringMatching(/^⚠️ /), response_type: 'ephemeral' }]);
    expect(await theIssue(l.store)).toMatchObject({ status: 'investigating', lastAction: null });
    expect(l.woken).toEqual([]);
  });

  it('of an issue that the service does not have yet does nothing', async () => {
    const l = await listening();
    await l.store.issues.add(newIssue());
    await l.give(press('resolve'));
    expect(l.service.calls).toEqual([]);
  });
});
