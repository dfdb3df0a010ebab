import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyBefore, pruneCopies } from '../../../src/bot/store/backups.ts';

it('of the copies that are made before migrations the newest two stay, for their owner alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-copies-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'gumshoe.db');
  const made = [5, 70, 9, 100].map((at) => copyBefore(file, '0006-changes', at));
  for (const path of [...made, `${made[0]}-wal`, file, join(folder, 'other.db.before-0001-1')])
    writeFileSync(path, 'x', { mode: 0o644 });
  pruneCopies(file);
  expect(readdirSync(folder).sort()).toEqual([
    'gumshoe.db',
    'gumshoe.db.before-0006-changes-100',
    'gumshoe.db.before-0006-changes-70',
    'other.db.before-0001-1',
  ]);
  const kept = readdirSync(folder).filter((name) => name.startsWith('gumshoe.db.before'));
  expect(kept.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
});
