import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { truncateJson } from '../../../src/bot/alerts/truncate-json.ts';

const reach = { characters: 100, perString: 40, values: 20, depth: 4 };

/** How many elements of a list were looked at. */
function counted(
  length: number,
  element: (index: number) => unknown,
): { list: unknown[]; read: () => number } {
  let read = 0;
  const list = new Proxy(Array.from({ length }), {
    get: (target, key, receiver) => {
      const isIndex = typeof key === 'string' && /^\d+$/u.test(key);
      if (!isIndex) return Reflect.get(target, key, receiver);
      read += 1;
      return element(Number(key));
    },
  });
  return { list, read: () => read };
}

describe('truncating a JSON value', () => {
  it('keeps a small value whole', () => {
    const value = { a: ['b', { c: null, d: 1.5, e: true }], f: '' };
    expect(truncateJson(value, reach)).toEqual(value);
  });

  it('stops after the limit of characters, and reads nothing further', () => {
    const { list, read } = counted(1_000, () => 'x'.repeat(30));
    expect(truncateJson(list, reach)).toEqual([
      ...Array.from({ length: 3 }, () => 'x'.repeat(30)),
      'x'.repeat(10),
    ]);
    expect(read()).toBe(4);
  });

  it('stops after the limit of values, whatever they are', () => {
    const { list, read } = counted(1_000, () => ({ a: 1 }));
    truncateJson(list, reach);
    expect(read()).toBeLessThanOrEqual(10);
  });

  it('leaves room after one long string', () => {
    expect(truncateJson(['x'.repeat(500), 'second'], reach)).toEqual(['x'.repeat(40), 'second']);
  });

  it('stops at the depth limit', () => {
    expect(truncateJson([[[[['deep']]]]], reach)).toEqual([[[[null]]]]);
  });

  it('treats special keys as ordinary keys', () => {
    const value: unknown = JSON.parse('{"__proto__":{"title":"x"}}');
    const copy = truncateJson(value, reach);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"title":"x"}}');
  });
});

describe('the part of an alert that is read', () => {
  const field = (i: number) => ({ title: `field ${i}`, value: `value ${i} ${'word '.repeat(100)}` });
  const attachment = (i: number) => ({
    color: 'danger',
    title: `Attachment ${i}`,
    text: `text ${i}`,
    fields: Array.from({ length: 50 }, (_, j) => field(50 * i + j)),
  });
  const block = (i: number) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: `*Block ${i}*` },
    fields: Array.from({ length: 10 }, (_, j) => ({
      type: 'mrkdwn',
      text: `*f${j}:* ${'word '.repeat(300)}`,
    })),
  });
  const message = { type: 'message', bot_id: 'B1', text: '[FIRING:1] Disk full on db-1' };

  it('does not grow with its attachments', () => {
    const some = counted(100, attachment);
    const many = counted(100_000, attachment);
    const alert = parseAlert({ ...message, attachments: many.list });
    expect(alert).toEqual(parseAlert({ ...message, attachments: some.list }));
    expect(alert).toMatchObject({ kind: 'firing', title: expect.stringContaining('Attachment 0') });
    expect(many.read()).toBe(some.read());
    expect(many.read()).toBeLessThanOrEqual(10);
  });

  it('does not grow with its blocks', () => {
    const some = counted(50, block);
    const many = counted(100_000, block);
    expect(parseAlert({ ...message, blocks: many.list })).toEqual(
      parseAlert({ ...message, blocks: some.list }),
    );
    expect(many.read()).toBe(some.read());
  });

  it('does not grow with the contents of a block', () => {
    const words = (length: number) => {
      const elements = counted(length, () => ({ type: 'text', text: 'a word ' }));
      const alert = parseAlert({
        ...message,
        blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: elements.list }] }],
      });
      return { alert, read: elements.read() };
    };
    expect(words(1_000_000)).toEqual(words(10_000));
  });

  it('is the beginning of each version of an edited message', () => {
    const now = counted(100_000, attachment);
    const before = counted(100_000, attachment);
    parseAlert({
      type: 'message',
      subtype: 'message_changed',
      message: { ...message, attachments: now.list },
      previous_message: { ...message, attachments: before.list },
    });
    expect(now.read() + before.read()).toBeLessThanOrEqual(20);
  });
});
