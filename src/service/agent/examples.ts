import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dimensionIn } from './catalog/labels.ts';
import { isMistyped } from './catalog/terms.ts';
import { idIn, literalIn } from './logs.ts';
import { nameIn } from './metric.ts';
import { namesIn } from './names.ts';
import { TRACE_ID } from './traces.ts';
import { isYesNo, profileIn, type Turn } from './understand.ts';

/**
 * Questions by what answers them, a tool or one aspect of it; names are dots. The first of each is offered where it is not
 * clear what is asked. They were written for this project, many by people who had not read it.
 */
export const EXAMPLES = z
  .record(z.string(), z.array(z.string()).min(1))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')));

/** What a question may ask for, and how likely that is by its words. */
interface Route {
  tool: string;
  aspect: string | null;
  /** Of one, over all that may be asked for. */
  share: number;
}

type Words = Pick<Turn, 'question' | 'words' | 'named'>;
/** What answers a question, the likeliest first. */
export type Routes = (asked: Words) => Route[];

const ISSUE = /#\d|\b(?:issue|incident) \d/iu;

const ROUNDS = 8;
const PIECES = [3, 4];
/** A piece of a word says less than the word. */
const PIECE_WEIGHT = 0.5;
const NAMESPACE =
  /\b(?:in )?(?:the )?namespaces? (?:called )?[·\w-]+|\bnamespace-\w+|\b(?:in )?(?:the )?[·\w-]+ namespace\b/gu;

