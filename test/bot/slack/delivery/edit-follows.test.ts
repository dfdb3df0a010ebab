import { describe, expect, it } from 'vitest';
import { delivering, inThread, KEY } from '../support/delivering.ts';

const FIRST = { ...inThread('mentions nobody'), editFollows: true };

describe('a message that an edit is to follow', () => {
  it('is edited as soon as it is posted, and once', async () => {
    const d = await delivering();
    d.content = FIRST;
    await d.want();
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'due', done: 1 });
    d.content = inThread('mentions <@U1>');
    await d.after(2_000);
    await d.after(2_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.update']);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['mentions <@U1>']);
    expect(await d.row()).toMatchObject({ state: 'idle' });
  });

  it('counts as delivered only together with the wish for its edit', async () => {
    const d = await delivering();
    const { store } = d;
    let hasDied = false;
    d.options = {
      ...d.options,
      store: {
        ...store,
        transaction: (work) =>
          store.transaction((tx) =>
            work({
              ...tx,
              outbox: {
                ...tx.outbox,
                again: async (key) => {
                  if (hasDied) return tx.outbox.again(key);
                  hasDied = true;
                  throw new Error('killed');
                },
              },
            }),
          ),
      },
    };
    d.content = FIRST;
    await d.want();
    await d.work();
    expect(hasDied).toBe(true);
    expect(await d.row(KEY)).toMatchObject({ state: 'due', deliveredAt: 0, done: 0 });
    await d.after(2_000);
    d.content = inThread('mentions <@U1>');
    await d.after(2_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.update']);
    expect(await d.row(KEY)).toMatchObject({ state: 'idle' });
  });
});
