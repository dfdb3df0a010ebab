import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename } from 'node:path';
import { recordedSnapshots, type Verdict, verdictOn } from '../../src/tools/rca.ts';
import { grid } from './measure.ts';
import { type RightAnswer, rankOf, readAnswers, share, systemsIn } from './rca.ts';

const RANKING = new URL('../../src/service/investigation/ranking/', import.meta.url);

/** A number in the ranking's source that somebody chose. */
interface Constant {
  name: string;
  file: string;
  value: number;
}

/** The ranking with one constant changed. */
interface Variant {
  constant: Constant;
  value: number;
  ranker: Parameters<typeof verdictOn>[2];
}

/** Units, and limits of what is read or kept: they decide nothing about a cause. */
const NO_CHOICES = new Set(['MINUTE', 'DAY', 'MOST_SPANS', 'MOST_PAST']);

function constantsOf(file: string): Constant[] {
  const source = readFileSync(new URL(file, RANKING), 'utf8');
  return [...source.matchAll(/^(?:export )?const ([A-Z_]+) = ([\d_. *]+|[\d_]+ \* MINUTE);/gmu)]
    .map(([, name = '', value = '']) => ({ name, file, value: numberOf(value) }))
    .filter(({ name }) => !NO_CHOICES.has(name));
}

function numberOf(product: string): number {
  return product
    .replace('MINUTE', '60_000')
    .split('*')
    .reduce((all, factor) => all * Number(factor.replaceAll('_', '')), 1);
}

/** Half of it and half more; of a share above one half, what is left to one. */
function changed({ value }: Constant): number[] {
  const isLargeShare = value > 0.5 && value < 1;
  return [0.5, 1.5].map((by) => Number((isLargeShare ? 1 - (1 - value) * by : value * by).toPrecision(6)));
}

/** What takes long and depends on one snapshot alone, so that variants which leave it as it is share it. */
const SHARED = /export function (takeApart|chargesFromSpans|chargesFromLines|departures|movements)\(/u;

/** A module that is asked for as `rank.ts?SYMPTOM=0.25` is loaded anew, with whatever imports the constant's file. */
function loadVariants(files: readonly string[]): void {
  const importsOf = (file: string) =>
    files.filter((other) => readFileSync(new URL(file, RANKING), 'utf8').includes(`'./${other}'`));
  const dependsOn = (file: string, on: string): boolean =>
    file === on || importsOf(file).some((other) => dependsOn(other, on));
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const query = new URL(context.parentURL ?? 'file:///').searchParams;
      const isRanking = found.url.startsWith(RANKING.href) && query.has('file');
      if (!isRanking || new URL(found.url).search !== '') return found;
      const of = dependsOn(basename(found.url), query.get('file') ?? '') ? query : SAME;
      return { ...found, url: `${found.url}?${of}` };
    },
    load(url, context, next) {
      const { searchParams, pathname } = new URL(url);
      const loaded = next(url, context);
      const [name, value] = [searchParams.get('name'), searchParams.get('value')];
      if (!searchParams.has('file')) return loaded;
      const source = String(loaded.source);
      if (basename(pathname) === searchParams.get('file'))
        return {
          ...loaded,
          source: source.replace(new RegExp(`^((?:export )?const ${name}) = .*$`, 'mu'), `$1 = ${value};`),
        };
      return { ...loaded, source: searchParams.get('file') === 'none' ? remembering(source) : source };
    },
  });
}

const SAME = new URLSearchParams({ file: 'none' });

function remembering(source: string): string {
  const name = SHARED.exec(source)?.[1];
  if (name === undefined) return source;
  return `${source.replace(SHARED, 'function $1Anew(')}
const remembered = new WeakMap();
export function ${name}(of, ...others) {
  if (!remembered.has(of)) remembered.set(of, ${name}Anew(of, ...others));
  return remembered.get(of);
}`;
}

async function rankerWith(query: URLSearchParams): Promise<NonNullable<Variant['ranker']>> {
  const load = (file: string, of: URLSearchParams) => import(`${new URL(file, RANKING).href}?${of}`);
  const isIn = (file: string) => query.get('file') === file;
  const [{ rankCauses }, { blamedChange }] = await Promise.all([
    load('rank.ts', isIn('blamed-change.ts') ? SAME : query),
    load('blamed-change.ts', isIn('blamed-change.ts') ? query : SAME),
  ]);
  return { rankCauses, blamedChange };
}

/** What came of the cases of one system. */
interface Tally {
  faults: number;
  first: number;
  quiet: number;
  peace: number;
  changes: number;
  named: number;
  decoys: number;
}

function nothingYet(): Tally {
  return { faults: 0, first: 0, quiet: 0, peace: 0, changes: 0, named: 0, decoys: 0 };
}

