import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** How many of the copies that are made before migrations stay. */
const KEPT = 2;

/** The copy that is made of a database before it is migrated from a version. */
export function copyBefore(file: string, version: string, now: number): string {
  return `${file}.before-${version}-${now}`;
}

/** Leaves the newest copies alone, readable for their owner only; the older ones go, with what is beside them. */
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
