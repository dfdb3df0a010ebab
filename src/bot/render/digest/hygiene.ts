import type { DataTableBlock, KnownBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { context, inSections, type Rendered, section } from '../rendered.ts';
import { dataTable, number, withTable, words } from '../table.ts';
import { count, SIMULATED } from '../words.ts';

interface RuleHygiene {
  /** What its alerts are called, without the service that they are about; untrusted. */
  rule: string;
  firings: number;
  issues: number;
  /** Issues whose alert recovered before anybody did anything. */
  alone: number;
  /** How long half of the firings lasted at most, in milliseconds; `null` where no recovery was seen. */
  typicalMs: number | null;
  muted: number;
  votedDown: number;
  /** Issues that turned out to be another one, or to have the cause of another one. */
  merged: number;
  /** Issues with which nobody did anything. */
  untouched: number;
}

export interface HygieneView {
  rules: readonly RuleHygiene[];
  days: number;
  channel: string;
  simulated: boolean;
}

const MOST_RULES = 10;
const MOST_IN_DIGEST = 5;
const MOST_NAME = 80;
const MINUTE = 60_000;

/** The answer of `/gumshoe hygiene`: which alerts of a channel are worth being woken up by. */
export function renderHygiene({ rules, days, channel, simulated }: HygieneView): Rendered {
  const [noisiest] = rules;
  if (noisiest === undefined) {
    const nothing = `No alert of <#${channel}> was filed in the last ${days} days.`;
    return fitMessage({ text: nothing, blocks: [section(nothing)] });
  }
  const all = rules.reduce((sum, { firings }) => sum + firings, 0);
  const head = `*Alerts of <#${channel}> in the last ${days} days*: ${count(all, 'firing')} of ${count(rules.length, 'rule')}`;
  const table = tableOf(rules, days);
  const left = rules.length - (table.rows.length - 1);
  return withTable(head, {
    before: [...(simulated ? [context(SIMULATED)] : []), section(head)],
    table: [table],
    instead: inSections([
      ...rules.slice(0, MOST_RULES).map(lineOf),
      ...(rules.length > MOST_RULES ? [fewer(rules.length - MOST_RULES)] : []),
    ]),
    after: [
      ...(left > 0 ? [context(fewer(left))] : []),
      context(
        `What would another \`for:\` or threshold change? Where Prometheus evaluates the rules, mention me with *replay* and a rule’s name, as in *replay ${literal(nameOf(noisiest))}*.`,
      ),
    ],
  });
}

/** What is counted of each rule; a column that is empty for all of them is left out. */
const COUNTS = [
  ['Recovered by itself', 'alone'],
  ['Nobody acted', 'untouched'],
  ['Muted', 'muted'],
  ['👎', 'votedDown'],
  ['Same cause as another', 'merged'],
] as const;

function tableOf(rules: readonly RuleHygiene[], days: number): DataTableBlock {
  const counts = COUNTS.filter(([, of]) => rules.some((rule) => rule[of] > 0));
  const isTimed = rules.some(({ typicalMs }) => typicalMs !== null);
  return dataTable(
    `Alerts by rule, the last ${days} days`,
    ['Rule', 'Fired', 'Issues', ...(isTimed ? ['Median duration'] : []), ...counts.map(([name]) => name)],
    rules.map((rule) => ({
      cells: [
        words(nameOf(rule)),
        number(rule.firings),
        number(rule.issues),
        ...(isTimed ? [words(rule.typicalMs === null ? '' : lasting(rule.typicalMs))] : []),
        ...counts.map(([, of]) => number(rule[of])),
      ],
      line: lineOf(rule),
    })),
  );
}

function fewer(rules: number): string {
  return `${count(rules, 'more rule')} fired less often.`;
}

/** The same at the end of a digest: those that fired most often. */
export function hygieneInDigest({ rules, days }: Pick<HygieneView, 'rules' | 'days'>): KnownBlock[] {
  const shown = rules.slice(0, MOST_IN_DIGEST);
  if (shown.length === 0) return [];
  const more = rules.length - shown.length;
  return inSections([
    `*Alert hygiene*, the last ${days} days`,
    ...shown.map((rule) => `• ${lineOf(rule)}`),
    ...(more > 0 ? [`… and ${count(more, 'rule')} that fired less often: \`/gumshoe hygiene\``] : []),
  ]);
}

function nameOf({ rule }: RuleHygiene): string {
  return cutAtWord(oneLine(clean(rule)), MOST_NAME);
}

function lineOf(rule: RuleHygiene): string {
  const { firings, issues, alone, typicalMs, muted, votedDown, merged, untouched } = rule;
  const of = (n: number) => (n === issues ? (issues === 1 ? 'it' : 'all of them') : String(n));
  const facts = [
    typicalMs === null ? '' : `median duration ${lasting(typicalMs)}`,
    alone > 0 ? `${of(alone)} recovered before anybody acted` : '',
    untouched > alone ? `nobody acted on ${of(untouched)}` : '',
    muted > 0 ? `${muted} muted` : '',
    votedDown > 0 ? `${votedDown} with 👎` : '',
    merged > 0 ? `${merged} shared the cause of another issue` : '',
  ].filter((fact) => fact !== '');
  const tail = facts.length === 0 ? '' : `: ${facts.join('; ')}`;
  return `*${literal(nameOf(rule))}* fired ${firings === 1 ? 'once' : `${firings} times`}, ${count(issues, 'issue')}${tail}`;
}

function lasting(ms: number): string {
  if (ms < MINUTE) return 'a minute';
  return ms < 120 * MINUTE
    ? count(Math.round(ms / MINUTE), 'minute')
    : count(Math.round(ms / (60 * MINUTE)), 'hour');
}
