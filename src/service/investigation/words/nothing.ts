import type { Evidence, Findings, StoredFindings } from '../../../contract/schema.ts';
import { distinctBy } from '../../telemetry/collect.ts';
import { exportedOf } from '../../telemetry/exported/states.ts';
import { amount as exportedAmount, speaksOfFailure } from '../../telemetry/exported/words.ts';
import type { LogLine, Measure } from '../../telemetry/model.ts';
import { pointsIn, type View } from '../../telemetry/view.ts';
import { type Survey, seriesAbout } from '../anomalies.ts';
import { type Case, type Earlier, hasLogs } from '../case.ts';
import { badLevels, comparedSince } from '../compared.ts';
import { cameAndWent, interruptions } from '../episodes.ts';
import { amount, duration, joinNames, labelOf, level, type Scale, timeOfDay } from '../format.ts';
import { gravityOf, patternOf } from '../log-patterns.ts';
import { partOf } from '../neighborhood.ts';
import { affectedServices } from '../place/incident.ts';
import { SHORT_MS } from '../place/locate.ts';
import { windowToShow } from './artifacts.ts';
import { evidenceOfRule, relevantEvidence } from './evidence.ts';
import { summaryOf } from './headline.ts';
import { endedLines, quoted } from './lines.ts';
import { allOf, lookedAtSentence, sentencesOn, uncheckedSentence } from './looked-at.ts';
import { began, movement } from './movement.ts';
import { metricInWords } from './observed.ts';
import { evidenceOfNoAnomaly, levelOf } from './ruled-out.ts';
import type { Telling } from './telling.ts';
import { timelineOf } from './timeline.ts';

/** What an overview without a cause begins with; who asks a question is told how the thing is. */
export const NO_CAUSE = 'No cause found. ';

/** What is said where nothing is wrong, or nothing shows why: what was looked at, and what was over before. */
export function nothingFound(telling: Telling): Findings {
  const { evidenceStore, id } = telling;
  const { issue, view, survey: seen, present, proven } = telling.of;
  const { earlier } = proven;
  const rule = evidenceOfRule(telling, seen.trigger);
  return {
    rootCause: {
      id: id(),
      incidentOverview: overviewOf(telling.of),
      relevantEvidence: [
        ...(earlier === null ? [] : evidenceOfEarlier(earlier, telling)),
        // It is on every card while it fires, whatever else is found.
        ...rule.filter(({ status }) => status === 'relevant'),
      ],
      irrelevantEvidence: [
        ...evidenceOfNoAnomaly(checkedBy(telling.of), seen, evidenceStore, view, present),
        ...rule.filter(({ status }) => status !== 'relevant'),
      ],
    },
    causalTree: { nodes: [], edges: [] },
    causalTreeV2: { nodes: [], edges: [] },
    remediation: { actions: [] },
    timeline: timelineOf(null, null, seen, evidenceStore, { id, issue }),
  };
}

/** The issue's service and the first that it calls; where it names none, the entries to the system. */
function checkedBy({ survey: { nodes }, subject: { named } }: Case): string[] {
  if (named !== null) return [named, ...(nodes.get(named)?.calls ?? []).slice(0, 2)];
  return [...nodes.values()].filter(({ kind }) => kind === 'web').map(({ name }) => name);
}

