import type { Evidence, Remediation } from '../../contract/schema.ts';
import { mean } from '../../lib/statistics.ts';
import { isOff } from '../investigation/episodes.ts';
import { amount, capitalize, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import type { Change, Series } from '../telemetry/model.ts';
import {
  courseOf,
  type IssueState,
  levelOf,
  showTracked,
  stateOf,
  type Tracked,
  trackedOf,
} from './issue-scope.ts';
import type { Found } from './tool.ts';
import type { Facts, IssueScope } from './types.ts';
import type { Expects } from './understand.ts';

const MINUTE = 60_000;
const MOST_REASONS = 4;
const MOST_RULED_OUT = 3;

/** Why it happened: the stored cause, what was seen, what speaks against others, how sure that is, and whether it goes on. */
export function reasonsOf(scope: IssueScope, facts: Facts): string {
  const { issue } = scope;
  const root = issue.findings?.rootCause;
  if (!issue.rootCauseSummary || root === undefined)
    return [
      `${headOf(scope)} ${withoutCause(scope)}`,
      ...listed(`Checked at ${timeOfDay(issue.triggeredAt)}`, checked(scope, facts)),
    ].join('\n');
  return [
    `${headOf(scope)} ${issue.rootCauseSummary} Confidence: **${confidenceIn(scope)}**.`,
    ...listed(
      `Evidence as of ${timeOfDay(issue.triggeredAt)}`,
      shown(root.relevantEvidence.slice(0, MOST_REASONS), facts),
    ),
    ...listed('Against other causes', checked(scope, facts)),
    '',
    nowOf(scope, facts),
  ].join('\n');
}

/** How sure the result is, what could not be checked, and what else was weighed. */
export function certaintyOf(
  scope: IssueScope,
  facts: Facts,
  { others: asksOthers }: { others: boolean },
): string {
  const { issue } = scope;
  const root = issue.findings?.rootCause;
  if (!issue.rootCauseSummary || root === undefined) return `${headOf(scope)} ${withoutCause(scope)}`;
  const others = checked(scope, facts);
  if (asksOthers)
    return [
      `Besides ${causeIn(issue.rootCauseSummary)} (confidence **${confidenceIn(scope)}**), nothing came close enough to be named.${limitsOf(scope)}`,
      ...listed('Looked at and ruled out', others),
    ].join('\n');
  return [
    `Confidence is **${confidenceIn(scope)}** that #${issue.number} is this: ${headlineOf(issue.rootCauseSummary)}.${limitsOf(scope)}`,
    ...listed('Evidence', shown(root.relevantEvidence.slice(0, MOST_REASONS), facts)),
    ...listed('Ruled out', others),
  ].join('\n');
}

/** Whether the results blame these services, or a change; `null` if they are not sure enough to say no, or to say anything. */
export function isBlamed(
  scope: IssueScope,
  { services, change }: { services: readonly string[]; change: boolean },
): boolean | null {
  const confidence = confidenceIn(scope);
  if (services.length === 0 && !change) return confidence === 'high' ? true : null;
  const is = (!change || blamedAt(scope) !== null) && services.every((name) => scope.causes.includes(name));
  if (scope.issue.rootCauseSummary === null || confidence === 'low' || confidence === 'unknown') return null;
  return is;
}

/** How long before a problem a change is one that may have led to it. */
const MAY_LEAD = 120 * MINUTE;

/** Whether a change is to blame, as the verdict has it: *no* only where it rules that change out. */
export async function blameOfChange(
  scope: IssueScope,
  named: readonly string[],
  facts: Facts,
): Promise<Pick<Found, 'text' | 'holds'>> {
  const { issue, onset } = scope;
  const summary = issue.rootCauseSummary ?? withoutCause(scope);
  const isAsked = (text: string) => named.length === 0 || named.some((name) => text.includes(name));
  const blamed = blamedAt(scope);
  if (blamed !== null && isAsked(`${blamed.title} ${scope.causes.join(' ')}`)) {
    const confidence = confidenceIn(scope);
    return {
      text: `${blamed.title} at ${timeOfDay(blamed.at)} is what the verdict blames (confidence ${confidence}): ${summary}`,
      holds: confidence === 'high' || confidence === 'medium' ? true : null,
    };
  }
  const isOfChange = ({ artifacts }: Evidence) => artifacts.some(({ dataType }) => dataType === 'change');
  const root = issue.findings?.rootCause;
  const against = root?.irrelevantEvidence.find(
    (one) => isOfChange(one) && isAsked(`${one.title} ${one.description}`),
  );
  if (against !== undefined)
    return { text: `${against.title}. ${against.description} ${summary}`, holds: false };
  const before = (await facts.changes({ from: onset - MAY_LEAD, to: onset + 5 * MINUTE }))
    .filter(({ service, title }) =>
      named.length === 0
        ? service === null || scope.services.includes(service)
        : isAsked(`${service ?? ''} ${title}`),
    )
    .at(-1);
  const where = named.length === 0 ? joinNames(scope.services) : joinNames(named);
  return {
    text:
      before === undefined
        ? `I see no change in ${where} in the ${duration(MAY_LEAD)} before it began at ${timeOfDay(onset)}. ${summary}`
        : `${before.title} at ${timeOfDay(before.at)} came ${duration(Math.abs(onset - before.at))} ${before.at <= onset ? 'before' : 'after'} it began. That it is the cause is not proven, and nothing rules it out. ${summary}`,
    holds: null,
  };
}

/** `Bad deploy of orders`, of a summary. */
function headlineOf(summary: string): string {
  return (summary.split(': ')[0] ?? summary).replace(/\.$/u, '');
}

/** `bad deploy of orders`, of a summary. */
function causeIn(summary: string): string {
  const head = headlineOf(summary);
  return `${head.charAt(0).toLowerCase()}${head.slice(1)}`;
}

function headOf({ issue }: IssueScope): string {
  return `**#${issue.number}:**`;
}

/** That there is no cause, and why not, as of the alert. */
export function withoutCause({ issue }: Pick<IssueScope, 'issue'>): string {
  if (issue.status === 'investigating' || issue.findings === null) return 'It is still being investigated.';
  const overview = issue.findings.rootCause.incidentOverview
    .replace(/ ?Not everything could be checked:.*$/su, '')
    .replace('Something else is degraded', `At ${timeOfDay(issue.triggeredAt)} something else was degraded`);
  return overview === '' ? 'The investigation found no cause.' : overview;
}

/** Nothing can be said of the present of what telemetry does not know. */
export function noAnswerFor({ issue, unknown }: IssueScope): string {
  return unknown === null
    ? `I can’t tell: no metric shows what #${issue.number} is about.`
    : `I can’t tell: there are no metrics for ${unknown}, which #${issue.number} is about.`;
}

function confidenceIn({ issue }: IssueScope): string {
  return issue.findings?.rootCause.relevantEvidence[0]?.confidence ?? 'unknown';
}

/** What could not be checked, as the investigation wrote it down. */
function limitsOf({ issue }: IssueScope): string {
  const overview = issue.findings?.rootCause.incidentOverview ?? '';
  const limits = /(?:Telemetry does not decide|Not everything could be checked).*$/su.exec(overview)?.[0];
  return limits === undefined ? '' : ` ${limits}`;
}

function checked({ issue }: IssueScope, facts: Facts): string[] {
  return shown((issue.findings?.rootCause.irrelevantEvidence ?? []).slice(0, MOST_RULED_OUT), facts);
}

function shown(some: readonly Evidence[], facts: Facts): string[] {
  facts.cite(some.flatMap(({ artifacts }) => artifacts.map(({ documentId }) => documentId)));
  return some.map(({ title, description }) => `- ${title}. ${description}`);
}

function listed(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `**${heading}**`, ...lines];
}

