import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  byMeaning,
  FIXTURES,
  linesBelow,
  readVocabulary,
  VOCABULARY,
  weigh,
} from '../bot/alerts/weighed-words.ts';

/**
 * `node test/bench/weigh-words.ts [--write] [FOLDER…]`: leaves out each word of the vocabulary in turn, and says how many
 * lines of the fixtures and of the folders it wins. With `--write`, a word is given a fixture that it wins, and one that wins
 * nothing goes, the rarest first.
 */
const isWriting = process.argv.includes('--write');
const folders = process.argv.slice(2).filter((word) => word !== '--write');
const fixtures = linesBelow(FIXTURES);
const others = new Map(folders.flatMap((folder) => [...linesBelow(folder)]));
const vocabulary = readVocabulary();

for (const [meaning, rows] of byMeaning(vocabulary)) {
  let left = rows;
  for (;;) {
    const worth = weigh(left, [...fixtures.keys()]);
    const idle = left.filter(({ word }) => worth.get(word)?.wins.length === 0);
    // Two words that cover each other are not both idle.
    const [covered, ...never] = idle.sort(
      (a, b) => (worth.get(b.word)?.found ?? 0) - (worth.get(a.word)?.found ?? 0),
    );
    const gone =
      worth.get(covered?.word ?? '')?.found === 0
        ? idle
        : [covered, ...never.filter(({ word }) => worth.get(word)?.found === 0)];
    if (covered === undefined || !isWriting) break;
    left = left.filter((row) => !gone.includes(row));
    for (const row of gone)
      Reflect.deleteProperty(vocabulary.get(row?.file ?? '')?.[meaning] ?? {}, row?.word ?? '');
    console.log(`${meaning}: wins nothing: ${gone.map((row) => row?.word).join(', ')}`);
  }
  const worth = weigh(left, [...fixtures.keys()]);
  const elsewhere = weigh(left, [...others.keys()]);
  for (const { file, word } of left) {
    const { wins = [] } = worth.get(word) ?? {};
    const words = vocabulary.get(file)?.[meaning];
    if (words !== undefined) words[word] = fixtures.get(wins[0] ?? '') ?? '';
    console.log(`${meaning}: “${word}” wins ${wins.length} and ${elsewhere.get(word)?.wins.length}`);
  }
}
if (isWriting)
  for (const [file, meanings] of vocabulary)
    writeFileSync(join(VOCABULARY, file), `${JSON.stringify(meanings, null, 2)}\n`);
