import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { openStore } from '../../../../src/bot/store/open.ts';
import { manualClock } from '../../../support/manual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'gumshoe-busy-'));

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a write that meets another process’s lock waits for it without stopping the event loop', async () => {
  const file = join(folder, 'gumshoe.db');
  const store = await openStore({ file, clock: manualClock() });
  const other = new Sqlite(file);
  other.exec('begin immediate');
  let isWritten = false;
  const writing = store.audit.add({ at: 1, who: 'U1', what: 'did it', issueId: null }).then(() => {
    isWritten = true;
  });
  // Had the write waited inside SQLite, nothing of this would run before its time-out.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isWritten).toBe(false);
  other.exec('commit');
  await writing;
  expect(isWritten).toBe(true);
  other.close();
  await store.close();
});
