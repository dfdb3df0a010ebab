import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openStore } from '../src/store/store.ts';
import { tempFolder, testWorkspace } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

test('the file is its owner’s alone, in a folder made for it', async () => {
  const folder = await tempFolder();
  const file = `${folder}/data/workspace.db`;
  openStore(file).close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('every message has a later ts, though the clock stands still, goes back, or starts again', async () => {
  const file = `${await tempFolder()}/workspace.db`;
  const first = openStore(file).messages;
  const early = first.nextTs(1_700_000_000_000);
  expect([early, first.nextTs(1_700_000_000_000), first.nextTs(1_600_000_000_000)]).toEqual([
    '1700000000.000000',
    '1700000000.000001',
    '1700000000.000002',
  ]);
  first.insert('C1', { type: 'message', text: 'x', ts: '1700000000.000003' });
  expect(openStore(file).messages.nextTs(0)).toBe('1700000000.000004');
});

test('a restarted workspace knows its tokens, people, messages and members', async () => {
  const folder = await tempFolder();
  const options = { file: `${folder}/workspace.db`, clock: manualClock() };
  const before = await testWorkspace(options);
  const { ts } = await before.post({ channel: 'incidents', username: 'Hook', text: 'kept' });
  await before.close();
  const after = await testWorkspace(options);
  expect([after.botToken, after.appToken, after.signingSecret]).toEqual([
    before.botToken,
    before.appToken,
    before.signingSecret,
  ]);
  expect(after.messages(after.channels.incidents)).toMatchObject([{ ts, text: 'kept', username: 'Hook' }]);
});
