import { sql } from 'kysely';
import type { Query } from '../tables.ts';

/** The text index consists of runs of this many characters; shorter searches cannot use it. */
export const INDEXED_LENGTH = 3;

/** A run that occurs in fewer issues than this is worth looking up alone. */
const RARE = 200;
/** Longer searches are compared by their beginning. */
const LONGEST = 100;

/**
 * The phrase to look up in the text index for a search (folded, at least `INDEXED_LENGTH` characters): its longest part
 * whose runs are all rare, else all of it. The index visits every issue that has a run of the phrase, so a run that
 * every issue has (`gumshoe-` of `gumshoe-7a3f`) costs more with every issue. Finds by a part must still be compared
 * with the whole.
 */
export async function phraseFor(query: Query, search: string): Promise<string> {
  const characters = [...search];
  const runs = characters
    .slice(0, LONGEST)
    .slice(INDEXED_LENGTH - 1)
    .map((_, i) => characters.slice(i, i + INDEXED_LENGTH).join(''));
  const rare: boolean[] = [];
  for (const run of runs) rare.push(await isRare(query, run));
  let [from, length] = [0, 0];
  for (let begin = 0; begin < rare.length; begin++) {
    let end = begin;
    while (rare[end]) end++;
    if (end - begin > length) [from, length] = [begin, end - begin];
    begin = end;
  }
  if (length === 0) return quoted(search);
  return quoted(characters.slice(from, from + length - 1 + INDEXED_LENGTH).join(''));
}

async function isRare(query: Query, run: string): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found
    FROM (SELECT 1 FROM search WHERE search MATCH ${quoted(run)} LIMIT ${RARE})`.execute(query);
  return (rows[0]?.found ?? RARE) < RARE;
}

/** A literal phrase in the index's query language. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
