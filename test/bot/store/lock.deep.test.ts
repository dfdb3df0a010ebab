import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/bot/store/errors.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { errorOf } from '../../contract/client/harness.ts';
import { projectRoot } from '../../support/files.ts';
import { instantClock } from '../../support/manual-clock.ts';

let folder: string;
let file: string;
let other: ChildProcess | null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-lock-'));
  file = join(folder, 'gumshoe.db');
  other = null;
});

afterEach(async () => {
  if (other && other.exitCode === null && other.signalCode === null) {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  rmSync(folder, { recursive: true });
});

/** Another process that holds the file from now on. */
async function holder() {
  const child = spawn(process.execPath, [join(projectRoot, 'test/support/hold-store.ts'), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  other = child;
  await once(child.stdout, 'data');
  return child;
}

describe('one process per database file', () => {
  it('the second waits 15 seconds on its clock, then says which file, and what to do', async () => {
    await holder();
    const clock = instantClock();
    const waited: string[] = [];
    const error = await errorOf(openStore({ file, clock, onWait: () => waited.push('said so') }));
    expect(error).toEqual(
      new StoreError(
        `Another Gumshoe is running on ${file} and did not stop within 15 seconds. ` +
          'Stop it, or give this one its own file with DATABASE_URL=sqlite:./data/other.db.',
      ),
    );
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(15_000);
    expect(waited).toEqual(['said so']);
  });

  it('the second gets in as soon as the first lets go, and finds what that stored', async () => {
    const child = await holder();
    let letGo = false;
    const second = await openStore({
      file,
      clock: systemClock,
      onWait: () => {
        letGo = true;
        child.stdin.write('go\n');
      },
    });
    expect(letGo).toBe(true);
    expect(await second.inbox.countOpen()).toBe(0);
    await second.close();
  });

  it('a process killed with SIGKILL leaves nothing that its successor would wait for', async () => {
    const child = await holder();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const clock = instantClock();
    const next = await openStore({ file, clock, lockWaitMs: 0 });
    expect(clock.slept).toEqual([]);
    await next.close();
  });

  it('who is told to stop while it waits, stops waiting', async () => {
    await holder();
    const stop = new AbortController();
    const waiting = openStore({
      file,
      clock: systemClock,
      signal: stop.signal,
      onWait: () => stop.abort(),
    });
    expect(await errorOf(waiting)).toMatchObject({ name: 'AbortError' });
  });
});