function overviewOf(c: Case): string {
  const { issue, view, survey: seen, subject, proven, lines } = c;
  const { named, unknown } = subject;
  const { earlier } = proven;
  const none = issue.isQuestion === true ? '' : NO_CAUSE;
  const part = named === null ? '' : lookedAtSentence(view);
  const unread = `${part} ${uncheckedSentence(view)}`.trimEnd();
  const before = notInvestigated(c) ?? tooLarge(view, none, unread);
  if (before !== null) return before;
  const missing = `${badSentence(checkedBy(c), view)}${storyOf(named, view)}${endedLines(lines)}${notReadSentence(c)}${unread}`;
  if (unknown !== null) {
    const exported = exportedSentence(unknown, [unknown], view);
    const known = exported === '' ? `There are no metrics for ${unknown}.` : exported;
    return `${none}${known}${degradedElsewhere(seen)}${missing}`;
  }
  if (earlier === null || isShort(c)) return `${none}${lookedAt(c)}${missing}`;
  const told = `${sentenceOnEarlier(earlier)}${cameAndWent(earlier.anomaly.series, view)}`;
  if (earlier.cause === null) return `${none}${told}${missing}`;
  const lag = issue.triggeredAt - (earlier.anomaly.end ?? issue.triggeredAt);
  const late =
    lag < 0 || issue.isQuestion === true ? '' : ` The alert came ${duration(lag)} after it was over.`;
  return `${told}${late}${unread}`;
}

/** Why nothing could be looked at; `null` if something was. */
export function notInvestigated({ view, survey: { nodes } }: Case): string | null {
  const { looked, series } = view.snapshot;
  const gaps = sentencesOn(view.gaps);
  if (nodes.size === 0)
    return `Not investigated: there is not enough data to look for a cause. ${gaps === '' ? 'The configured sources know no service.' : gaps}`;
  if (series.length > 0 || looked?.services.length === 0) return null;
  const isUnread = looked != null || view.gaps.some(({ what }) => what === 'metrics');
  return isUnread ? `Not investigated: no metrics could be read.${gaps === '' ? '' : ` ${gaps}`}` : null;
}

/** That nothing departs in a system too large to look at; `null` if it was looked at. */
function tooLarge({ snapshot: { looked } }: View, none: string, unread: string): string | null {
  return looked?.services.length === 0
    ? `${none}None of ${looked.of.toLocaleString('en-US')} services is outside its usual range.${unread}`
    : null;
}

function isShort({ present, survey: { trigger } }: Case): boolean {
  return present !== null && trigger - present.since < SHORT_MS;
}

/** What was compared, how it is now, and from when on. */
function lookedAt(c: Case): string {
  const { view, survey: seen, present, subject } = c;
  const { named } = subject;
  const { looked } = view.snapshot;
  const what = named ?? (looked == null ? allOf(seen.nodes.size) : partOf(looked));
  const from = present === null ? seen.window.from : Math.max(present.since, seen.window.from);
  const levels = levelsOf(named, view, seen.trigger);
  const stated = levels.map(({ label, value, scale }) => level(label, value, scale)).join(', ');
  const now = stated === '' ? '' : ` At ${timeOfDay(seen.trigger)}: ${stated}.`;
  const isFailing = levels.some(({ measure, value }) => measure === 'errors' && value >= FAILING);
  const why = isFailing ? ' Nothing shows why requests fail.' : '';
  return isShort(c)
    ? `I looked at ${what} from ${timeOfDay(from)}, when the data begins: ${duration(seen.trigger - from)} is too short to know what is usual.${now}${why}`
    : `${comparedSentence(named, what, from, c, isFailing)}${now}${why}`;
}

