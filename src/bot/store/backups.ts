import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** How many pre-migration copies to keep. */
const KEPT = 2;

/** The copy made of a database before it is migrated from a version. */
export function copyBefore(file: string, version: string, now: number): string {
  return `${file}.before-${version}-${now}`;
}

/** Keeps the newest copies, readable by their owner only, and deletes the older ones with their side files. */
export function pruneCopies(file: string): void {
  const folder = dirname(file);
  const start = `${basename(file)}.before-`;
  const all = readdirSync(folder).filter((name) => name.startsWith(start));
  const copies = all.flatMap((name) => {
    const at = /-(\d+)$/u.exec(name)?.[1];
    return at === undefined ? [] : [{ name, at: Number(at) }];
  });
  copies.sort((a, b) => b.at - a.at || b.name.localeCompare(a.name));
  for (const { name } of copies.slice(0, KEPT)) chmodSync(join(folder, name), 0o600);
  for (const { name } of copies.slice(KEPT)) {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(join(folder, name + end), { force: true });
  }
}
