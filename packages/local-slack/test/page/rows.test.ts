import { describe, expect, it } from 'vitest';
import { rowsOf, seenBy } from '../../page/model/rows.ts';
import { ago, dayName } from '../../page/model/texts.ts';
import type { PageMessage } from '../../src/page-api.ts';

const noon = new Date(2026, 10, 20, 12).getTime();
const minute = 60_000;
const message = (at: number, rest: Partial<PageMessage> = {}): PageMessage => ({
  type: 'message',
  channel: 'C1',
  ts: `${at / 1000}.000100`,
  user: 'U1',
  text: 'x',
  ...rest,
});
const shapes = (messages: PageMessage[]) =>
  rowsOf(messages, 'U1').map((row) => (row.kind === 'day' ? 'day' : row.follows ? 'follows' : 'new'));

describe('the rows of a list', () => {
  it('divide days, and group what one author says within five minutes', () => {
    const messages = [
      message(noon - 24 * 60 * minute),
      message(noon),
      message(noon + minute),
      message(noon + 2 * minute, { user: 'U2' }),
      message(noon + 3 * minute, { user: 'U2', reply_count: 1 }),
      message(noon + 4 * minute, { user: 'U2' }),
      message(noon + 20 * minute, { user: 'U2' }),
    ];
    expect(shapes(messages)).toEqual(['day', 'new', 'day', 'new', 'follows', 'new', 'follows', 'new', 'new']);
  });

  it('show whose card it is, though the app has just spoken', () => {
    const app = (at: number, rest = {}) => message(at, { bot_id: 'B1', ...rest });
    const messages = [app(noon), app(noon + minute), app(noon + 2 * minute, { blocks: [] })];
    expect(shapes(messages)).toEqual(['day', 'new', 'follows', 'new']);
  });

  it('show whose reply it is that was sent to the channel too', () => {
    const broadcast = message(noon + minute, { thread_ts: '1.1', subtype: 'thread_broadcast' });
    expect(shapes([message(noon), broadcast, message(noon + 2 * minute)])).toEqual([
      'day',
      'new',
      'new',
      'follows',
    ]);
  });

  it('leave out what only others may see', () => {
    const messages = [message(noon, { ephemeral_to: 'U2' }), message(noon + 1, { ephemeral_to: 'U1' })];
    expect(shapes(messages)).toEqual(['day', 'new']);
  });
});

describe('a message that grows', () => {
  const growing = message(noon, { text: 'all of it', streaming: true });

  it('is seen by everybody in a direct message, and by its recipient in a channel', () => {
    const inChannel: PageMessage = { ...growing, streaming_to: 'U1', began: 'all' };
    expect([seenBy(growing, 'U2'), seenBy(inChannel, 'U1')]).toEqual([growing, inChannel]);
  });

  it('stays what it began with to others in a channel', () => {
    const began = seenBy({ ...growing, streaming_to: 'U1', began: '*all*' }, 'U2');
    const blocks = [{ type: 'markdown', text: '*all*' }];
    expect(began).toEqual(message(noon, { text: '*all*', blocks }));
    expect(seenBy({ ...growing, streaming_to: 'U1' }, 'U2')).toEqual(message(noon, { text: '', blocks: [] }));
  });
});

describe('times', () => {
  it('are said as one would say them', () => {
    const days = [noon, noon - 24 * 60 * minute, noon - 72 * 60 * minute];
    expect(days.map((at) => dayName(at, noon))).toEqual(['Today', 'Yesterday', 'Tuesday, November 17']);
    const past = [0, 1, 5, 60, 150, 3 * 24 * 60].map((minutes) => ago(noon - minutes * minute, noon));
    expect(past).toEqual([
      'just now',
      '1 minute ago',
      '5 minutes ago',
      '1 hour ago',
      '2 hours ago',
      '3 days ago',
    ]);
  });
});
