import type { Exported, StateFinding } from '../model.ts';
import type { Departing } from './departing.ts';
import { amount, queryOf, rounded, speaksOfFailure, timeOfDay, written } from './words.ts';

/** It is a fact beside a cause. */
const SEEN = 0.6;
/** Four times what it was, or from or to nothing. */
const FAR = 2;
/** Three times, or a third. */
const MEANT_FAR = Math.log2(3);
const MOST_TOLD = 3;
const MOST_OWNERS = 2;
const LONGEST_HELP = 90;
/** What departs within so many milliseconds of the first departs with it. */
const TOGETHER = 30_000;

interface Of {
  all: readonly Exported[];
  owner: (series: Exported) => string;
  /** Which name that the alert states it bears; `null` if none. */
  meant: (series: Exported) => string | null;
}

/** What else departed: of what the alert names in one finding, and one for each other target, ranked by how far. */
export function departuresIn(departed: readonly Departing[], { all, owner, meant }: Of): StateFinding[] {
  // What takes less time than before is no trouble.
  const isFaster = ({ of, before, now }: Departing) =>
    of.unit === 's' && of.type !== 'counter' && now < before;
  const named = departed.filter((one) => meant(one.of) !== null && one.far >= MEANT_FAR && !isFaster(one));
  // Which way is bad is not known of what the alert means: it is told either way.
  const others = departed.filter(
    ({ of, far, before, now }) =>
      meant(of) === null && far >= FAR && now > before && !isNegligible(of, now) && speaksOfFailure(of),
  );
  const target = (one: Exported) => `${owner(one)} ${one.labels.job}`;
  const shared = sharedLabels(all, target);
  const clause = (departing: Departing) =>
    clauseOn(departing, { all, without: shared.get(target(departing.of)) ?? new Set() });
  // What within a target departs, such as a queue, says more than the whole.
  const isWhole = ([service, some]: readonly [string, readonly Departing[]]) =>
    Number(some.some(({ of }) => of.service === service));
  const targets = [...Map.groupBy(others, ({ of }) => owner(of))].sort((a, b) => isWhole(a) - isWhole(b));
  const findings = targets.flatMap(([service, some]) =>
    episodesOf(some).map((together) => findingOn([[service, together]], clause, 'departs')),
  );
  if (named.length === 0) return findings;
  const owners = [...Map.groupBy(named, ({ of }) => meant(of) ?? owner(of))].toSorted(
    ([, a], [, b]) => farthest(b) - farthest(a),
  );
  // What the alert names and what it measures are said where nothing else is found.
  return [findingOn(owners.slice(0, MOST_OWNERS), clause, 'alert'), ...findings];
}

/** Seconds a second are a share of the time: less than this is nothing, whatever it was before. */
const LEAST_SHARE = 0.01;

function isNegligible({ type, unit }: Exported, now: number): boolean {
  return type === 'counter' && unit === 's' && now < LEAST_SHARE;
}

interface Clause {
  text: string;
  /** Whether it says what is used up. */
  isKnown: boolean;
}

function findingOn(
  owners: readonly (readonly [string, readonly Departing[]])[],
  clause: (departing: Departing) => Clause,
  cause: 'alert' | 'departs',
): StateFinding {
  const service = owners[0]?.[0] ?? '';
  const shown = owners.map(([name, some]) => {
    const clauses = some
      .map((one) => ({ one, said: clause(one) }))
      .toSorted(
        (a, b) =>
          Number(b.said.isKnown) - Number(a.said.isKnown) ||
          b.one.far - a.one.far ||
          a.one.since - b.one.since,
      );
    return { name, clauses: distinctBy(clauses, ({ one }) => one.of.name).slice(0, MOST_TOLD) };
  });
  // It begins with the first that is told.
  const since = Math.min(...shown.flatMap(({ clauses }) => clauses.map(({ one }) => one.since)));
  const at = (one: Departing) => (one.since > since + TOGETHER ? ` at ${timeOfDay(one.since)}` : '');
  const told = shown.map(({ name, clauses }) => {
    const text = clauses.map(({ one, said }) => `${said.text}${at(one)}`).join('; ');
    return { text: name === service ? text : `${name}: ${text}`, query: clauses[0]?.one.of };
  });
  const query = told[0]?.query;
  return {
    object: `app/${service}`,
    cause,
    namespace: null,
    sentence: `${service} has changed since ${timeOfDay(since)}: ${told.map(({ text }) => text).join('; ')}.`,
    evidence: [],
    show: null,
    mend: null,
    confidence: SEEN,
    source: 'prometheus',
    ...(query && { query: queryOf(query) }),
    since,
  };
}