/** The cause in a few words, beside an answer about something else. */
export function causeOf({ issue }: Pick<IssueScope, 'issue'>): string | null {
  return issue.rootCauseSummary
    ? `Root cause of #${issue.number}: ${headlineOf(issue.rootCauseSummary)}.`
    : null;
}

function nowOf(scope: IssueScope, facts: Facts): string {
  const state = stateOf(trackedOf(scope, facts), facts.now);
  switch (state.is) {
    case 'ongoing':
      return 'It is ongoing.';
    case 'settling':
      return SETTLING;
    case 'over':
      return [`It has been over since ${timeOfDay(state.since)}.`, ...remainderOf(state)].join(' ');
    case 'normal':
      return 'Its metrics are in their normal range now.';
    default:
      return 'I can’t tell whether it goes on: there are no newer samples.';
  }
}

/** What is left where it is over, but not quite back to normal. */
function remainderOf({ remainder: [one] }: Extract<IssueState, { is: 'over' }>): string[] {
  return one === undefined ? [] : [`Not quite back to normal yet: ${levelOf(one)}.`];
}

const SETTLING =
  'It may be over, but it is too early to tell: the newest samples still contain part of the problem.';

/** `Yes, `, `No, ` or nothing, before what is the case. */
export function yesOrNo(expects: Expects, is: Exclude<Expects, null>): string {
  return expects === null ? '' : expects === is ? 'Yes, ' : 'No, ';
}

