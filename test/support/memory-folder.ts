import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHARED_MEMORY = '/dev/shm';
/** Far more than a whole run writes. */
const LEAST_FREE_BYTES = 2 * 1024 ** 3;

/**
 * A folder for the temporary files of a run, which is removed when this process ends. It is in memory where the system
 * has room there: a database on a disk waits for the disk with each commit, and no test is about a power cut. Elsewhere
 * it is where temporary files usually are.
 */
export function memoryFolder(): string {
  let folder: string;
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    // Containers often forbid programs there, and some tests write programs.
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm .*$/mu)?.[0] ?? 'noexec';
    if (bavail * bsize < LEAST_FREE_BYTES || /\bnoexec\b/u.test(mount)) return tmpdir();
    folder = mkdtempSync(join(SHARED_MEMORY, 'gumshoe-tests-'));
  } catch {
    // Not Linux, or not ours to write to.
    return tmpdir();
  }
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // Some tests run programs as other users.
  chmodSync(folder, 0o755);
  return folder;
}