function clauseOn(
  { of, before, now }: Departing,
  { all, without }: { all: readonly Exported[]; without: ReadonlySet<string> },
): Clause {
  const labels = Object.fromEntries(Object.entries(of.labels).filter(([label]) => !without.has(label)));
  const name = written({ name: of.name, labels });
  const went = `${now > before ? 'rose' : 'fell'} from ${amount(before, of)} to ${amount(now, of)}`;
  const resource = resourceOf({ of, before, now }, all);
  if (resource !== null) return { text: `${resource} (\`${name}\` ${went})`, isKnown: true };
  const help = of.help === '' || of.help.length > LONGEST_HELP ? '' : ` (${of.help.replace(/\.$/u, '')})`;
  return { text: `\`${name}\`${help} ${went}`, isKnown: false };
}

/** The labels of which all series of a target have one value: they tell none of them from another. */
function sharedLabels(all: readonly Exported[], target: Of['owner']): Map<string, Set<string>> {
  return new Map(
    [...Map.groupBy(all, target)].map(([name, some]) => {
      const labels = new Set(some.flatMap((one) => Object.keys(one.labels)));
      const isShared = (label: string) => new Set(some.map((one) => one.labels[label])).size === 1;
      return [name, new Set([...labels].filter(isShared))];
    }),
  );
}

function farthest(departed: readonly Departing[]): number {
  return Math.max(...departed.map(({ far }) => far));
}

/** What departed at about one time, the first first. */
function episodesOf(departed: readonly Departing[]): Departing[][] {
  const episodes: Departing[][] = [];
  for (const one of departed.toSorted((a, b) => a.since - b.since)) {
    const last = episodes.at(-1);
    if (last?.[0] !== undefined && one.since <= last[0].since + TOGETHER) last.push(one);
    else episodes.push([one]);
  }
  return episodes;
}

export function distinctBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(key(item)) && seen.add(key(item)));
}

/*
 * A resource that is nearly used up, by the words of its metric alone: what is left of it fell, or its share rose. The other
 * words say which resource it is.
 */

/** What is left of something. */
const FREE = /^(?:free|freeable|avail(?:able)?|remaining|unused|idle)$/u;
const SHARE = /^(\w*?)(?:utili[sz]ation|usage|used)$/u;
/** How something is counted, and what of several samples it is. */
const NOT_A_NAME =
  /^(?:bytes|seconds|percent|ratio|total|current|count|average|mean|minimum|maximum|min|max|sum)$/u;
/** A quarter of what was left. */
const LEFT = 1 / 4;
const NEARLY = 0.85;

/** `the storage space is running out`, `the CPU is at 91.7 %`; `null` if the words say none of it. */
function resourceOf(
  { of, before, now }: Pick<Departing, 'of' | 'before' | 'now'>,
  all: readonly Exported[],
): string | null {
  const words = of.name
    .replaceAll(/([a-z])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split('_')
    .slice(sharedWords(of, all));
  const noun = (some: readonly string[]) => some.map((word) => (word === 'cpu' ? 'CPU' : word)).join(' ');
  const rest = words.filter((word) => !FREE.test(word) && !NOT_A_NAME.test(word));
  const part = Object.entries(of.labels).find(([, value]) => FREE.test(value));
  if (part !== undefined && rest.length > 0) {
    const share = shareUsed(of, part[0], all);
    return share === null || share < NEARLY ? null : `the ${noun(rest)} is at ${rounded(100 * share)} %`;
  }
  if (of.type === 'counter') return null;
  if (words.some((word) => FREE.test(word)))
    return rest.length > 0 && now <= LEFT * before ? `the ${noun(rest)} is running out` : null;
  const shared = words.findIndex((word) => SHARE.test(word));
  const of100 = of.points.values.some((value) => value > 1.5) ? 100 : 1;
  if (shared < 0 || now < NEARLY * of100 || now > of100 || now < before) return null;
  const what = [...words.slice(0, shared), SHARE.exec(words[shared] ?? '')?.[1] ?? ''].filter(Boolean);
  return what.length === 0 ? null : `the ${noun(what)} is at ${rounded((100 * now) / of100)} %`;
}

/** With how many words all names of its target begin: `aws_rds_`. */
function sharedWords(of: Exported, all: readonly Exported[]): number {
  const names = [...new Set(all.flatMap(({ name, service }) => (service === of.service ? [name] : [])))].map(
    (name) => name.split('_'),
  );
  const [first = []] = names;
  const differs = first.findIndex((word, i) => names.some((name) => name[i] !== word));
  return names.length < 2 || differs < 0 ? 0 : differs;
}

/** Of the parts of a whole, of which a label says that one is free, the share of the others. */
function shareUsed(of: Exported, label: string, all: readonly Exported[]): number | null {
  let [free, whole] = [0, 0];
  for (const one of all) {
    if (one.name !== of.name || one.labels.instance !== of.labels.instance) continue;
    const value = one.points.values.at(-1) ?? 0;
    whole += value;
    if (FREE.test(one.labels[label] ?? '')) free += value;
  }
  return whole > 0 ? 1 - free / whole : null;
}
