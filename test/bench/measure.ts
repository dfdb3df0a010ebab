import { readFileSync } from 'node:fs';

/** One line of the table. */
export interface Measured {
  name: string;
  /** Microseconds for one operation: the median of the rounds. */
  micros: number;
  /** The line that this one is compared with, in the same run. */
  against?: string;
}

const rounds = 7;

/** Times `work`, which does `operations` operations, over several rounds; one round more warms it up. */
export async function measure(
  name: string,
  operations: number,
  work: () => unknown,
  against?: string,
): Promise<Measured> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    await work();
    times.push(((performance.now() - begin) * 1000) / operations);
  }
  const micros = times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  return against === undefined ? { name, micros } : { name, micros, against };
}

/** The table as text: name, microseconds, operations a second, and how many times the other's cost. */
export function table(lines: readonly Measured[]): string {
  const rows = lines.map(({ name, micros, against }) => {
    const other = lines.find((line) => line.name === against);
    const ratio = other === undefined ? '' : `${(micros / other.micros).toFixed(2)} × ${other.name}`;
    return [name, micros.toFixed(1), Math.round(1e6 / micros).toString(), ratio];
  });
  const all = [['what', 'µs each', 'a second', 'against'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = ([what = '', each = '', second = '', ratio = '']: string[]) =>
    `${what.padEnd(widths[0] ?? 0)}  ${each.padStart(widths[1] ?? 0)}  ${second.padStart(widths[2] ?? 0)}  ${ratio}`.trimEnd();
  return all.map(line).join('\n');
}

/** Rows of cells as lines of text: the first column to the left, the others to the right, two spaces between. */
export function grid(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

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
