import { spawnSync } from 'node:child_process';

/**
 * Takes the disk from a running process, or gives it back. A full disk cannot be had without privileges; a limit on the
 * size of its files (RLIMIT_FSIZE) comes closest: each write of the process fails from one moment to the next, and of
 * that process only. Node ignores the signal that comes with it.
 */
export function setDiskFull(pid: number | undefined, isFull: boolean): void {
  const soft = isFull ? '0' : 'unlimited';
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`prlimit did not work: ${stderr}`);
}