/** `I compared 14 series of postgres from 10:00 UTC on, and none left its usual range.` */
function comparedSentence(
  named: string | null,
  what: string,
  from: number,
  { view, survey: seen, present }: Case,
  isFailing: boolean,
): string {
  const services = named === null ? [...seen.nodes.keys()] : [named];
  const read = services.flatMap((service) =>
    seriesAbout(view, service).filter((one) => view.points(one, seen.window).length >= FEWEST_POINTS),
  );
  const moved = services.flatMap((service) => seen.anomalies.get(service) ?? []);
  const begun = `from ${timeOfDay(from)} on`;
  const exported = exportedSentence(what, services, view);
  if (read.length === 0) {
    const own = services.flatMap((service) => view.logs(service, view.window));
    const lines = linesRead(own.filter(({ reporter }) => reporter === undefined));
    return `${exported || `Nothing of ${what} could be compared: no series of it was read.`}${lines}`;
  }
  const also = exported === '' ? '' : ` ${exported}`;
  const series = read.length === 1 ? 'the one series' : `${read.length} series`;
  const isBad = services.some((service) => badLevels(service, view).length > 0);
  const compared = services.map((service) =>
    comparedSince(seen.trigger - LATE_MS, service, { view, survey: seen, present }),
  );
  const recent = compared.flatMap((one) => one.moved);
  const isSteady = compared.every(({ steady, of }) => steady.length === of);
  const absent = interruptions(
    read
      .filter((one) => !['errors', 'queue', 'lag', 'waiting'].includes(one.signal.measure))
      .map((one) => ({ name: labelOf(one), points: view.points(one, seen.window) })),
  );
  if (isFailing || isBad || moved.length > 0 || !isSteady || absent !== '') {
    const clauses = [
      ...(absent === '' ? [] : [`${what} ${absent}`]),
      ...moved
        .filter(({ end }) => end === null)
        .map((one) => `${movement(one.series.service, one)} ${began(one)}`),
      ...recent.map((one) => `${one.series.service} ${levelOf(one)}`),
    ];
    const left = clauses
      .slice(0, MOST_NAMED)
      .map((one) => `; ${one}`)
      .join('');
    return `I compared ${series} of ${what} ${begun}${left}.${also}`;
  }
  return `I compared ${series} of ${what} ${begun}, and ${read.length === 1 ? 'it did not leave' : 'none left'} its usual range.${also}`;
}

/** What targets export of all these, and what of it is other than before. */
export function exportedOfAll(services: readonly string[], view: View) {
  const names = new Set(view.services().flatMap(({ name, aliases }) => [name, ...aliases]));
  const all = services.map((service) => exportedOf(service, view.snapshot.exported ?? [], names));
  return {
    series: all.flatMap((one) => one.series),
    departed: all.flatMap((one) => one.departed),
  };
}

/** `Of 214 exported series of orders-db, compared from 13:20 UTC on, none changed.`; empty if there are none. */
function exportedSentence(what: string, services: readonly string[], view: View): string {
  const { series, departed } = exportedOfAll(services, view);
  if (series.length === 0) return '';
  const first = series.reduce((least, { points }) => Math.min(least, points.times[0] ?? least), view.trigger);
  const isDay = series.some(({ past }) => view.trigger - (past?.times[0] ?? view.trigger) >= HALF_A_DAY);
  const shown = distinctBy(departed, ({ of }) => of.name).slice(0, MOST_NAMED);
  const went = shown.map(
    ({ of, before, now }) => `\`${of.name}\` ${exportedAmount(before, of)} → ${exportedAmount(now, of)}`,
  );
  const count = series.length.toLocaleString('en-US');
  const absent = interruptions(
    series
      .filter((one) => !speaksOfFailure(one))
      .map((one) => ({ name: `\`${one.name}\``, points: pointsIn(one, view.window) })),
  );
  const found =
    departed.length === 0
      ? absent === ''
        ? 'none changed'
        : `none is other than it was, but ${absent}`
      : `${departed.length} changed (${joinNames(went)}${departed.length > shown.length ? ' …' : ''}); I can’t tell whether that is bad`;
  return `Of ${count} exported series of ${what}, compared ${isDay ? 'with the day before' : `from ${timeOfDay(first)} on`}, ${found}.`;
}

const HALF_A_DAY = 12 * 60 * 60_000;
const MOST_NAMED = 3;

/** What moved over the last of this, either way, has left its usual range. */
const LATE_MS = 15 * 60_000;

