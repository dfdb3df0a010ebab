import { describe, expect, it } from 'vitest';
import { filesBelow, projectFile, projectRoot } from '../../support/files.ts';
import { byMeaning, FIXTURES, linesBelow, readVocabulary, weigh } from './weighed-words.ts';

const lines = linesBelow(FIXTURES);
const meanings = [...byMeaning(readVocabulary())];

describe('the words of the vocabulary', () => {
  it.each(meanings)('“%s”: each wins a line of the fixture that it names', (_, rows) => {
    const worth = weigh(rows, [...lines.keys()]);
    const idle = rows.filter(
      ({ word, fixture }) => !worth.get(word)?.wins.some((line) => lines.get(line) === fixture),
    );
    expect(idle).toStrictEqual([]);
  });

  it('have a meaning that is asked for', () => {
    const code = filesBelow(`${projectRoot}src/bot/alerts`, (path) => path.endsWith('.ts'))
      .map((path) => projectFile(`src/bot/alerts/${path}`))
      .join('\n');
    const asked = (meaning: string) => code.includes(`'${meaning.replace(/^label: .*/u, 'severity')}'`);
    expect(meanings.map(([meaning]) => meaning).filter((meaning) => !asked(meaning))).toStrictEqual([]);
  });
});
