import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../src/bot/store/open.ts';
import { type InstantClock, instantClock } from './manual-clock.ts';

/** A real store on disk; `await using` closes it and takes its folder away. */
export interface TestStore extends AsyncDisposable {
  store: Store;
  clock: InstantClock;
  file: string;
}

export async function openTestStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-store-'));
  const file = join(folder, 'gumshoe.db');
  const clock = instantClock();
  const store = await openStore({ file, clock });
  return {
    store,
    clock,
    file,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