/** ` Kubernetes reported of it at 10:25 UTC: …, and no check finds anything wrong with it now.`; empty if it did not lately. */
function storyOf(named: string | null, { snapshot: { logs, state = [] }, trigger }: View): string {
  const reported = logs.filter(
    ({ service, at, reporter }) => service === named && reporter !== undefined && at > trigger - LATELY_MS,
  );
  const last = distinctBy(reported, ({ message }) => patternOf(message)).at(-1);
  if (named === null || last === undefined) return '';
  const left = state.find(({ object, workload }) => object === `app/${named}` || workload?.name === named);
  const now = left === undefined ? 'no check finds anything wrong with it now.' : `now: ${left.sentence}`;
  return ` Kubernetes reported of ${named} at ${timeOfDay(last.at)}: \`${quoted(last.message)}\`; ${now}`;
}

/** What was reported before that is told of other issues. */
const LATELY_MS = 60 * 60_000;

/** ` Of 2,001 lines of its logs one is an error: …`; empty if none were read. */
function linesRead(lines: readonly LogLine[]): string {
  if (lines.length === 0) return '';
  const [failing, warning] = (['error', 'warn'] as const).map((gravity) =>
    lines.filter((line) => gravityOf(line) === gravity),
  );
  const told = failing?.length ? failing : (warning ?? []);
  const last = told.at(-1);
  const all = ` Of ${amount(lines.length, '{line}')} of its logs since ${timeOfDay(lines[0]?.at ?? 0)}`;
  if (last === undefined) return `${all}, none is an error by level or wording.`;
  const what = told === failing ? 'error' : 'warning';
  const none = told === failing ? '' : 'none is an error by level or wording, ';
  const few =
    told.length === 1 ? `one is a${what === 'error' ? 'n' : ''} ${what}` : `${told.length} are ${what}s`;
  return `${all}, ${none}${few}; the last, at ${timeOfDay(last.at)}: \`${quoted(last.message)}\`.`;
}

/** With fewer samples a series is not compared. */
const FEWEST_POINTS = 10;

/** ` Unhealthy, whether or not that is usual: …`; empty if no level is. */
function badSentence(services: readonly string[], view: View): string {
  const bad = services
    .flatMap((service) => badLevels(service, view))
    .map(({ series, now }) => `${series.service} ${level(labelOf(series), now, series.signal)}`);
  if (bad.length === 0) return '';
  return ` Unhealthy, whether or not that is usual: ${joinNames([...new Set(bad)].slice(0, 3))}.`;
}

/** Nobody calls it normal where so many requests fail. */
const FAILING = 0.05;

/** What a service's main metrics are at a moment, from the finest samples that there are. */
function levelsOf(
  named: string | null,
  view: View,
  at: number,
): { measure: Measure; label: string; value: number; scale: Scale }[] {
  if (named === null) return [];
  const recent = (view.snapshot.recent ?? []).filter(
    ({ service, edge }) => service === named && edge === null,
  );
  return (['errors', 'latency', 'requests', 'connections', 'memory'] as const).flatMap((measure) => {
    const series = recent.find(({ signal }) => signal.measure === measure) ?? view.seriesOf(named, measure);
    const last = series && view.points(series, { from: at - NEWEST_MS, to: at + 1 }).at(-1);
    if (series === undefined || last === undefined) return [];
    return [{ measure, label: labelOf(series), value: last.value, scale: series.signal }];
  });
}

/** A level that is older than this is not that of now. */
const NEWEST_MS = 3 * 60_000;

/** What shows the problem that is over, and its cause. */
function evidenceOfEarlier(
  { anomaly, cause }: Earlier,
  { of: { view, survey: seen }, evidenceStore }: Telling,
): Evidence[] {
  const confidence = cause?.confidence ?? 'low';
  const { title, description } = metricInWords(anomaly.series.service, anomaly);
  const shown = evidenceStore.metric(anomaly.series, windowToShow(seen, anomaly.onset));
  const own = { title, status: 'relevant', description, confidence, artifacts: shown ? [shown] : [] };
  if (cause === null) return [own];
  const { best, incident, survey: then } = cause;
  const shows = relevantEvidence(best, incident, confidence, evidenceStore, then, view);
  return distinctBy([own, ...shows], (one) => one.title);
}

