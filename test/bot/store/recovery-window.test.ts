import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutboxKey } from '../../../src/bot/store/intents/keys.ts';
import { openStore, type Store } from '../../../src/bot/store/open.ts';
import type { RecoveryWindow } from '../../../src/bot/store/recovery-window.ts';
import { anIntent } from '../../support/intents.ts';
import { newIssue } from '../../support/issues.ts';
import { instantClock } from '../../support/manual-clock.ts';

const START = 1_000_000;
const doubt: RecoveryWindow = { before: START, until: START + 60_000 };
const OLDER = '999.000000';
const NEWER = '1001.000000';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-doubt-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function open(given: { doubt?: RecoveryWindow } = {}): Promise<Store> {
  return openStore({ file: join(folder, 'gumshoe.db'), clock: instantClock(START), ...given });
}

async function want(store: Store, threadTs: string | null, at: number, kind: 'card' | 'reaction' = 'card') {
  const key = `${kind}:${threadTs}:${at}` as const;
  await store.outbox.want(anIntent({ key, kind, threadTs, at }));
  return (await store.outbox.get(key))?.sending;
}

describe('what a program asks for just after its start', () => {
  it('may have been posted by an earlier life where the thread is older', async () => {
    const store = await open({ doubt });
    expect(await want(store, OLDER, START)).toBe(0);
    expect(await want(store, NEWER, START)).toBeNull();
    expect(await want(store, null, START)).toBeNull();
    expect(await want(store, OLDER, START + 60_000)).toBeNull();
    expect(await want(store, OLDER, START, 'reaction')).toBeNull();
    await store.close();
  });

  it('may have been posted at top level where what it tells of is older, and is looked for from then on', async () => {
    const store = await open({ doubt });
    const top = { kind: 'digest', threadTs: null, at: START } as const;
    await store.outbox.want(anIntent({ ...top, key: 'digest:before', since: START - 1_000 }));
    await store.outbox.want(anIntent({ ...top, key: 'digest:now', since: START }));
    expect(await store.outbox.get('digest:before')).toMatchObject({ sending: 0, createdAt: START - 1_000 });
    expect(await store.outbox.get('digest:now')).toMatchObject({ sending: null });
    await store.close();
  });

  it('may have been created by an earlier life where its alert is older', async () => {
    const store = await open({ doubt });
    await store.issues.add(newIssue({ id: 'older', identity: 'a', threadTs: OLDER, createdAt: START }));
    await store.issues.add(newIssue({ id: 'newer', identity: 'b', threadTs: NEWER, createdAt: START }));
    expect((await store.issues.get('older'))?.attemptedAt).toBe(0);
    expect((await store.issues.get('newer'))?.attemptedAt).toBeNull();
    await store.close();
  });
});

describe('what was asked for before the start', () => {
  it('and is not done yet, may have been done; what is done is done', async () => {
    const before = await open();
    await want(before, NEWER, 1);
    await want(before, NEWER, 2);
    await before.outbox.recordSent(`card:${NEWER}:2`, '[{"ts":"5.0","hash":"x"}]');
    await want(before, NEWER, 3);
    await before.outbox.delivered(`card:${NEWER}:3`, 1);
    await want(before, NEWER, 4, 'reaction');
    await want(before, NEWER, 5);
    await before.outbox.recordSent(`card:${NEWER}:5`, '[{"ts":');
    await before.issues.add(newIssue({ id: 'pending', threadTs: NEWER }));
    await before.close();

    const store = await open({ doubt });
    const sending = async (key: OutboxKey) => (await store.outbox.get(key))?.sending;
    expect([
      await sending(`card:${NEWER}:1`),
      await sending(`card:${NEWER}:2`),
      await sending(`card:${NEWER}:3`),
      await sending(`reaction:${NEWER}:4`),
      await sending(`card:${NEWER}:5`),
    ]).toEqual([0, 1, null, null, 0]);
    expect((await store.issues.get('pending'))?.attemptedAt).toBe(0);
    await store.close();
  });

  it('may have been said, where it answers an open question and only its status or its beginning is stored', async () => {
    const before = await open();
    const start = { channel: 'D1', threadTs: OLDER, issueId: null, startedBy: 'U1', createdAt: 1 };
    await before.conversations.start({ id: 'c', ...start });
    for (const id of ['thinking', 'growing', 'complete']) {
      await before.questions.add({ id, conversation: 'c', asker: 'U1', text: 'why?', createdAt: 1 });
      await before.outbox.want(anIntent({ key: `answer:${id}`, kind: 'answer', questionId: id, at: 1 }));
      await before.outbox.delivered(`answer:${id}`, 1);
    }
    await before.outbox.recordSent('answer:growing', '[{"ts":"5.0","hash":"x"}]');
    await before.questions.update('complete', { state: 'complete' }, 2);
    await before.close();

    const store = await open({ doubt });
    const sending = async (id: string) => (await store.outbox.get(`answer:${id}`))?.sending;
    expect([await sending('thinking'), await sending('growing'), await sending('complete')]).toEqual([
      0,
      1,
      null,
    ]);
    await store.close();
  });
});
