/*
 * What is shown of a statement: its words without any literal. The sources' own digests are made the same again, since
 * utility statements stay as they were in some of them.
 */

const MOST_CHARACTERS = 300;

type Dialect = 'postgres' | 'mysql';

type Part = readonly [pattern: RegExp, becomes: 'gone' | 'literal' | 'kept' | 'end'];

/** In this order, at each place. What begins and does not end was cut off: nothing after it is known to be no literal. */
const COMMON: readonly Part[] = [
  [/\/\*(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\//uy, 'gone'],
  [/\/\*/uy, 'end'],
  [/--[^\n]*/uy, 'gone'],
];
const POSTGRES: readonly Part[] = [
  ...COMMON,
  // With standard_conforming_strings off, a backslash means something else: the rest is left out.
  [/(?:[uU]&|[bBxXnN])?'(?:[^'\\]|'')*'(?![\p{L}\p{N}_])/uy, 'literal'],
  [/[eE]'(?:[^'\\]|''|\\[\s\S])*'(?![\p{L}\p{N}_])/uy, 'literal'],
  [/\$(?<tag>[A-Za-z_]\w*|)\$[\s\S]*?\$\k<tag>\$/uy, 'literal'],
  [/'|\$(?:[A-Za-z_]\w*)?\$/uy, 'end'],
  [/"(?:[^"]|"")*"/uy, 'kept'],
  [/"/uy, 'end'],
];
const MYSQL: readonly Part[] = [
  ...COMMON,
  [/#[^\n]*/uy, 'gone'],
  [/(?:(?:[nNbBxX]|_\w+\s*)?'(?:[^'\\]|'')*'|"(?:[^"\\]|"")*")(?![\p{L}\p{N}_])/uy, 'literal'],
  // A backslash escapes or does not, as the server is set: what follows is left out.
  [/['"]/uy, 'end'],
  [/`(?:[^`]|``)*`/uy, 'kept'],
  [/`/uy, 'end'],
];
const ENDING: readonly Part[] = [
  [/\$\d+/uy, 'kept'],
  [/[\p{L}_@][\p{L}\p{N}_$@]*/uy, 'kept'],
  [/0[xX][\da-fA-F]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/uy, 'literal'],
];
const PARTS: Record<Dialect, readonly Part[]> = {
  postgres: [...POSTGRES, ...ENDING],
  mysql: [...MYSQL, ...ENDING],
};

/** A statement without texts, numbers and comments: `select * from orders where customer = ?`. One line, cut at 300. */
export function withoutLiterals(statement: string, dialect: Dialect): string {
  const parts = PARTS[dialect];
  let shown = '';
  let literals = Number.POSITIVE_INFINITY;
  let at = 0;
  while (at < statement.length && shown.length < 4 * MOST_CHARACTERS) {
    const next = partAt(statement, at, parts);
    if (next.becomes === 'end') {
      // Where one text has no end, it is not certain which parts are texts.
      shown = `${shown.slice(0, literals)} …`;
      break;
    }
    if (next.becomes === 'literal') literals = Math.min(literals, shown.length);
    shown += next.becomes === 'gone' ? ' ' : next.becomes === 'literal' ? '?' : bare(next.text);
    at += next.text.length;
  }
  const line = shown
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replaceAll('`', "'")
    // The value of a setting needs no quotation marks.
    .replace(/^(\s*set\s+(?:\w+\s+)?[\w.@]+\s*(?:=|\bto\b|\s)).*$/iu, '$1 ?')
    .replaceAll(/\?(?:\s*,\s*\?)+/gu, '?, …')
    .replaceAll(/(?:\(\?(?:, …)?\)\s*,\s*)+(?=\(\?(?:, …)?\))/gu, '')
    .trim();
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line;
}

/** MySQL's quotation marks end a code span, and names without them mean the same nearly always. */
function bare(text: string): string {
  return text.startsWith('`') ? text.replaceAll('`', '') : text;
}

function partAt(text: string, at: number, parts: readonly Part[]): { text: string; becomes: Part[1] } {
  for (const [pattern, becomes] of parts) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null && found[0] !== '') return { text: found[0], becomes };
  }
  return { text: String.fromCodePoint(text.codePointAt(at) ?? 32), becomes: 'kept' };
}

/** The tables that a statement without literals names, in small letters, without schema and quotes. */
export function tablesOf(statement: string): string[] {
  const names = statement.matchAll(
    /\b(?:from|join|into|update|table|only|truncate|vacuum|analyze)\s+(?<name>(?:[`"]?[\p{L}_][\p{L}\p{N}_$]*[`"]?\.)?[`"]?[\p{L}_][\p{L}\p{N}_$]*[`"]?)/giu,
  );
  const found = [...names].map(({ groups }) => lastPart(groups?.name ?? ''));
  return [...new Set(found)].filter(
    (name) => !/^(?:only|select|lateral|set|table|if|values|as)$/u.test(name),
  );
}

/** The name of a table without its schema and quotes, in small letters. */
export function lastPart(name: string): string {
  return name
    .slice(name.lastIndexOf('.') + 1)
    .replaceAll(/[`"]/gu, '')
    .toLowerCase();
}

/** A name that a database gives, for a sentence: one line, of limited length, never Markdown. */
export function plainName(text: string, most = 80): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replaceAll('`', "'")
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
