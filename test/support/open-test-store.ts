import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../src/bot/store/open.ts';
import { createWakeups, type Wakeups } from '../../src/bot/store/wakeups.ts';
import { type InstantClock, instantClock } from './manual-clock.ts';

/** A real store on disk; `await using` closes it and takes its folder away. */
export interface TestStore extends AsyncDisposable {
  store: Store;
  clock: InstantClock;
  file: string;
  /** Of each worker, what it waits on. */
  wakeups: Wakeups;
}

export async function openTestStore({ wakeups = createWakeups() } = {}): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-store-'));
  const file = join(folder, 'gumshoe.db');
  const clock = instantClock();
  const store = await openStore({ file, clock, wakeups });
  return {
    store,
    clock,
    file,
    wakeups,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
