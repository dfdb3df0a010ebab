import { isRecord } from './facts.ts';

/** The first text or number among the names, as text; empty if there is none. */
export function textAt(record: Record<string, unknown>, names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** The first list with something in it among the names. */
export function listAt(record: Record<string, unknown>, names: readonly string[]): unknown[] | null {
  for (const name of names) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (Array.isArray(value) && value.length > 0) return value;
  }
  return null;
}

/** Without what is shown in another form. */
export function without(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** The time of day in UTC, `08:15:02`; empty for what is no time. Times of whole seconds and finer are read. */
export function clockTime(record: Record<string, unknown>, names: readonly string[]): string {
  const at = momentOf(textAt(record, names));
  return at === null ? '' : new Date(at).toISOString().slice(11, 19);
}

/** Milliseconds since the epoch, of an ISO time or of a number of seconds, milliseconds, micro- or nanoseconds. */
export function momentOf(text: string): number | null {
  const stated = /^\d+(?:\.\d+)?$/u.test(text) ? inMilliseconds(Number(text)) : Date.parse(text);
  return stated >= 0 && stated <= LATEST ? stated : null;
}

export const times = ['timestamp', 'at', 'time', 'ts', '@timestamp', 'date', 'startTime', 'timeUnixNano'];

/** The records in a list; other elements are skipped. */
export function recordsOf(list: readonly unknown[]): Record<string, unknown>[] {
  return list.filter(isRecord);
}

/** The end of the year 9999. */
const LATEST = 253_402_300_799_999;

function inMilliseconds(number: number): number {
  if (number < 1e11) return number * 1000;
  if (number < 1e14) return number;
  return number < 1e17 ? number / 1000 : number / 1e6;
}