/** Whether it goes on, with the levels now and then; which way it goes, if that is asked. */
export function statusOf(
  scope: IssueScope,
  facts: Facts,
  {
    named = [],
    expects = null,
    trend = false,
  }: { named?: readonly string[]; expects?: Expects; trend?: boolean } = {},
): string {
  const all = trackedOf(scope, facts);
  const own = all.filter(({ service }) => named.includes(service));
  const tracked = own.length > 0 ? own : all;
  const state = stateOf(tracked, facts.now);
  showTracked(tracked, scope, facts);
  const levels = tracked.slice(0, 2).map((one) => `- ${levelOf(one)}`);
  switch (state.is) {
    case 'ongoing':
      return [
        `**${capitalize(`${yesOrNo(expects, 'ongoing')}ongoing`)}** since ${timeOfDay(scope.onset)} (${duration(facts.now - scope.onset)}):`,
        '',
        ...levels,
        ...(trend ? ['', ...trendOf(tracked, facts)] : []),
      ].join('\n');
    case 'settling':
      return [
        `I can’t tell yet: it is too early. The newest samples still contain part of the problem:`,
        '',
        ...levels,
      ].join('\n');
    case 'over':
      return [
        `**${capitalize(`${yesOrNo(expects, 'over')}over since ${timeOfDay(state.since)}`)}**, after ${duration(state.since - scope.onset)}:`,
        '',
        ...levels,
        ...(state.remainder.length === 0
          ? []
          : ['', 'Not quite back to normal yet: less than a tenth of the rise is left.']),
      ].join('\n');
    case 'stale':
      return `I can’t tell: the newest sample of ${joinNames(tracked.map(({ service }) => service))} is from ${timeOfDay(state.newest)}.`;
    case 'normal':
      return [
        `${capitalize(`${yesOrNo(expects, 'over')}its metrics are in their normal range now:`)}`,
        '',
        ...levels,
      ].join('\n');
    case 'unclear':
      return noAnswerFor(scope);
  }
}

function trendOf(tracked: readonly Tracked[], { fine, now }: Facts): string[] {
  return tracked.slice(0, 1).map(({ series, service }) => {
    const levelIn = (from: number, to: number) =>
      mean(fine.points(series, { from, to }).map(({ value }) => value));
    const [earlier, lately] = [
      levelIn(now - 20 * MINUTE, now - 10 * MINUTE),
      levelIn(now - 10 * MINUTE, now + 1),
    ];
    const { bad, label, unit } = series.signal;
    const way = (lately - earlier) * (bad === 'low' ? -1 : 1);
    if (!Number.isFinite(way)) return 'I can’t tell which way it is going: that takes 20 minutes of samples.';
    const isSame = Math.abs(way) < 0.1 * Math.abs(earlier);
    const verdict = isSame ? 'It stays the same' : way > 0 ? 'It is getting worse' : 'It is getting better';
    return `${verdict}: ${service} ${label} was ${amount(earlier, unit)} between 20 and 10 min ago, and ${amount(lately, unit)} in the last 10 min.`;
  });
}