function tokensOf(words: string): string[] {
  const plain = words
    .toLowerCase()
    .replaceAll(NAMESPACE, ' ·ns ')
    .replaceAll(/\d{1,2}:\d\d/gu, 'TIME')
    .replaceAll(/(?:\b(?:issue|incident) )?#?\d+(?:\.\d+)*/gu, 'NUMBER');
  return plain.match(/[\p{L}']+|·(?:ns)?|%/gu) ?? [];
}

function textOf({ question, words }: Pick<Words, 'question' | 'words'>): string {
  return [ISSUE.test(question) ? '#' : '', ...tokensOf(words)].join(' ');
}

/** What a question is told by: its words, pairs of them, pieces of each (people mistype), and what it names. */
function featuresOf({ question, words, named }: Words): string[] {
  const tokens = tokensOf(words);
  const ends = ['^', ...tokens, '$'];
  const pieces = tokens.flatMap((token) =>
    PIECES.flatMap((size) =>
      Array.from({ length: Math.max(0, token.length + 3 - size) }, (_, at) =>
        ` ${token} `.slice(at, at + size),
      ),
    ),
  );
  const signs = {
    quote: literalIn(question, named) !== null,
    id: named.length === 0 && idIn(question) !== null,
    issue: ISSUE.test(question),
    trace: TRACE_ID.test(question),
    metric: nameIn({ question, named }) !== null,
    measure: profileIn(words) !== null,
    label: dimensionIn(words) !== null,
    yesNo: isYesNo(question),
    name: words.includes('·'),
  };
  return [
    ...new Set([
      ...tokens.map((token) => `${WORD} ${token}`),
      ...ends.slice(1).map((token, i) => `pair ${ends[i]} ${token}`),
      ...pieces.map((piece) => `${PIECE} ${piece}`),
      ...Object.entries(signs).flatMap(([sign, has]) => (has ? [`sign ${sign}`, `signs ${sign}`] : [])),
      `length ${Math.min(4, Math.floor(Math.log2(ends.length)))}`,
    ]),
  ];
}
const WORD = 'word';
const PIECE = 'piece';

interface Vector {
  at: number[];
  values: number[];
}

/**
 * Learns from examples what their words ask for: multinomial logistic regression by stochastic gradient descent, the same
 * each time. It takes a second or two.
 */
export function learn(examples: Readonly<Record<string, readonly string[]>>): Routes {
  const labels = Object.keys(examples);
  const all = labels.flatMap((label, of) =>
    (examples[label] ?? []).map((text) => {
      const { question, words } = namesIn(text, []);
      return {
        of,
        text: textOf({ question, words }),
        features: featuresOf({ question, words, named: words.includes('·') ? ['·'] : [] }),
      };
    }),
  );
  const counts = new Map<string, number>();
  for (const feature of all.flatMap(({ features }) => features))
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const known = [...counts].filter(([, count]) => count > 1);
  const indices = new Map(known.map(([feature], i) => [feature, i]));
  const worth = known.map(
    ([feature, count]) => Math.log(1 + all.length / count) * (feature.startsWith(PIECE) ? PIECE_WEIGHT : 1),
  );
  const vectorOf = (features: readonly string[]): Vector => {
    const at = features.flatMap((feature) => indices.get(feature) ?? []);
    const length = Math.hypot(...at.map((i) => worth[i] ?? 0)) || 1;
    return { at, values: at.map((i) => (worth[i] ?? 0) / length) };
  };
  const weights = new Float32Array(known.length * labels.length);
  const shares = (vector: Vector) => sharesOf(vector, weights, labels.length);
  const vectors = all.map(({ of, features }) => ({ of, vector: vectorOf(features) }));
  for (let round = 0; round < ROUNDS; round++) {
    const rate = 1 / (1 + round / 20);
    for (const i of shuffled(vectors.length, round)) {
      const one = vectors[i];
      if (one !== undefined) step(one.vector, one.of, rate, weights, shares(one.vector));
    }
  }
  const exact = new Map<string, number | null>();
  for (const { text, of } of all) exact.set(text, exact.has(text) && exact.get(text) !== of ? null : of);
  return (asked) => {
    const same = exact.get(textOf(asked)) ?? null;
    const features = featuresOf(asked);
    // Of which no word was ever asked, nothing can be told.
    if (same === null && !features.some((feature) => feature.startsWith(WORD) && indices.has(feature)))
      return [];
    const found = shares(vectorOf(features));
    return labels
      .map((label, i) => {
        const [tool = '', aspect = null] = label.split(':');
        return { tool, aspect, share: same === null ? (found[i] ?? 0) : Number(same === i) };
      })
      .sort((a, b) => b.share - a.share);
  };
}

function sharesOf({ at, values }: Vector, weights: Float32Array, count: number): Float64Array {
  const shares = new Float64Array(count);
  for (let j = 0; j < at.length; j++) {
    const value = values[j] ?? 0;
    const from = (at[j] ?? 0) * count;
    for (let k = 0; k < count; k++) shares[k] = (shares[k] ?? 0) + value * (weights[from + k] ?? 0);
  }
  const most = Math.max(...shares);
  let sum = 0;
  for (let k = 0; k < count; k++) sum += shares[k] = Math.exp((shares[k] ?? 0) - most);
  for (let k = 0; k < count; k++) shares[k] = (shares[k] ?? 0) / sum;
  return shares;
}

/** Less than this moves nothing. */
const LEAST_MOVE = 0.002;

/** Moves the weights of what an example is told by towards what answers it. */
function step({ at, values }: Vector, of: number, rate: number, weights: Float32Array, shares: Float64Array) {
  for (let k = 0; k < shares.length; k++) {
    const move = rate * ((k === of ? 1 : 0) - (shares[k] ?? 0));
    if (Math.abs(move) < LEAST_MOVE) continue;
    for (let j = 0; j < at.length; j++) {
      const index = (at[j] ?? 0) * shares.length + k;
      weights[index] = (weights[index] ?? 0) + move * (values[j] ?? 0);
    }
  }
}

/** In an order that is as good as any, and the same each time. */
function shuffled(length: number, round: number): number[] {
  let seed = round + 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  const order = Array.from({ length }, (_, i) => ({ i, at: next() }));
  return order.sort((a, b) => a.at - b.at).map(({ i }) => i);
}

let learned: Routes | null = null;

/** Learns all examples, which takes a moment. */
export function learnRoutes(): Routes {
  learned ??= learn(EXAMPLES);
  return learned;
}

/** What answers a question, by all examples. */
export const routesOf: Routes = (asked) => learnRoutes()(asked);

const MOST_NEAR = 3;
const LEAST_NEAR = 0.2;
/** What is not offered: orders, thanks and what nobody here answers. */
const NOT_OFFERED = ['help', 'nothing'];

export function nearestTo(asked: Words): string[] {
  const [first, ...others] = routesOf(asked);
  if (first === undefined || NOT_OFFERED.includes(first.tool)) return [];
  return [first, ...others]
    .filter(({ tool, share }) => share >= LEAST_NEAR && !NOT_OFFERED.includes(tool))
    .slice(0, MOST_NEAR)
    .flatMap(({ tool, aspect }) => EXAMPLES[aspect === null ? tool : `${tool}:${aspect}`]?.[0] ?? []);
}

/** How often a word occurs in the examples of a tool, or of all, but for a slip. */
export function timesAsked(word: string, tool: string | null = null): number {
  return occurrences.get(`${tool ?? ''} ${spelled(word)}`) ?? 0;
}

/** Whether a word asks for something: what is only talked about, of whatever trade, is spread over all that may be asked. */
export function isAsking(word: string): boolean {
  const times = timesAsked(word);
  return times > LEAST_OFTEN * examples && times >= GATHERED * (spread.get(spelled(word))?.size ?? 0);
}

/** Of all examples, so many have a word that means something in a question, and so many on average of each label that has it. */
const LEAST_OFTEN = 0.0012;
const GATHERED = 1.5;

/** Whether a word asks for a tool: it asks for something, or is said of this more often than of all else. */
export function isAskedOf(word: string, tool: string): boolean {
  const times = timesAsked(word, tool);
  return times > 1 && (isAsking(word) || 2 * times > timesAsked(word));
}

function spelled(word: string): string {
  const lower = word.toLowerCase();
  const known = occurrences.has(` ${lower}`) ? lower : [...vocabulary].find((one) => isMistyped(lower, one));
  return known ?? lower;
}

/** Words that are long enough for a slip to be told. */
const vocabulary = new Set<string>();
const LEAST_LETTERS = 5;

const occurrences = new Map<string, number>();
const spread = new Map<string, Set<string>>();
const examples = Object.values(EXAMPLES).flat().length;
for (const [label, questions] of Object.entries(EXAMPLES))
  for (const word of questions.flatMap((one) => [...new Set(one.toLowerCase().match(/[\p{L}-]+/gu) ?? [])])) {
    if (word.length >= LEAST_LETTERS) vocabulary.add(word);
    spread.set(word, (spread.get(word) ?? new Set()).add(label));
    for (const key of [` ${word}`, `${label.split(':')[0]} ${word}`])
      occurrences.set(key, (occurrences.get(key) ?? 0) + 1);
  }
