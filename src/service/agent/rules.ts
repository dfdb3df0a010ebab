import { stringify } from 'yaml';
import { z } from 'zod';
import { median } from '../../lib/statistics.ts';
import { duration, joinNames } from '../investigation/format.ts';
import { type AlertRule, known, type Reading, type Series, type Window } from '../telemetry/model.ts';
import { momentOf } from './moment.ts';
import { type Condition, type Firing, keptOf, type Measured, missing, replay } from './replay.ts';
import { type Found, services, tool } from './tool.ts';
import type { Facts, IssueOverview } from './types.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 14;
/** A week of minutes is what Prometheus gives in one answer. */
const PIECE = 7 * DAY;
const LONGEST_GAP = 10 * MINUTE;
const FORS = [1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE);
const FACTORS = [1.5, 2];
/** What people acted on may be announced this much later by a rule that is suggested, not more. */
const MOST_LATER = 10 * MINUTE;
/** A rule is suggested that fires at most this share of the times. */
const WORTH_IT = 0.7;
const MOST_LISTED = 10;
const MOST_POINTS = 700;
const LONGEST_NAME = 200;
/** Rules may be evaluated oftener than samples are asked for. */
const ALERTS = 'count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[1m]) == 1)';
/** Since when anything is recorded. */
const RECORDED = 'count(up)';

/** Which alert rules are noisy? Replay HighErrorRate with another for. */
export const rules = tool({
  name: 'rules',
  answers:
    'how often alert rules fired in 14 days, which never did, and how a rule would have fired with another `for` or threshold',
  example: 'Which alert rules are noisy?',
  input: z.object({
    services,
    /** A rule's name, or a text with one in it; all rules if it names none. */
    rule: z.string().max(1_000).default(''),
    /** Whether it is asked if its threshold is too low, rather than how noisy it is. */
    isTooLow: z.boolean().default(false),
    /** Only those that never fired. */
    isNever: z.boolean().default(false),
  }),
  fill: ({ question, numberNamed }, { issue }) => ({
    services: [],
    // In an issue's thread, the rule is the one that filed it.
    rule: [question, numberNamed === null ? issue?.title : null].join(' ').slice(0, 1_000),
    isTooLow: /\bthreshold\b.*\b(?:low|tight|sensitive|strict)\b|\btoo (?:low|sensitive)\b/iu.test(question),
    isNever: /\bnever\b/iu.test(question),
  }),
  run: async ({ rule: about, isTooLow, isNever }, facts) => {
    const reading = await facts.rules();
    if (!reading.known) return none(`I can’t tell: ${reading.reason}`);
    if (reading.value.length === 0) return none('No source of telemetry here evaluates alert rules.');
    const lowered = about.toLowerCase();
    const named = reading.value
      .filter(({ name }) => lowered.includes(name.toLowerCase()))
      .sort((a, b) => b.name.length - a.name.length);
    const longest = named.filter(({ name }) => name === named[0]?.name);
    const [rule] = longest;
    if (rule === undefined || isNever) return await overview(reading.value, isNever, facts);
    const replayed = await replayed14Days(rule, isTooLow, facts);
    return longest.length === 1
      ? replayed
      : {
          ...replayed,
          text: `${replayed.text}\n\n${longest.length} rules have this name; this is the first of them.`,
        };
  },
});

function none(text: string): Found {
  return { data: { rules: [] }, text };
}

function span(facts: Facts): Window {
  return { from: facts.now - DAYS * DAY, to: facts.now + 1 };
}

/** The whole time in pieces that a server answers with a sample a minute. */
async function evaluated(expression: string, facts: Facts): Promise<Reading<Series[]>> {
  const { from, to } = span(facts);
  const bySeries = new Map<string, Series>();
  const caveats: string[] = [];
  for (let begin = from; begin < to; begin += PIECE) {
    const piece = await facts.evaluate(expression, { from: begin, to: Math.min(to, begin + PIECE) });
    if (!piece.known) return piece;
    caveats.push(...piece.caveats);
    for (const series of piece.value) {
      const key = keyOf(series);
      const before = bySeries.get(key);
      bySeries.set(key, before === undefined ? series : joined(before, series));
    }
  }
  return known([...bySeries.values()], [...new Set(caveats)]);
}