/** Since when, in which order, and until when. */
export function courseOfIssue(scope: IssueScope, facts: Facts, { end }: { end: boolean }): string {
  const tracked = trackedOf(scope, facts);
  const state = stateOf(tracked, facts.now);
  if (scope.unknown !== null || tracked.length === 0)
    return `${noAnswerFor(scope)} The alert is of ${timeOfDay(scope.issue.triggeredAt)}.`;
  showTracked(tracked, scope, facts);
  const until =
    state.is === 'over'
      ? `until ${timeOfDay(state.since)}, ${duration(state.since - scope.onset)}`
      : state.is === 'ongoing'
        ? `${duration(facts.now - scope.onset)} ago, ongoing`
        : state.is === 'normal'
          ? 'in the normal range now'
          : state.is === 'settling'
            ? 'perhaps over, but it is too early to tell'
            : 'no newer samples show whether it goes on';
  if (end) {
    if (state.is === 'ongoing') return `It has not recovered. ${statusOf(scope, facts)}`;
    if (state.is === 'over' || state.is === 'settling') return statusOf(scope, facts);
  }
  const seen = timelineOf(scope).map(({ at, text }) => `- ${timeOfDay(at)}: ${text}`);
  return [
    `**Since ${timeOfDay(scope.onset)}** (${until}):`,
    '',
    ...(seen.length > 0 ? seen : tracked.map((one) => `- ${courseOf(one)}`)),
  ].join('\n');
}

/** The changes and the effects of the results' timeline. */
function timelineOf({ issue }: IssueScope): { at: number; text: string }[] {
  return (issue.findings?.timeline ?? [])
    .filter(({ type }) => ['change', 'onset', 'effect'].includes(type))
    .map(({ type, timestamp, title, description }) => ({
      at: Date.parse(timestamp),
      text: type === 'change' ? title : description.replace(/\.$/u, ''),
    }));
}

/** Whom it reaches, and how badly. */
export function impactOf(
  scope: IssueScope,
  facts: Facts,
  named: readonly string[] = [],
): Pick<Found, 'text' | 'holds'> {
  const { view, now } = facts;
  const tracked = trackedOf(scope, facts);
  if (scope.symptom === null || tracked.length === 0) return { text: noAnswerFor(scope) };
  const state = stateOf(tracked, now);
  showTracked(tracked, scope, facts);
  const head =
    state.is === 'over'
      ? `**Nothing any more: over since ${timeOfDay(state.since)}.** While it lasted, from ${timeOfDay(scope.onset)}:`
      : `**Affected** since ${timeOfDay(scope.onset)}:`;
  const until = state.is === 'over' ? state.since : now + 1;
  const rows = tracked.map((one) => {
    const role = scope.causes.includes(one.service) ? ' (the cause)' : '';
    const { label, unit } = one.series.signal;
    const level =
      state.is === 'over'
        ? `${label} up to ${amount(one.worst.value, unit)} at ${timeOfDay(one.worst.at)}${one.usual === null ? '' : `, normally ${amount(one.usual, unit)}`}`
        : levelOf(one).slice(one.service.length + 1);
    return `- **${one.service}**${role}: ${level}${failuresOf(one.service, { from: scope.onset, to: until }, facts)}`;
  });
  const callers = view
    .services()
    .filter(({ name, calls }) => calls.includes(scope.symptom ?? '') && !scope.services.includes(name))
    .map(({ name }) => name);
  return {
    text: [head, '', ...rows, '', callersOf(scope.symptom, callers, facts)].join('\n'),
    holds:
      state.is === 'over'
        ? false
        : state.is === 'ongoing' && named.length > 0
          ? named.every((name) => scope.services.includes(name))
          : null,
  };
}

/** How many requests failed in a window, if both their number and their error rate are measured. */
function failuresOf(service: string, window: { from: number; to: number }, { fine: view }: Facts): string {
  const errors = view.seriesOf(service, 'errors');
  const requests = view.seriesOf(service, 'requests');
  if (errors === undefined || requests === undefined) return '';
  const rates = new Map(view.points(requests, window).map(({ at, value }) => [at, value]));
  const points = view.points(errors, window);
  const shares = points.flatMap(({ at, value }) => {
    const rate = rates.get(at);
    return rate === undefined ? [] : [{ all: rate, failed: rate * value }];
  });
  if (shares.length === 0) return '';
  const seconds = (window.to - window.from) / 1000;
  const failed = mean(shares.map((one) => one.failed)) * seconds;
  const all = mean(shares.map((one) => one.all)) * seconds;
  if (failed < 1) return '';
  return `; about ${amount(failed, '')} of ${amount(all, '')} requests failed in that time`;
}

