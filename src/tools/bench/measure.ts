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