/** What else is wrong at the time, though nothing connects it with the issue. */
function degradedElsewhere(seen: Survey): string {
  const names = affectedServices(seen).map(({ service }) => service);
  if (names.length === 0) return '';
  return ` At ${timeOfDay(seen.trigger)} something else was degraded: ${joinNames(names.slice(0, 3))}.`;
}

/** `Over since 14:20 UTC: payments error rate rose from 0.2% to 12% at 14:02 UTC. The cause: Bad deploy …` */
function sentenceOnEarlier({ anomaly, isOver, cause }: Earlier): string {
  const moved = `${movement(anomaly.series.service, anomaly)} ${began(anomaly)}`;
  if (!isOver || anomaly.end === null) return `${moved}, but nothing shows why.`;
  const over = `Over since ${timeOfDay(anomaly.end)}: ${moved}`;
  return cause === null ? `${over}; nothing shows why.` : `${over}. The cause: ${summaryOf(cause.best)}`;
}

/** What a verdict without a cause may have missed: which kinds of data were not read, and what would bring them. */
function notReadSentence(c: Case): string {
  const { issue, view, subject, sources } = c;
  const { named, alerted } = subject;
  const about = named ?? 'it';
  const isStore = named !== null && STORES.has(view.node(named)?.kind ?? 'unknown');
  const missing = [
    ...(hasLogs(c) || !sources.includes('prometheus')
      ? []
      : ['log lines (LOKI_URL, VICTORIALOGS_URL or ELASTICSEARCH_URL)']),
    ...(isStore ? [`the sessions, locks and statements of ${about} (DATABASES)`] : []),
    ...(sources.includes('prometheus') && alerted.length === 0 && issue.isQuestion !== true
      ? ['the metric of the alert (no rule has its name)']
      : []),
  ];
  return missing.length === 0 ? '' : ` Not read: ${joinNames(missing)}.`;
}

const STORES: ReadonlySet<string> = new Set(['database', 'cache', 'queue']);

const MOST = 2;

/**
 * That a later look says something else than the one before it, and what is new or gone since; empty if it does not.
 *
 * @param version the number of the one before
 */
export function contradiction(before: StoredFindings, now: StoredFindings, version: number): string {
  const then = causeOf(before);
  if (then === null || then === causeOf(now)) return '';
  // A change that was suspected, and is proven now, is the same result.
  if (changeIn(before) !== undefined && changeIn(before) === changeIn(now)) return '';
  const added = missingFrom(before, now);
  const gone = missingFrom(now, before);
  const why = [
    ...(added.length > 0 ? [` New since then: ${added.join(' ')}`] : []),
    ...(gone.length > 0 ? [` Gone since then: ${gone.join(' ')}`] : []),
  ];
  const differs =
    causeOf(now) === null ? 'That is no longer visible.' : 'This investigation comes to a different result.';
  return `Version ${version} said: ${then}. ${differs}${why.join('')} `;
}

/** The headline of the cause; `null` if none was found. */
function causeOf({ rootCause, causalTreeV2 }: StoredFindings): string | null {
  if (rootCause.rootCauseSummary === undefined) return null;
  return causalTreeV2.nodes.find(({ nodeType }) => nodeType === 'cause')?.title ?? null;
}

/** What a cause began with: a change, by its title. */
function changeIn({ causalTreeV2 }: StoredFindings): string | undefined {
  return causalTreeV2.nodes.find(({ nodeType }) => nodeType === 'trigger')?.title ?? undefined;
}

/** What is wrong according to some findings, and not according to others. */
function missingFrom(others: StoredFindings, { facts }: StoredFindings): string[] {
  const known = new Set(others.facts.filter(({ until }) => until === undefined).map(({ key }) => key));
  return facts
    .filter(({ key, until }) => until === undefined && !known.has(key))
    .map(({ sentence }) => sentence)
    .slice(0, MOST);
}