/** Who calls a service, said only as far as calls are known. */
export function callersOf(service: string, callers: readonly string[], { view }: Facts): string {
  if (callers.length > 0) return `Called by ${joinNames(callers)}.`;
  return view.snapshot.edges.length === 0
    ? `Who calls ${service} is not known: no source of telemetry shows calls.`
    : `No other service is seen calling ${service}.`;
}

/** How long before and after a change its effect is looked for. */
const AROUND = 10 * MINUTE;
/** A rollout takes a moment. */
const TAKES_EFFECT = 2 * MINUTE;

/** The changes in an issue's services after it began, and after the change that is blamed; newest first. */
async function changesSince(scope: IssueScope, facts: Facts): Promise<Change[]> {
  const window = { from: blamedAt(scope)?.at ?? scope.onset, to: facts.now + 1 };
  return (await facts.changes(window))
    .filter(
      (one) => (one.service === null || scope.services.includes(one.service)) && !isBlamedChange(one, scope),
    )
    .reverse();
}

/** When the blamed change was, according to the results. */
export function blamedAt({ issue }: IssueScope): { at: number; title: string } | null {
  const refs = new Set(
    (issue.findings?.rootCause.relevantEvidence ?? []).flatMap(({ artifacts }) =>
      artifacts.filter(({ dataType }) => dataType === 'change').map(({ documentId }) => documentId),
    ),
  );
  const entry = (issue.findings?.timeline ?? []).find(
    ({ type, evidence }) => type === 'change' && evidence.some(({ artifactId }) => refs.has(artifactId)),
  );
  return entry ? { at: Date.parse(entry.timestamp), title: entry.title } : null;
}

/** The same change is seen up to a few minutes apart at another resolution. */
export function isBlamedChange({ at, title }: Pick<Change, 'at' | 'title'>, scope: IssueScope): boolean {
  const blamed = blamedAt(scope);
  return blamed !== null && blamed.title === title && Math.abs(blamed.at - at) <= 5 * MINUTE;
}

/** The change that an issue's end followed: at most so long before it. */
const LED_TO = 10 * MINUTE;

function endedBy(changes: readonly Change[], end: number): Change | undefined {
  return changes.find(({ at }) => at > end - LED_TO && at <= end + MINUTE);
}

/** When an issue ended, and the change just before that; `null` if its end is not seen. */
export async function endedByOf(
  scope: IssueScope,
  facts: Facts,
): Promise<{ at: number; change: Change | null } | null> {
  const ends = trackedOf(scope, facts).map(({ end }) => end);
  const last = Math.max(...ends.map((end) => end ?? Number.NaN));
  if (ends.length === 0 || Number.isNaN(last)) return null;
  const since = await changesSince(scope, facts);
  return { at: last, change: endedBy(since, last) ?? null };
}

/** What people do to end a problem, as they and titles of changes have it. */
const DEEDS = {
  rollback: /\broll\w*\b.*\bback\b|rollback|revert/iu,
  restart: /restart|reboot/iu,
} as const;
export type Deed = keyof typeof DEEDS;

export function deedIn(text: string): Deed | null {
  if (DEEDS.rollback.test(text)) return 'rollback';
  return DEEDS.restart.test(text) ? 'restart' : null;
}

