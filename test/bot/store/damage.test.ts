import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/bot/store/errors.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { errorOf } from '../../contract/client/harness.ts';
import { instantClock } from '../../support/manual-clock.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-damage-'));
  file = join(folder, 'gumshoe.db');
  const store = await openStore({ file, clock: instantClock() });
  await store.inbox.add(
    Array.from({ length: 300 }, (_, n) => ({ key: `key-${n}`, body: 'x'.repeat(500), receivedAt: n })),
  );
  await store.close();
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function refusal(): Promise<string> {
  const error = await errorOf(openStore({ file, clock: instantClock() }));
  return error instanceof StoreError ? error.message : `not refused as it should be: ${String(error)}`;
}

function overwrite(at: number, bytes: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, at);
  closeSync(handle);
}

const restore =
  'is corrupt and will not be used. Move it and its -wal and -shm files away, put the latest backup ' +
  '(made with `npm run backup`) in its place, then start again.';

describe('a damaged database', () => {
  it('is refused with the way to restore it, where a page in the middle is damaged', async () => {
    overwrite(4096 * 20, 4096 * 5);
    expect(await refusal()).toBe(`The database ${file} ${restore}`);
  });

  it('is refused in the same words where it is no database at all', async () => {
    writeFileSync(file, 'this is a shopping list, and a long one\n'.repeat(200));
    expect(await refusal()).toBe(`The database ${file} ${restore}`);
  });

  it('is refused where it was cut short', async () => {
    writeFileSync(file, readFileSync(file).subarray(0, 4096 * 12));
    expect(await refusal()).toBe(`The database ${file} ${restore}`);
  });

  it('is refused again at the next start, since nothing repairs it silently', async () => {
    overwrite(4096 * 20, 4096 * 5);
    await refusal();
    expect(await refusal()).toBe(`The database ${file} ${restore}`);
  });
});
