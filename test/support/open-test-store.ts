import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
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
  copyFileSync(await migratedFile(), file);
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

let template: Promise<string> | null = null;

/** An empty database with all migrations, made once per worker: migrating costs most of the time a test needs for its store. */
function migratedFile(): Promise<string> {
  template ??= migrate();
  return template;
}

async function migrate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'gumshoe.db');
  const store = await openStore({ file, clock: instantClock() });
  await store.close();
  return file;
}