/** Whether what was done helped: the levels before and after the change that the end followed, or else the newest. */
export async function effectOf(scope: IssueScope, facts: Facts, meant: Deed | null): Promise<string> {
  const tracked = trackedOf(scope, facts);
  if (tracked.length === 0) return noAnswerFor(scope);
  const since = await changesSince(scope, facts);
  const done = meant === null ? [] : since.filter(({ title }) => deedIn(title) === meant);
  const candidates = done.length > 0 ? done : since;
  const none = meant !== null && done.length === 0 ? `I see no ${meant}.` : null;
  const state = stateOf(tracked, facts.now);
  const change = (state.is === 'over' ? endedBy(candidates, state.since) : undefined) ?? candidates[0];
  if (change === undefined) {
    const blamed = blamedAt(scope);
    const began = timeOfDay(blamed?.at ?? scope.onset);
    return `I can’t tell what helped: I see no rollback or other change in ${joinNames(scope.services)} after ${began}. ${statusOf(scope, facts)}`;
  }
  showTracked(tracked, scope, facts);
  const when = `“${change.title}” at ${timeOfDay(change.at)}`;
  const sinceThen = facts.now - change.at;
  if (state.is === 'settling' || (sinceThen < 2 * TAKES_EFFECT && state.is !== 'over'))
    return `I can’t tell yet: it is too early. ${capitalize(when)} was ${duration(sinceThen)} ago. ${state.is === 'settling' ? '' : statusOf(scope, facts)}`.trim();
  const effects = tracked.flatMap((one) => around(one, change.at, facts));
  const ends = tracked.every(({ end }) => end !== null && end > change.at - MINUTE);
  if (state.is === 'over' && ends && (effects.length === 0 || sinceThen < TAKES_EFFECT + AROUND))
    return [
      `${none ?? '**Yes.**'} It has been over since ${timeOfDay(state.since)}, after ${when}:`,
      '',
      ...tracked.slice(0, 2).map((one) => `- ${levelOf(one)}`),
    ].join('\n');
  if (effects.length === 0)
    return `I can’t tell: no metric has samples on both sides of ${when}. ${statusOf(scope, facts)}`;
  const verdict = effects.every(({ isBack }) => isBack)
    ? '**Yes.**'
    : effects.some(({ isBetter }) => isBetter)
      ? '**In part.**'
      : '**No.**';
  return [`${none ?? verdict} Before and after ${when}:`, '', ...effects.map(({ line }) => `- ${line}`)].join(
    '\n',
  );
}

function around(
  { series, service, usual }: Tracked,
  at: number,
  { fine: view, now }: Facts,
): { isBack: boolean; isBetter: boolean; line: string }[] {
  const levels = (from: number, to: number) => view.points(series, { from, to }).map(({ value }) => value);
  const after = { from: at + TAKES_EFFECT, to: Math.min(now + 1, at + TAKES_EFFECT + AROUND) };
  const [earlier, later] = [levels(at - AROUND, at), levels(after.from, after.to)];
  if (earlier.length === 0 || later.length === 0) return [];
  const [was, is] = [mean(earlier), mean(later)];
  const { label, unit, bad } = series.signal;
  const gain = (was - is) * (bad === 'low' ? -1 : 1);
  const normally = usual === null ? '' : ` (normally ${amount(usual, unit)})`;
  return [
    {
      isBack: usual !== null && !isOff(series, is, usual),
      isBetter: gain > 0.25 * Math.abs(was - (usual ?? 0)),
      line: `${service} ${label}: ${amount(was, unit)} in the 10 min before, ${amount(is, unit)} from ${timeOfDay(after.from)} to ${timeOfDay(after.to)}${normally}`,
    },
  ];
}

type Action = Remediation['actions'][number];

/** What to do first, from the issue's own checklist; what is left of it, if it is over. */
export async function checklistOf(
  scope: IssueScope,
  facts: Facts,
  { rollback = false }: { rollback?: boolean } = {},
): Promise<string> {
  const { issue } = scope;
  const actions = issue.findings?.remediation.actions ?? [];
  if (actions.length === 0)
    return `#${issue.number} has no checklist. ${withoutCause(scope)}${scope.unknown === null ? '' : ` Look at ${scope.unknown} itself.`}`;
  const first = actions.filter(({ category }) => category === 'immediate');
  const later = actions.filter((action) => !first.includes(action));
  const state = stateOf(trackedOf(scope, facts), facts.now);
  const change = state.is === 'over' ? endedBy(await changesSince(scope, facts), state.since) : undefined;
  const caution = rollback ? `${await rollbackOf(scope, facts)} ` : '';
  const cause = causeOf(scope) ?? '';
  if (state.is === 'over' && later.length > 0) {
    const after = change === undefined ? '' : `, after “${change.title}” at ${timeOfDay(change.at)}`;
    return [
      `${caution}Nothing is urgent: it has been over since ${timeOfDay(state.since)}${after}. ${cause} Left on the checklist of #${issue.number}:`,
      '',
      ...(change === undefined ? first.map(({ title }) => `- ${title}, if that is not done`) : []),
      ...later.map(({ title, description }) => `- ${title}: ${description}`),
    ].join('\n');
  }
  return [
    `${caution}${cause} Do this first (the checklist of #${issue.number}):`,
    '',
    ...(first.length > 0 ? first : later).map(inFull),
    ...(first.length > 0 && later.length > 0
      ? ['', '**Later**', ...later.map(({ title }) => `- ${title}`)]
      : []),
  ].join('\n');
}

