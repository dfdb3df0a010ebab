import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { plainText, withoutMarkup } from '../../../src/bot/alerts/slack-text.ts';
import { filesBelow, projectRoot } from '../../support/files.ts';

export const VOCABULARY = join(projectRoot, 'src/bot/alerts/vocabulary');
export const FIXTURES = import.meta.dirname;

const Language = z.record(z.string(), z.record(z.string(), z.string()));
type Language = z.output<typeof Language>;

/** Every language, by its file. */
export function readVocabulary(): Map<string, Language> {
  return new Map(
    readdirSync(VOCABULARY).map((file) => [
      file,
      Language.parse(JSON.parse(readFileSync(join(VOCABULARY, file), 'utf8'))),
    ]),
  );
}

/** What a file says beside its inputs. */
const ABOUT = new Set(['source', 'expected', 'what', 'notes', 'says', 'playable', 'observed', 'verdict']);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    ABOUT.has(key) ? [] : [key.replace(/(?<=[a-z])(?=[A-Z])|[_.]/gu, ' '), ...textsIn(one)],
  );
}

/** The lines of messages and payloads below a folder, in lower case, each with the first file that has it. */
export function linesBelow(folder: string): Map<string, string> {
  const lines = new Map<string, string>();
  const files = statSync(folder).isDirectory() ? filesBelow(folder, (path) => path.endsWith('.json')) : [];
  for (const file of [...files].sort()) {
    for (const text of textsIn(JSON.parse(readFileSync(join(folder, file), 'utf8')))) {
      for (const line of text.split('\n')) {
        const plain = withoutMarkup(plainText(line.slice(0, 400)))
          .toLowerCase()
          .trim();
        if (plain !== '' && !lines.has(plain)) lines.set(plain, file.replace(/\.json$/u, ''));
      }
    }
  }
  return lines;
}

/** Words of one meaning, and what each matches. */
function expressionOf(word: string, isEnglish: boolean): RegExp {
  const pattern = /^[\p{L}_]+$/u.test(word) ? word.replaceAll('_', '[ _-]') : word;
  return new RegExp(
    isEnglish ? `(?<![\\p{L}\\d])(?:${pattern})(?:(?![\\p{L}\\d])|(?<=\\s))` : `(?:${pattern})`,
    'iu',
  );
}

/** What a word of a meaning is worth: it wins a line where it says something that no other word of the meaning covers. */
export interface Worth {
  word: string;
  /** On how many lines it is. */
  found: number;
  wins: string[];
}

/** The words of a meaning, each weighed against the others. */
export function weigh(
  words: readonly { word: string; isEnglish: boolean }[],
  lines: readonly string[],
): Map<string, Worth> {
  const expressions = words.map(({ word, isEnglish }) => ({
    word,
    expression: expressionOf(word, isEnglish),
  }));
  const worth = new Map(words.map(({ word }): [string, Worth] => [word, { word, found: 0, wins: [] }]));
  for (const line of lines) {
    const found = expressions.flatMap(({ word, expression }) => {
      const match = expression.exec(line);
      return match ? [{ word, from: match.index, to: match.index + match[0].length }] : [];
    });
    for (const { word, from, to } of found) {
      const isCovered = found.some((other) => other.word !== word && other.from <= from && other.to >= to);
      const own = worth.get(word);
      if (own) own.found += 1;
      if (!isCovered) own?.wins.push(line);
    }
  }
  return worth;
}

/** The words of each meaning, over all languages. */
export function byMeaning(
  vocabulary: ReadonlyMap<string, Language>,
): Map<string, { file: string; word: string; fixture: string; isEnglish: boolean }[]> {
  const rows = [...vocabulary].flatMap(([file, meanings]) =>
    Object.entries(meanings).flatMap(([meaning, words]) =>
      Object.entries(words).map(([word, fixture]) => ({
        meaning,
        file,
        word,
        fixture,
        isEnglish: file === 'en.json',
      })),
    ),
  );
  return Map.groupBy(rows, ({ meaning }) => meaning);
}