function keyOf({ labels }: Series): string {
  return Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function joined(a: Series, b: Series): Series {
  const last = a.points.times.at(-1) ?? 0;
  const first = b.points.times.findIndex((at) => at > last);
  if (first < 0) return a;
  const join = (x: Float64Array, y: Float64Array) => Float64Array.from([...x, ...y.subarray(first)]);
  return {
    ...a,
    points: { times: join(a.points.times, b.points.times), values: join(a.points.values, b.points.values) },
  };
}

/** How often each rule fired, and which never did. */
async function overview(all: readonly AlertRule[], isNever: boolean, facts: Facts): Promise<Found> {
  const reading = await evaluated(ALERTS, facts);
  if (!reading.known) return none(`I can’t tell which rules fired: ${reading.reason}`);
  const names = [...new Set(all.map(({ name }) => name))];
  const fired = reading.value
    .flatMap((series) => {
      const name = series.labels.alertname ?? '';
      const times = replay([{ alert: name, points: series.points }], { threshold: null, heldFor: 0 }, MINUTE);
      return names.includes(name) && times.length > 0 ? [{ name, ...statisticsOf(times) }] : [];
    })
    .sort((a, b) => b.firings - a.firings);
  const filed = await issuesOfLate(facts);
  const isFiled = (name: string) => filed.some(({ title }) => title.includes(name));
  const silent = names.filter((name) => !fired.some((one) => one.name === name) && !isFiled(name));
  const onlyFiled = names.filter((name) => !fired.some((one) => one.name === name) && isFiled(name));
  const unwatched = withCause(filed).filter(({ title }) => !names.some((name) => title.includes(name)));
  const never = `Never fired: ${listed(silent.map(code))}.`;
  const gap = await recordedIn(facts);
  const [first] = fired;
  const lines = [
    ...(isNever && silent.length > 0 && first !== undefined ? [never, ''] : []),
    first === undefined
      ? `No firing of the ${names.length} alert rules was recorded in the last ${DAYS} days: none fired, or they are evaluated where \`ALERTS\` is not recorded.`
      : `**${fired.length} of ${names.length} alert rules fired** in the last ${DAYS} days:`,
    ...(first === undefined ? [] : ['', tableOf(fired.slice(0, MOST_LISTED))]),
    ...(fired.length > MOST_LISTED ? ['', `${fired.length - MOST_LISTED} more fired less often.`] : []),
    ...(silent.length > 0 && first !== undefined && !isNever ? ['', never] : []),
    ...(onlyFiled.length > 0
      ? ['', `Not recorded as firing, but an issue was filed for it: ${listed(onlyFiled.map(code))}.`]
      : []),
    ...(gap === null ? [] : ['', gap]),
    ...(unwatched.length > 0
      ? [
          '',
          `A cause was found for these, and no rule is in their title, so perhaps nothing watches it: ${listed(unwatched.map(({ number, title }) => `#${number} ${code(title)}`))}.`,
        ]
      : []),
    ...(first === undefined
      ? []
      : ['', `“Replay ${code(first.name)}” tries it with another \`for\` and threshold.`]),
  ];
  return { data: { days: DAYS, rules: fired, never_fired: silent }, text: lines.join('\n') };
}

/** What others named, as it stands: nothing in it is Markdown, not even in a table. */
function code(name: string): string {
  const short = name.slice(0, LONGEST_NAME).toWellFormed();
  return `\`${short.replaceAll('`', "'").replaceAll('|', '¦').replace(/\s+/gu, ' ')}\``;
}

function listed(items: readonly string[]): string {
  const more = items.length - MOST_LISTED;
  return more > 0 ? `${items.slice(0, MOST_LISTED).join(', ')} and ${more} more` : joinNames(items);
}

interface Statistics {
  firings: number;
  total_minutes: number;
  median_minutes: number;
}

function statisticsOf(firings: readonly Firing[]): Statistics {
  const minutes = firings.map(({ from, to }) => (to - from + MINUTE) / MINUTE);
  return {
    firings: firings.length,
    total_minutes: Math.round(minutes.reduce((sum, one) => sum + one, 0)),
    median_minutes: minutes.length === 0 ? 0 : Math.round(median(minutes)),
  };
}

function tableOf(rows: readonly (Statistics & { name: string })[]): string {
  return [
    '| rule | fired | in all | half of them within |',
    '|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${code(row.name)} | ${times(row.firings)} | ${duration(row.total_minutes * MINUTE)} | ${duration(row.median_minutes * MINUTE)} |`,
    ),
  ].join('\n');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** A way to set a rule, and what it would have done. */
interface Variant {
  /** `for: 10m`, or `> 0.1`. */
  name: string;
  condition: Condition;
  firings: readonly Firing[];
  lost: number;
  later: number;
}

/** One rule over the last two weeks, as it is and with other settings. */
async function replayed14Days(rule: AlertRule, isTooLow: boolean, facts: Facts): Promise<Found> {
  const reading = await evaluated(rule.expression, facts);
  if (!reading.known) return none(`I can’t replay ${code(rule.name)}: ${reading.reason}`);
  const measured = reading.value.map((series): Measured => ({ alert: keyOf(series), points: series.points }));
  const now = { threshold: rule.threshold, heldFor: rule.heldFor };
  const firings = replay(measured, now, MINUTE);
  if (measured.length === 0 && rule.threshold !== null)
    return none(`I can’t replay ${code(rule.name)}: nothing that it measures was recorded in ${DAYS} days.`);
  const mattered = matteredOf(rule.name, firings, withCause(await issuesOfLate(facts)));
  const variants = conditionsLike(now).map(({ name, condition }): Variant => {
    const other = replay(measured, condition, MINUTE);
    return { name, condition, firings: other, ...keptOf(mattered, other) };
  });
  const different = variants.filter((one) => one.firings.length !== firings.length);
  const best = suggestionAmong(different, firings.length);
  show(reading.value, firings, facts);
  const gaps = rule.threshold === null ? [] : missing(measured, span(facts), LONGEST_GAP);
  const { total_minutes: total, median_minutes: half } = statisticsOf(firings);
  const recorded = firings.length > 0 ? 0 : await firingsRecorded(rule.name, facts);
  const tooLow = isTooLow ? tooLowOf(best, { now, firings, mattered, different, recorded }) : null;
  const lines = [
    ...(tooLow === null ? [] : [tooLow.text, '']),
    firings.length === 0
      ? `**${code(rule.name)}**, as it is now (\`${nameOf(now)}\`), would not have fired in the last ${DAYS} days.`
      : `**${code(rule.name)}, as it is now (\`${nameOf(now)}\`), would have fired ${times(firings.length)}** in the last ${DAYS} days, ${duration(total * MINUTE)} in all; half of the firings were over within ${duration(half * MINUTE)}.`,
    firings.length > 0
      ? aboutCauses(mattered.length)
      : recorded === 0
        ? ''
        : `It is recorded as firing ${times(recorded)} in that time: it, or what it measures, was another then.`,
    ...(different.length === 0
      ? firings.length === 0
        ? []
        : ['Other settings that were tried give as many.']
      : ['', variantsTable(firings.length, different, mattered.length)]),
    ...(best === null
      ? []
      : ['', suggestionOf(best, firings.length, mattered.length, now), '', yamlOf(rule, best)]),
    ...(gaps.length === 0 ? [] : ['', gapsOf(gaps, facts.now)]),
    ...reading.caveats.slice(0, 2),
  ];
  return {
    data: {
      rule: rule.name,
      days: DAYS,
      firings: firings.length,
      with_cause: mattered.length,
      variants: variants.map(({ name, firings: all, lost, later }) => ({
        setting: name,
        firings: all.length,
        lost,
        later_minutes: Math.round(later / MINUTE),
      })),
    },
    ...(tooLow !== null && { holds: tooLow.holds }),
    text: lines.filter((line, i, all) => line !== '' || all[i - 1] !== '').join('\n'),
  };
}

/** Whether its threshold is too low, as the replay shows: with a higher one it fires less, and loses nothing that mattered. */
function tooLowOf(
  best: Variant | null,
  {
    now,
    firings,
    mattered,
    different,
    recorded,
  }: {
    now: Condition;
    firings: readonly Firing[];
    mattered: readonly Firing[];
    different: readonly Variant[];
    recorded: number;
  },
): { text: string; holds: boolean | null } {
  if (now.threshold === null)
    return { text: 'I can’t tell: this rule has no threshold that is a number.', holds: null };
  if (firings.length === 0)
    return recorded === 0
      ? { text: '**No:** it has not fired.', holds: false }
      : {
          text: 'I can’t tell: as it is now, it would not have fired, so it was set otherwise when it did.',
          holds: null,
        };
  const higher = different.filter(({ condition }) => condition.threshold?.value !== now.threshold?.value);
  const good = higher.find(({ lost, firings: other }) => lost === 0 && other.length < firings.length);
  if (mattered.length > 0 && good === undefined)
    return { text: '**No:** with a higher one, a firing with a known cause would be lost.', holds: false };
  if (good === undefined)
    return { text: '**No, as far as the replay shows:** with a higher one it fires as often.', holds: false };
  const instead = best === null || best === good ? '' : ` A longer \`for\` may do as well: \`${best.name}\`.`;
  const how = `with \`${good.name}\` it would have fired ${times(good.firings.length)} instead of ${times(firings.length)}`;
  return mattered.length > 0
    ? { text: `**Probably yes:** ${how}, and no firing with a known cause is lost.${instead}`, holds: true }
    : {
        text: `I can’t tell: ${how}; whether one of those mattered is not known here.${instead}`,
        holds: null,
      };
}

/** How often a rule is recorded as firing. */
async function firingsRecorded(name: string, facts: Facts): Promise<number> {
  const reading = await evaluated(ALERTS, facts);
  const own = reading.known ? reading.value.filter(({ labels }) => labels.alertname === name) : [];
  return own.flatMap(({ points }) =>
    replay([{ alert: name, points }], { threshold: null, heldFor: 0 }, MINUTE),
  ).length;
}

/** Since when anything is recorded, where that is not the whole time: what never fired in six hours may fire each night. */
async function recordedIn(facts: Facts): Promise<string | null> {
  const reading = await evaluated(RECORDED, facts);
  const first = reading.known ? reading.value[0]?.points.times[0] : undefined;
  return first === undefined || first < span(facts).from + DAY
    ? null
    : `Nothing is recorded before ${momentOf(first, facts.now)}, so that is all that this rests on.`;
}

/** The issues of these days. */
async function issuesOfLate(facts: Facts): Promise<IssueOverview[]> {
  const lists = await Promise.all(
    (['resolved', 'open'] as const).map((status) =>
      facts.issues.list({ status, environment: null, severity: null }),
    ),
  );
  return lists.flatMap(({ newest }) => newest).filter(({ triggeredAt }) => triggeredAt >= span(facts).from);
}

/** Those for which an investigation found a cause. */
function withCause(issues: readonly IssueOverview[]): IssueOverview[] {
  return issues.filter(
    ({ status, rootCauseSummary }) =>
      rootCauseSummary !== null && (status === 'resolved' || status === 'ready_to_fix'),
  );
}

/** The firings for which such an issue was filed. */
function matteredOf(name: string, firings: readonly Firing[], issues: readonly IssueOverview[]): Firing[] {
  const triggered = issues.filter(({ title }) => title.includes(name)).map(({ triggeredAt }) => triggeredAt);
  return firings.filter(({ from, to }) =>
    triggered.some((at) => at >= from - LONGEST_GAP && at <= to + LONGEST_GAP),
  );
}

function aboutCauses(count: number): string {
  return count === 0
    ? 'For none of them a cause is known here, so judge by how long they lasted.'
    : `For ${count} of them an issue has a root cause.`;
}

function conditionsLike(now: Condition): { name: string; condition: Condition }[] {
  const { threshold, heldFor } = now;
  const longer = FORS.filter((other) => other !== heldFor).map((other) => ({ ...now, heldFor: other }));
  const isUp = threshold?.comparison.startsWith('>') === true;
  const isDown = threshold?.comparison.startsWith('<') === true;
  const farther =
    threshold === null || threshold.value === 0 || !(isUp || isDown)
      ? []
      : FACTORS.map((factor) => {
          const by = isUp === threshold.value > 0 ? factor : 1 / factor;
          return {
            ...now,
            threshold: { ...threshold, value: Number((threshold.value * by).toPrecision(3)) },
          };
        });
  return [
    ...longer.map((condition) => ({ name: `for: ${lasting(condition.heldFor)}`, condition })),
    ...farther.map((condition) => ({
      name: `${condition.threshold.comparison} ${condition.threshold.value}`,
      condition,
    })),
  ];
}

function nameOf({ threshold, heldFor }: Condition): string {
  const limit = threshold === null ? '' : `${threshold.comparison} ${threshold.value}, `;
  return `${limit}for: ${lasting(heldFor)}`;
}

/** `90s`, `10m`, `2h`: as rules have it. */
function lasting(ms: number): string {
  if (ms === 0) return '0s';
  if (ms % (60 * MINUTE) === 0) return `${ms / (60 * MINUTE)}h`;
  return ms % MINUTE === 0 ? `${ms / MINUTE}m` : `${Math.round(ms / 1000)}s`;
}

function variantsTable(now: number, variants: readonly Variant[], mattered: number): string {
  const kept = (lost: number) => (mattered === 0 ? '–' : `${mattered - lost} of ${mattered}`);
  return [
    '| setting | firings | with a cause | later |',
    '|---|---|---|---|',
    `| as it is | ${now} | ${kept(0)} | – |`,
    ...variants.map(
      ({ name, firings, lost, later }) =>
        `| \`${name}\` | ${firings.length} | ${kept(lost)} | ${later === 0 ? '–' : duration(later)} |`,
    ),
  ].join('\n');
}

/** The setting with the fewest firings that announces all that mattered, and not much later. */
function suggestionAmong(variants: readonly Variant[], now: number): Variant | null {
  const good = variants
    .filter(
      ({ firings, lost, later }) => lost === 0 && later <= MOST_LATER && firings.length <= WORTH_IT * now,
    )
    .filter(({ firings }) => firings.length > 0)
    .sort((a, b) => a.firings.length - b.firings.length || a.condition.heldFor - b.condition.heldFor);
  return good[0] ?? null;
}

function suggestionOf(
  { name, firings, later }: Variant,
  now: number,
  mattered: number,
  before: Condition,
): string {
  const was = name.startsWith('for')
    ? `for: ${lasting(before.heldFor)}`
    : `${before.threshold?.comparison} ${before.threshold?.value}`;
  const kept =
    mattered === 0
      ? 'whether one of those mattered is not known here'
      : `none of the ${mattered} with a cause is lost${later === 0 ? '' : `, each about ${duration(later)} later`}`;
  return `**\`${name}\` instead of \`${was}\`**: ${firings.length} firings instead of ${now}; ${kept}. Nothing was changed: copy it to where your rules are kept.`;
}

function yamlOf(rule: AlertRule, { condition }: Variant): string {
  const { threshold, heldFor } = condition;
  const { labels, annotations } = rule;
  const yaml = stringify(
    [
      {
        alert: rule.name,
        expr:
          threshold === null
            ? rule.expression
            : `${rule.expression} ${threshold.comparison} ${threshold.value}`,
        for: lasting(heldFor),
        ...(Object.keys(labels).length > 0 && { labels }),
        ...(Object.keys(annotations).length > 0 && { annotations }),
      },
    ],
    { lineWidth: 0 },
  );
  return `\`\`\`\n${yaml.replaceAll('```', "'''").trimEnd()}\n\`\`\``;
}

function gapsOf(gaps: readonly Window[], now: number): string {
  const [first] = [...gaps].sort((a, b) => b.to - b.from - (a.to - a.from));
  if (first === undefined) return '';
  const others = gaps.length === 1 ? '' : ` and in ${gaps.length - 1} shorter gaps`;
  return `Nothing was recorded from ${momentOf(first.from, now)} to ${momentOf(first.to, now)}${others}: what the rule would have done there is not known.`;
}

/** The alert that fired most often, as a picture: the worst sample of each stretch. */
function show(all: readonly Series[], firings: readonly Firing[], facts: Facts): void {
  const counts = Map.groupBy(firings, ({ alert }) => alert);
  const most = [...all].sort(
    (a, b) => (counts.get(keyOf(b))?.length ?? 0) - (counts.get(keyOf(a))?.length ?? 0),
  )[0];
  if (most === undefined) return;
  const { times: at, values } = most.points;
  const every = Math.max(1, Math.ceil(at.length / MOST_POINTS));
  const kept = [...at.keys()].filter((i) => {
    const begin = i - (i % every);
    const stretch = values.subarray(begin, begin + every);
    return (values[i] ?? 0) === Math.max(...stretch) && stretch.indexOf(values[i] ?? 0) === i - begin;
  });
  const points = {
    times: Float64Array.from(kept.map((i) => at[i] ?? 0)),
    values: Float64Array.from(kept.map((i) => values[i] ?? 0)),
  };
  facts.evidenceStore.metric({ ...most, points }, span(facts));
}
