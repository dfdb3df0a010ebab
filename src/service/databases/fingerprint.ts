import { z } from 'zod';

/** What changes rarely inside a database, by kind and name, and counters as of then. */
export const Fingerprint = z.object({
  at: z.number(),
  parts: z.record(z.string(), z.record(z.string(), z.string())),
  counters: z.record(z.string(), z.record(z.string(), z.array(z.number()))),
});
export type Fingerprint = z.infer<typeof Fingerprint>;

/** One that was just taken. */
export type Taken = Omit<Fingerprint, 'at'>;

/** One thing that differs between two fingerprints. */
export const InsideChange = z.object({
  database: z.string(),
  /** `index`, `table`, `setting`, `role`, `extension`, `version`, `policy` … */
  part: z.string(),
  /** An index with its table: `reviews_product on reviews`. */
  name: z.string(),
  /** What it was and is; `null` for not there. */
  was: z.string().nullable(),
  is: z.string().nullable(),
  /** It happened between these two times. */
  after: z.number(),
  before: z.number(),
});
export type InsideChange = z.infer<typeof InsideChange>;

/** At most so many of one part are told one by one. */
const MOST = 20;

/** What differs, the indexes and settings of the later one last looked at. */
export function changesBetween(database: string, was: Fingerprint, is: Fingerprint): InsideChange[] {
  // An account without rights sees no table at all.
  const isBlind = [was, is].some(({ parts: { table } }) => table && Object.keys(table).length === 0);
  return Object.entries(is.parts).flatMap(([part, now]) => {
    const then = was.parts[part];
    // What could not be read before did not begin to exist.
    if (then === undefined || (isBlind && (part === 'table' || part === 'index'))) return [];
    const names = [...new Set([...Object.keys(then), ...Object.keys(now)])].sort();
    return names
      .filter((name) => then[name] !== now[name])
      .slice(0, MOST)
      .map((name) => ({
        database,
        part,
        name,
        was: then[name] ?? null,
        is: now[name] ?? null,
        after: was.at,
        before: is.at,
      }));
  });
}

/** `index reviews_product on reviews was dropped`. */
export function deedOf({ part, name, was, is }: InsideChange): string {
  const what = `${part} \`${name.replaceAll('`', "'")}\``;
  if (was === null) return `${what} was created`;
  if (is === null) return `${what} was dropped`;
  const shown = [was, is].every((value) => value.length <= 60 && value !== '');
  return shown ? `${what} went from ${was} to ${is}` : `${what} was changed`;
}

/** The counters of before by name; empty without any. */
export function countersIn(earlier: Fingerprint | null, part: string): Readonly<Record<string, number[]>> {
  return earlier?.counters[part] ?? {};
}