function count(tally: Tally, verdict: Omit<Verdict, 'ms'>, answer: RightAnswer): void {
  if (answer.none === true) {
    tally.quiet++;
    if (!verdict.found) tally.peace++;
    return;
  }
  tally.faults++;
  if (rankOf(verdict, answer) === 0) tally.first++;
  if (answer.change === undefined) return;
  tally.changes++;
  if (verdict.change === answer.change) tally.named++;
  if (answer.decoys?.some((ref) => ref === verdict.change)) tally.decoys++;
}

/** The share of its cases that a system gets right; a decoy costs a case. */
function rightness({ faults, first, quiet, peace, changes, named, decoys }: Tally): number {
  return (first + peace + named - decoys) / (faults + quiet + changes);
}

function shown({ faults, first, quiet, peace, changes, named, decoys }: Tally): string {
  const change = changes === 0 ? [] : [share(named, changes), share(decoys, changes)];
  return [share(first, faults), share(peace, quiet), ...change].filter((one) => one !== '').join(' ');
}

/** Two days, or two kinds of traffic, are one system: what fits one of them fits the other. */
function systemOf(folder: string): string {
  return folder.replace(/-(?:day\d+|low|temporal\d+)$/u, '');
}

/**
 * How far the figures hang on the ranking's constants: each is changed by half, and all cases are judged again. *Leave
 * one system out*: which of the three values the other systems alone would have chosen, and what that costs the one.
 *
 * @param only names of constants; `null`: all
 */
export async function benchSensitivity(folder: string, only: readonly string[] | null): Promise<string> {
  const files = readdirSync(RANKING).filter((file) => file.endsWith('.ts'));
  loadVariants(files);
  const constants = files.flatMap(constantsOf).filter(({ name }) => only?.includes(name) ?? true);
  const variants: Variant[] = [];
  for (const constant of constants)
    for (const value of changed(constant)) {
      const query = new URLSearchParams({ file: constant.file, name: constant.name, value: String(value) });
      variants.push({ constant, value, ranker: await rankerWith(query) });
    }
  const asItIs = await rankerWith(SAME);
  const tallies = new Map<Variant | null, Map<string, Tally>>(
    [null, ...variants].map((one) => [one, new Map()]),
  );
  for (const { name, path } of await systemsIn(folder)) {
    const answers = await readAnswers(path);
    const system = systemOf(name);
    for await (const { one, snapshot } of recordedSnapshots(path)) {
      const answer = answers[one.id];
      if (answer === undefined) continue;
      for (const [variant, systems] of tallies) {
        const tally = systems.get(system) ?? nothingYet();
        systems.set(system, tally);
        count(tally, verdictOn(one, snapshot, variant?.ranker ?? asItIs), answer);
      }
    }
  }
  return tableOf(constants, tallies);
}

function tableOf(
  constants: readonly Constant[],
  tallies: ReadonlyMap<Variant | null, ReadonlyMap<string, Tally>>,
): string {
  const now = tallies.get(null) ?? new Map<string, Tally>();
  const systems = [...now.keys()];
  const cell = (of: ReadonlyMap<string, Tally>, system: string) => shown(of.get(system) ?? nothingYet());
  const labelOf = ({ constant: { name, file, value }, value: other }: Variant) =>
    `${file.replace('.ts', '')} ${name} ${value} → ${other}`;
  const changes = [...tallies].flatMap(([variant, of]) => {
    if (variant === null) return [];
    const cells = systems.map((system) => (cell(of, system) === cell(now, system) ? '·' : cell(of, system)));
    return cells.every((one) => one === '·') ? [] : [{ variant, of, cells }];
  });
  const still = constants.filter((one) => changes.every(({ variant }) => variant.constant !== one));
  const chosen = systems.flatMap((left) => {
    const others = systems.filter((system) => system !== left);
    const worth = (of: ReadonlyMap<string, Tally>) =>
      others.reduce((sum, system) => sum + rightness(of.get(system) ?? nothingYet()), 0);
    return [...Map.groupBy(changes, ({ variant }) => variant.constant).values()].flatMap((of) => {
      const [best] = of.toSorted((a, b) => worth(b.of) - worth(a.of));
      return best === undefined || worth(best.of) <= worth(now)
        ? []
        : [[left, labelOf(best.variant), cell(now, left), cell(best.of, left)]];
    });
  });
  return [
    grid([
      ['AS@1, left in peace, change, decoy', ...systems],
      ['as it is', ...systems.map((system) => cell(now, system))],
      ...changes.map(({ variant, cells }) => [labelOf(variant), ...cells]),
    ]),
    `of ${constants.length} constants, these change nothing anywhere: ${still.map(({ name, file }) => `${name} (${file.replace('.ts', '')})`).join(', ')}`,
    grid([['leave one system out', 'what the others would choose', 'as it is', 'so chosen'], ...chosen]),
  ].join('\n\n');
}
