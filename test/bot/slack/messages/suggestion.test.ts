import { describe, expect, it, onTestFinished } from 'vitest';
import {
  suggestFiling,
  suggestionFiled,
  suggestionOver,
} from '../../../../src/bot/render/alerts/suggestion.ts';
import { suggestion } from '../../../../src/bot/slack/messages/in-channels.ts';
import { filedSuggestion } from '../../../../src/bot/store/intents/issue-intents.ts';
import { suggestionKey } from '../../../../src/bot/store/intents/keys.ts';
import { deciding } from '../../../support/deciding.ts';
import { addCreated } from '../../../support/issues.ts';
import { mayReadOf } from '../support/reading.ts';

/** A suggestion under an alert, and what it comes to now. */
async function suggested() {
  const d = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  await d.settings({ mode: 'suggest' });
  const { ts } = await d.alert();
  const deps = {
    store: d.store,
    clock: d.clock,
    mayRead: mayReadOf({ store: d.store }),
    identity: { botUserId: 'U0BOT', botId: 'B0BOT', teamId: 'T1' },
    simulated: false,
    nameOf: async () => null,
    permalink: () => '',
    maxIssuesPerDay: 500,
    reactions: { causeFound: 'mag_right', noCause: 'shrug', resolved: 'white_check_mark' },
  };
  const key = suggestionKey({ channel: 'C1', ts });
  const now = async () => {
    const row = await d.store.outbox.get(key);
    if (row === null) throw new Error('it was wanted above');
    return suggestion(row, deps);
  };
  return { ...d, ts, key, now, place: { channel: 'C1', ts } };
}

describe('a suggestion', () => {
  it('is in the alert’s thread with its button', async () => {
    const s = await suggested();
    const parts = [suggestFiling(s.place)];
    expect(await s.now()).toEqual({ kind: 'messages', parts, channel: 'C1', threadTs: s.ts });
  });

  it('tells who had the alert filed, and its number as soon as there is one', async () => {
    const s = await suggested();
    const { id } = await addCreated(s.store, s.clock.now(), { number: 12 });
    await s.store.issues.rewrite(id, { number: null });
    await s.store.outbox.about(id, filedSuggestion(s.place, { by: 'U1', counted: false }));
    const filed = { by: 'U1', counted: false };
    expect(await s.now()).toMatchObject({ parts: [suggestionFiled({ ...filed, number: null })] });
    await s.store.issues.rewrite(id, { number: 12 });
    expect(await s.now()).toMatchObject({ parts: [suggestionFiled({ ...filed, number: 12 })] });
  });

  it('is over when the alert recovered, and stands again when it fires again', async () => {
    const s = await suggested();
    await s.alert({ kind: 'resolved' });
    expect(await s.now()).toMatchObject({ parts: [suggestionOver()] });
    await s.alert();
    expect(await s.now()).toMatchObject({ parts: [suggestFiling(s.place)] });
  });

  it('is over too when the message itself was edited into its recovery', async () => {
    const s = await suggested();
    await s.alert({ kind: 'resolved' }, { ts: s.ts, edited: true });
    expect(await s.now()).toMatchObject({ parts: [suggestionOver()] });
    await s.alert({}, { ts: s.ts, edited: true });
    expect(await s.now()).toMatchObject({ parts: [suggestFiling(s.place)] });
  });
});