/** What the version before was, and what of its change cannot be taken back with it. */
const MIGRATES = /migrat|\.sql$|schema/iu;

/** What is known of taking the blamed change back: the version before it, and migrations among its files. */
async function rollbackOf(scope: IssueScope, facts: Facts): Promise<string> {
  const blamed = blamedAt(scope);
  const window = { from: scope.onset - MAY_LEAD, to: facts.now + 1 };
  const changes = (await facts.changes(window)).filter(
    ({ service }) => service !== null && scope.services.includes(service),
  );
  const change =
    changes.find((one) => isBlamedChange(one, scope)) ??
    changes.findLast(({ at, version }) => version !== null && at <= scope.onset);
  if (change === undefined)
    return `I see no deploy in ${joinNames(scope.services)} that could be rolled back.`;
  const to = change.before == null ? 'the version before, which nothing names' : change.before;
  const how = change.undo?.type === 'command' ? ` (\`${change.undo.content}\`)` : '';
  const migrations = (change.files ?? []).filter((path) => MIGRATES.test(path));
  const risk =
    migrations.length > 0
      ? `Careful: it changes ${migrations
          .slice(0, 3)
          .map((path) => `\`${path}\``)
          .join(', ')}, which a rollback does not take back.`
      : change.files === undefined
        ? 'Whether that is safe I can’t tell: its files are not known, so nothing shows whether it migrates data.'
        : `None of the ${change.files.length} files that it changes looks like a migration.`;
  const suspect = blamed === null ? ' It is not proven to be the cause.' : '';
  return `${change.title} can be rolled back to ${to}${how}.${suspect} ${risk}`;
}

function inFull({ title, description, steps }: Action): string {
  const lines = steps.map((step, i) => {
    const content = step.type === 'command' ? `\`${step.content}\`` : step.content;
    return `${i + 1}. ${step.title}${step.required ? '' : ' (optional)'}: ${content}`;
  });
  return [`**${title}.** ${description}`, '', ...lines].join('\n');
}

/** How its services were at a moment that is named. */
export function momentOf(at: number, scope: IssueScope, facts: Facts): string {
  const levels = trackedOf({ ...scope, onset: Math.min(scope.onset, at) }, facts).flatMap(
    ({ series, service }) => {
      const point = nearest(series, at, facts);
      const { label, unit } = series.signal;
      facts.evidenceStore.metric(series, { from: at - 30 * MINUTE, to: at + 30 * MINUTE });
      return point === null ? [] : [`- ${service} ${label} was ${amount(point, unit)}`];
    },
  );
  const changes = facts.view
    .changes({ from: at - 15 * MINUTE, to: at + 15 * MINUTE })
    .map(({ title, at: when }) => `- ${title} at ${timeOfDay(when)}`);
  if (levels.length + changes.length === 0) return `I have no samples of ${timeOfDay(at)}.`;
  return [
    `At ${timeOfDay(at)}:`,
    '',
    ...levels,
    ...changes,
    '',
    capitalize(causeOf(scope) ?? withoutCause(scope)),
  ].join('\n');
}

function nearest(series: Series, at: number, { fine: view }: Facts): number | null {
  return view.points(series, { from: at - 5 * MINUTE, to: at + MINUTE }).at(-1)?.value ?? null;
}
