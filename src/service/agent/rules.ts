import { z } from 'zod';
import { median } from '../../lib/statistics.ts';
import { duration, joinNames } from '../investigation/format.ts';
import { type AlertRule, known, type Reading, type Series, type Window } from '../telemetry/model.ts';
import { code } from './echo.ts';
import { issuesOf } from './issues.ts';
import { momentOf } from './moment.ts';
import { type Condition, type Firing, lostOf, type Measured, replay } from './replay.ts';
import { type Found, services, tool } from './tool.ts';
import { keyOf } from './tools/series.ts';
import type { Facts, IssueOverview } from './types.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 14;
/** A week of minutes is what Prometheus gives in one answer. */
const PIECE = 7 * DAY;
const LONGEST_GAP = 10 * MINUTE;
const FORS = [1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE);
const FACTORS = [1.5, 2];
const MOST_LISTED = 10;
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
    isNever: z.boolean().default(false),
  }),
  fill: ({ question, numberNamed }, { issue }) => ({
    services: [],
    // In an issue's thread, the rule is the one that filed it.
    rule: [question, numberNamed === null ? issue?.title : null].join(' ').slice(0, 1_000),
    isNever: /\bnever\b/iu.test(question),
  }),
  run: async ({ rule: about, isNever }, facts) => {
    const reading = await facts.rules();
    if (!reading.known) return none(`I can’t tell. ${reading.reason}`);
    if (reading.value.length === 0) return none('No source of telemetry here evaluates alert rules.');
    const lowered = about.toLowerCase();
    const named = reading.value
      .filter(({ name }) => lowered.includes(name.toLowerCase()))
      .sort((a, b) => b.name.length - a.name.length);
    const longest = named.filter(({ name }) => name === named[0]?.name);
    const [rule] = longest;
    if (rule === undefined || isNever) return await overview(reading.value, isNever, facts);
    const replayed = await replayed14Days(rule, facts);
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

async function overview(all: readonly AlertRule[], isNever: boolean, facts: Facts): Promise<Found> {
  const reading = await evaluated(ALERTS, facts);
  if (!reading.known) return none(`I can’t tell which rules fired. ${reading.reason}`);
  const names = [...new Set(all.map(({ name }) => name))];
  const fired = reading.value
    .map(({ labels, points }) => ({ name: labels.alertname ?? '', firings: firingsIn(points) }))
    .filter(({ name, firings }) => names.includes(name) && firings.length > 0)
    .map(({ name, firings }) => ({ name, ...statisticsOf(firings) }))
    .sort((a, b) => b.firings - a.firings);
  const filed = await issuesOfLate(facts);
  const isFiled = (name: string) => filed.some(({ title }) => title.includes(name));
  const unseen = names.filter((name) => !fired.some((one) => one.name === name));
  const silent = unseen.filter((name) => !isFiled(name));
  const onlyFiled = unseen.filter(isFiled);
  const never = fired.length > 0 && silent.length > 0 ? [`Never fired: ${listed(silent.map(quoted))}.`] : [];
  const head =
    fired.length === 0
      ? `No firing of the ${names.length} alert rules was recorded in the last ${DAYS} days: none fired, or they are evaluated where \`ALERTS\` is not recorded.`
      : `**${fired.length} of ${names.length} alert rules fired** in the last ${DAYS} days:`;
  const rows = fired
    .slice(0, MOST_LISTED)
    .map(
      ({ name, firings, total_minutes: total, median_minutes: half }) =>
        `- ${quoted(name)}: ${times(firings)}, ${duration(total * MINUTE)} in all, half of them no longer than ${duration(half * MINUTE)}`,
    );
  const blocks = [
    ...(isNever ? never : []),
    [head, ...rows].join('\n'),
    fired.length > MOST_LISTED ? `${fired.length - MOST_LISTED} more fired less often.` : '',
    ...(isNever ? [] : never),
    onlyFiled.length > 0
      ? `Not recorded as firing, but an issue was filed for it: ${listed(onlyFiled.map(quoted))}.`
      : '',
    await recordedIn(facts),
  ];
  return {
    data: { days: DAYS, rules: fired, never_fired: silent },
    text: blocks.filter((one) => one !== '').join('\n\n'),
  };
}

function firingsIn(points: Series['points']): Firing[] {
  return replay([{ alert: '', points }], { threshold: null, heldFor: 0 }, MINUTE);
}

/** What others named, as it stands: nothing in it is Markdown. */
function quoted(name: string): string {
  return code(name.slice(0, LONGEST_NAME).replace(/\s+/gu, ' '));
}

function listed(items: readonly string[]): string {
  const more = items.length - MOST_LISTED;
  return more > 0 ? `${items.slice(0, MOST_LISTED).join(', ')} and ${more} more` : joinNames(items);
}

function statisticsOf(firings: readonly Firing[]) {
  const minutes = firings.map(({ from, to }) => (to - from + MINUTE) / MINUTE);
  return {
    firings: firings.length,
    total_minutes: Math.round(minutes.reduce((sum, one) => sum + one, 0)),
    median_minutes: minutes.length === 0 ? 0 : Math.round(median(minutes)),
  };
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

interface Variant {
  /** `for: 10m`, or `> 0.1`. */
  name: string;
  firings: number;
  lost: number;
}

/** One rule over the last two weeks, as it is and with other settings. */
async function replayed14Days(rule: AlertRule, facts: Facts): Promise<Found> {
  const reading = await evaluated(rule.expression, facts);
  if (!reading.known) return none(`I can’t replay ${quoted(rule.name)}. ${reading.reason}`);
  const measured = reading.value.map((series): Measured => ({ alert: keyOf(series), points: series.points }));
  const now = { threshold: rule.threshold, heldFor: rule.heldFor };
  const firings = replay(measured, now, MINUTE);
  if (measured.length === 0 && rule.threshold !== null)
    return none(
      `I can’t replay ${quoted(rule.name)}: nothing that it measures was recorded in ${DAYS} days.`,
    );
  const mattered = matteredOf(rule.name, firings, withCause(await issuesOfLate(facts)));
  const variants = conditionsLike(now).map((condition): Variant => {
    const other = replay(measured, condition, MINUTE);
    const isHigher = condition.threshold?.value !== now.threshold?.value;
    const name = isHigher ? limitOf(condition) : `for: ${lasting(condition.heldFor)}`;
    return { name, firings: other.length, lost: lostOf(mattered, other) };
  });
  const different = variants.filter((one) => one.firings !== firings.length);
  const { total_minutes: total, median_minutes: half } = statisticsOf(firings);
  const recorded = firings.length > 0 ? 0 : await firingsRecorded(rule.name, facts);
  const setting = `\`${[limitOf(now), `for: ${lasting(now.heldFor)}`].filter((one) => one !== '').join(', ')}\``;
  const was =
    recorded === 0 ? '' : ` It is recorded as firing ${times(recorded)}: its settings were different then.`;
  const blocks = [
    firings.length === 0
      ? `**${quoted(rule.name)}**, as it is now (${setting}), would not have fired in the last ${DAYS} days.${was}`
      : `**${quoted(rule.name)}, as it is now (${setting}), would have fired ${times(firings.length)}** in the last ${DAYS} days, ${duration(total * MINUTE)} in all; half of the firings lasted no longer than ${duration(half * MINUTE)}. ${
          mattered.length === 0
            ? 'No cause is known for any of them.'
            : `${mattered.length} of them led to an issue with a root cause.`
        }`,
    different
      .map(
        ({ name, firings: count, lost }) =>
          `- \`${name}\`: ${times(count)}${mattered.length === 0 ? '' : `, ${mattered.length - lost} of the ${mattered.length} with a cause`}`,
      )
      .join('\n') || (firings.length === 0 ? '' : 'The other settings I tried fire as often.'),
    await recordedIn(facts),
    ...reading.caveats.slice(0, 2),
  ];
  return {
    data: { rule: rule.name, days: DAYS, firings: firings.length, with_cause: mattered.length, variants },
    text: blocks.filter((one) => one !== '').join('\n\n'),
  };
}

async function firingsRecorded(name: string, facts: Facts): Promise<number> {
  const reading = await evaluated(ALERTS, facts);
  const own = reading.known ? reading.value.filter(({ labels }) => labels.alertname === name) : [];
  return own.flatMap(({ points }) => firingsIn(points)).length;
}

/** Since when anything is recorded, where that is not the whole time: what never fired in six hours may fire each night. */
async function recordedIn(facts: Facts): Promise<string> {
  const reading = await evaluated(RECORDED, facts);
  const first = reading.known ? reading.value[0]?.points.times[0] : undefined;
  return first === undefined || first < span(facts).from + DAY
    ? ''
    : `Nothing is recorded before ${momentOf(first, facts.now)}, so this covers only the time since then.`;
}

async function issuesOfLate(facts: Facts): Promise<IssueOverview[]> {
  const all = await issuesOf(facts.issues, 'resolved', 'open');
  return all.filter(({ triggeredAt }) => triggeredAt >= span(facts).from);
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

function conditionsLike(now: Condition): Condition[] {
  const { threshold, heldFor } = now;
  const longer = FORS.filter((other) => other !== heldFor).map((other) => ({ ...now, heldFor: other }));
  const isUp = threshold?.comparison.startsWith('>') === true;
  const isDown = threshold?.comparison.startsWith('<') === true;
  if (threshold === null || threshold.value === 0 || !(isUp || isDown)) return longer;
  const farther = FACTORS.map((factor) => {
    const by = isUp === threshold.value > 0 ? factor : 1 / factor;
    return { ...now, threshold: { ...threshold, value: Number((threshold.value * by).toPrecision(3)) } };
  });
  return [...longer, ...farther];
}

function limitOf({ threshold }: Condition): string {
  return threshold === null ? '' : `${threshold.comparison} ${threshold.value}`;
}

/** `90s`, `10m`, `2h`: as rules have it. */
function lasting(ms: number): string {
  if (ms > 0 && ms % (60 * MINUTE) === 0) return `${ms / (60 * MINUTE)}h`;
  return ms > 0 && ms % MINUTE === 0 ? `${ms / MINUTE}m` : `${Math.round(ms / 1000)}s`;
}
