import { createHash } from 'node:crypto';

export type Row = Record<string, unknown>;

/** What a table holds, in whatever order: how many rows, and a sum over them. */
export interface Content {
  rows: number;
  sum: string;
}

/** Adds up rows as they come; two tables with the same rows have the same sum. */
export function contentOf(): { add(row: Row): void; read(): Content } {
  let rows = 0;
  let sum = 0n;
  return {
    add: (row) => {
      rows += 1;
      const columns = Object.keys(row).sort();
      const text = JSON.stringify(columns.map((column) => [column, storable(row[column])]));
      sum = BigInt.asUintN(64, sum + createHash('sha256').update(text).digest().readBigUInt64BE());
    },
    read: () => ({ rows, sum: sum.toString(16).padStart(16, '0') }),
  };
}

/** As PostgreSQL keeps a value: its text has no U+0000, and no half of a surrogate pair. */
export function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
}
