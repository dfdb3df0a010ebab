import { readFileSync } from 'node:fs';

/** The largest memory of a whole process so far. Linux alone says so; elsewhere there is no number. */
export function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/u.exec(proc(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
}

/** Processor time of a process: in hundredths of a second, behind the program's name in parentheses. */
export function cpuSeconds(pid: number): number {
  const fields = proc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function proc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
