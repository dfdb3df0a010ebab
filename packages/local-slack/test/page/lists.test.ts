import { describe, expect, it } from 'vitest';
import { type Lists, withEvent, withLoaded } from '../../page/model/lists.ts';
import type { PageEvent, PageMessage } from '../../src/page-api.ts';

const message = (ts: string, rest: Partial<PageMessage> = {}): PageMessage => ({
  type: 'message',
  channel: 'C1',
  ts,
  text: ts,
  ...rest,
});
const reply = (ts: string, rest: Partial<PageMessage> = {}) => message(ts, { thread_ts: '1.1', ...rest });
const arrives = (lists: Lists, arrived: PageMessage) =>
  withEvent(lists, { type: 'message', channel: 'C1', message: arrived });
const changes = (lists: Lists, changed: PageMessage) =>
  withEvent(lists, { type: 'message_changed', channel: 'C1', message: changed });

describe('the lists of messages', () => {
  const root = message('1.1');
  const lists: Lists = { C1: [root, message('3.1')], 'C1/1.1': [root] };

  it('take a message at its place in time, once', () => {
    const twice = arrives(arrives(lists, message('2.1')), message('2.1'));
    expect(twice.C1).toEqual([root, message('2.1'), message('3.1')]);
  });

  it('take a reply into its thread, and count it on the root in both places', () => {
    const counted = { ...root, reply_count: 1, latest_reply: '4.1' };
    expect(arrives(lists, reply('4.1'))).toEqual({
      C1: [counted, message('3.1')],
      'C1/1.1': [counted, reply('4.1')],
    });
  });

  it('count a reply once, whether the server tells the count before or after it', () => {
    const told = { ...root, thread_ts: '1.1', reply_count: 1, latest_reply: '4.1' };
    const before = arrives(changes(lists, told), reply('4.1'));
    const after = changes(arrives(lists, reply('4.1')), told);
    expect([before.C1?.[0], after.C1?.[0]]).toEqual([told, told]);
  });

  it('count no ephemeral reply and no edit of one', () => {
    const whispered = arrives(lists, reply('4.1', { ephemeral_to: 'U1' }));
    expect(changes(whispered, reply('4.2')).C1).toEqual(lists.C1);
  });

  it('show a reply that was also sent to the channel in both', () => {
    const broadcast = reply('4.1', { subtype: 'thread_broadcast' });
    const next = arrives(lists, broadcast);
    expect([next.C1?.at(-1), next['C1/1.1']?.at(-1)]).toEqual([broadcast, broadcast]);
  });

  it('drop a deleted message, and what was never loaded stays so', () => {
    const gone = withEvent(lists, { type: 'message_deleted', channel: 'C1', ts: '3.1' });
    expect(gone).toEqual({ C1: [root], 'C1/1.1': [root] });
    expect(withEvent(lists, { type: 'message_deleted', channel: 'C9', ts: '3.1' })).toEqual(lists);
    expect(arrives({}, message('2.1'))).toEqual({});
  });

  it('apply once more what happened while they were fetched', () => {
    const edited = message('3.1', { text: 'edited' });
    const since: PageEvent[] = [
      { type: 'message', channel: 'C1', message: message('4.1') },
      { type: 'message_changed', channel: 'C1', message: edited },
      { type: 'message', channel: 'C1', message: reply('4.2') },
      { type: 'message_deleted', channel: 'C1', ts: '2.1' },
    ];
    const read = [root, message('2.1'), message('3.1')];
    expect(withLoaded({ C1: [message('0.1')], C2: [] }, 'C1', read, since)).toEqual({
      C1: [{ ...root, reply_count: 1, latest_reply: '4.2' }, edited, message('4.1')],
      C2: [],
    });
  });
});
