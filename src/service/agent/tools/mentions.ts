import { patternOf } from '../../investigation/log-patterns.ts';
import type { Change, LogLine, Window } from '../../telemetry/model.ts';
import { type Catalog, isNamedAfter, ofThings } from '../catalog/find.ts';
import { labelsIn, labelsOf } from '../catalog/labels.ts';
import { stem, wordsOfName } from '../catalog/terms.ts';
import { AS_ALWAYS, pastIn } from '../moment.ts';
import { isRunOf } from '../names.ts';
import type { Facts } from '../types.ts';
import { changesCalledIn, isWord, MAY_BE_NAMED } from '../unknown.ts';
import { type Look, type Quantities, quantities } from './quantity.ts';
import { type Shares, sharesOf } from './shares.ts';
import { type Shown, verdictOf } from './verdict.ts';

/** Where words that no tool is about stand: in names and labels of metrics, in changes, in evidence, in log lines. */
export interface Mentions {
  /** Those of the words that were found, and those that nothing has. */
  words: string[];
  left: string[];
  /** What of each value of their label fails, or is more than before, where they are values. */
  shares: Shares | null;
  metrics: Quantities | null;
  look: Look;
  /** Newest first. */
  changes: Change[];
  /** Of the results of the thread's issue. */
  evidence: Shown[];
  /** How many lines of the last hour have the word, and the newest of each pattern. */
  lines: { count: number; newest: LogLine[] };
}

const HOUR = 3_600_000;
const MOST_SHOWN = 3;
/** A word in more metrics than these, none of them of what is asked about, means none of them. */
const MOST_METRICS = 5;
/** Shorter words stand in many lines. */
const LEAST_LETTERS = 5;

/** Looks for words of a question in all that may be read; `null` where nothing has any of them. */
export async function mentionsOf(
  words: readonly string[],
  { asked, services, over }: { asked: string; services: readonly string[]; over: Window },
  facts: Facts,
): Promise<Mentions | null> {
  const { catalog, thread, now } = facts;
  const things = [...new Set([...services, ...(thread?.services ?? [])])];
  const past = await pastIn(asked, { ...facts, services: things, began: thread?.onset ?? null });
  const look: Look = { ...PLAINLY, over, past, isOfUsual: AS_ALWAYS.test(asked) };
  const telling = words.filter((word) => !isWord(word));
  const values = telling.join(' ');
  const isOfValues = labelsIn(values, labelsOf(catalog)).length > 0;
  const shares = isOfValues && things.length > 0 ? await sharesOf(values, things, facts) : null;
  const meant =
    catalog === null || shares !== null
      ? []
      : measured(telling, services.length > 0 ? services : things, catalog, services.length > 0);
  const metrics =
    catalog === null || meant.length === 0
      ? null
      : await quantities(meant.join(' '), catalog, look, facts, things);
  const before = await facts.changes({ from: now - MAY_BE_NAMED, to: now + 1 });
  const called = changesCalledIn({ question: telling.join(' '), services: things }, before);
  const results = thread === null ? null : verdictOf(thread, facts);
  const shown = [...(results?.evidence ?? []), ...(results?.ruledOut ?? [])].map((one) => ({
    one,
    has: telling.filter((word) => wordsOfName(`${one.title} ${one.description}`).includes(stem(word))),
  }));
  const evidence = shown.filter(({ has }) => has.length > 0);
  const isFound = shares !== null || metrics !== null || called !== null || evidence.length > 0;
  const said = isFound ? null : await linesWith(telling, facts);
  if (!isFound && said === null) return null;
  const found = new Set([
    ...(metrics === null ? [] : meant),
    ...(shares === null ? [] : telling),
    ...(called?.words ?? []),
    ...evidence.flatMap(({ has }) => has),
    ...(said === null ? [] : [said.word]),
  ]);
  return {
    words: words.filter((word) => found.has(word)),
    left: words.filter((word) => !found.has(word)),
    shares,
    metrics,
    look,
    changes: (called?.changes ?? []).toReversed().slice(0, MOST_SHOWN),
    evidence: evidence.map(({ one }) => one).slice(0, MOST_SHOWN),
    lines: said ?? { count: 0, newest: [] },
  };
}

const PLAINLY = {
  condition: null,
  except: [],
  isTimed: false,
  period: null,
  isOfCourse: false,
  isOfEnd: false,
  isOfSince: false,
  counted: null,
} satisfies Partial<Look>;

/**
 * The most of the words that one metric has in its name or among the values of its labels, of what is asked about or of
 * few metrics where nothing is named: a word that many have means none of them.
 */
function measured(
  words: readonly string[],
  things: readonly string[],
  catalog: Catalog,
  isOfThings: boolean,
): readonly string[] {
  const found = [...catalog.metrics.values()].flatMap((metric) => {
    const own = wordsOfName(metric.name);
    const values = Object.values(metric.labels).flat();
    const inName = words.filter((word) => own.includes(stem(word)));
    const has = words.filter((word) => inName.includes(word) || values.some((value) => isRunOf(word, value)));
    const isOwn =
      ofThings(metric, things) !== null || things.some((thing) => isNamedAfter(metric.name, thing));
    return has.length === 0 ? [] : [{ has, inName, isOwn }];
  });
  const [best] = [...Map.groupBy(found, ({ has }) => has.join(' ')).values()]
    .filter((alike) => alike.some(({ isOwn }) => isOwn) || (!isOfThings && alike.length <= MOST_METRICS))
    .map((alike) => ({
      has: alike[0]?.has ?? [],
      worth: (alike[0]?.has.length ?? 0) + Math.max(...alike.map(({ inName }) => inName.length)) / 10,
    }))
    .sort((a, b) => b.worth - a.worth);
  return best?.has ?? [];
}

async function linesWith(
  words: readonly string[],
  { search, now }: Facts,
): Promise<(Mentions['lines'] & { word: string }) | null> {
  for (const word of words.filter(({ length }) => length >= LEAST_LETTERS)) {
    const reading = await search(word, null, { from: now - HOUR, to: now + 1 });
    // `preview` says nothing of a review.
    const lines = (reading.known ? reading.value : []).filter(({ message }) =>
      wordsOfName(message).includes(stem(word)),
    );
    if (lines.length === 0) continue;
    const patterns = [...Map.groupBy(lines, ({ message }) => patternOf(message)).values()];
    const newest = patterns
      .toSorted((a, b) => b.length - a.length)
      .flatMap((lines) => lines.at(-1) ?? [])
      .slice(0, MOST_SHOWN);
    return { word, count: lines.length, newest };
  }
  return null;
}
