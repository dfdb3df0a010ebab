import {
  amount,
  duration,
  joinNames,
  measured,
  measuredBoth,
  timeOfDay,
} from '../../investigation/format.ts';
import type { Level } from '../issue-scope.ts';
import type { Course } from '../tools/course.ts';

/** `storefront error rate is 5.2% now (normally 0.34%, peak 5.6% at 17:38 UTC)`. */
export function levelInWords({ service, label, now, usual, peak, ...scale }: Level): string {
  const normally = usual === null ? '' : `normally ${measured(usual, scale)}, `;
  return `${service} ${label} is ${measured(now, scale)} now (${normally}peak ${measured(peak.value, scale)} at ${timeOfDay(peak.at)})`;
}

/** `storefront error rate rose from 0.34% to 5.6%`. */
function movedInWords({ service, label, usual, peak, ...scale }: Level): string {
  if (usual === null) return `${service} ${label} reached ${measured(peak.value, scale)}`;
  const verb = peak.value >= usual ? 'rose' : 'fell';
  return `${service} ${label} ${verb} from ${measuredBoth(usual, peak.value, scale).join(' to ')}`;
}

/** Nothing can be said of the present of what no metric shows. */
export function unmeasured({ number, unknown }: { number: number | null; unknown: string | null }): string {
  const about = number === null ? 'this' : `what #${number} is about`;
  return unknown === null
    ? `I can’t tell: no metric shows ${about}.`
    : `I can’t tell: there are no metrics for ${unknown}${number === null ? '' : `, which #${number} is about`}.`;
}

/** Whether it goes on, with the levels now and then; which way it goes, if that is asked. */
export function statusInWords(course: Course, { trend = false } = {}): string {
  const { state, levels, onset, now, own } = course;
  const lines = levels.slice(0, 2).map((one) => `- ${levelInWords(one)}`);
  switch (state.is) {
    case 'ongoing':
      return [
        `**Ongoing** since ${timeOfDay(onset)} (${duration(now - onset)}):`,
        '',
        ...lines,
        ...(trend ? ['', trendInWords(course)] : []),
      ].join('\n');
    case 'settling':
      return [
        'I can’t tell yet: it is too early. The newest samples still contain part of the problem:',
        '',
        ...lines,
      ].join('\n');
    case 'over':
      return [
        `**Over since ${timeOfDay(state.since)}**, after ${duration(state.since - onset)}:`,
        '',
        ...lines,
        ...(state.hasRemainder
          ? ['', 'Not quite back to normal yet: less than a tenth of the rise is left.']
          : []),
      ].join('\n');
    case 'stale':
      return `I can’t tell: the newest sample of ${joinNames(levels.map(({ service }) => service))} is from ${timeOfDay(state.newest)}.`;
    case 'normal':
      return ['Its metrics are in their normal range now:', '', ...lines].join('\n');
    case 'unclear':
      if (own === null) return unmeasured(course);
      return own.since === null
        ? `**Ongoing**: its alert’s condition, \`${own.expression}\`, still fires.`
        : `**Over since ${timeOfDay(own.since)}**, after ${duration(own.since - onset)}: its alert’s condition, \`${own.expression}\`, has not fired since.`;
  }
}

const WAYS = {
  same: 'It is holding steady',
  worse: 'It is getting worse',
  better: 'It is getting better',
} as const;

function trendInWords({ trend, levels: [first] }: Course): string {
  if (trend === null || first === undefined)
    return 'I can’t tell which way it is going: that takes 9 minutes of samples since it began.';
  const { service, label } = first;
  const minutes = (share: number) => Math.round((trend.spanMs * share) / 60_000);
  const [earlier, lately] = measuredBoth(trend.earlier, trend.lately, first);
  return `${WAYS[trend.way]}: ${service} ${label} was ${earlier} between ${minutes(1)} and ${minutes(0.5)} min ago, and ${lately} in the last ${minutes(0.5)} min.`;
}

/** Since when, in which order, and until when; of one that is over, when that was, if that is asked. */
export function sinceInWords(course: Course, { end = false } = {}): string {
  const { state, levels, timeline, onset, unknown, triggeredAt } = course;
  if (unknown !== null || levels.length === 0)
    return `${unmeasured(course)} The alert is from ${timeOfDay(triggeredAt)}.`;
  if (end && state.is === 'ongoing') return `It has not recovered. ${statusInWords(course)}`;
  if (end && (state.is === 'over' || state.is === 'settling')) return statusInWords(course);
  const seen = timeline.map(({ at, text }) => `- ${timeOfDay(at)}: ${text}`);
  return [
    `**Since ${timeOfDay(onset)}** (${untilInWords(course)}):`,
    '',
    ...(seen.length > 0 ? seen : levels.map((one) => `- ${movedInWords(one)}`)),
  ].join('\n');
}

/** `8 min ago, ongoing`, after when it began. */
export function untilInWords({ state, onset, now }: Pick<Course, 'state' | 'onset' | 'now'>): string {
  switch (state.is) {
    case 'over':
      return `until ${timeOfDay(state.since)}, ${duration(state.since - onset)}${state.hasRemainder ? '; not quite back to normal' : ''}`;
    case 'ongoing':
      return `${duration(now - onset)} ago, ongoing`;
    case 'normal':
      return 'in the normal range now';
    case 'settling':
      return 'possibly over, but it is too early to tell';
    case 'stale':
    case 'unclear':
      return 'no newer samples tell whether it is still going on';
  }
}

export function impactInWords(course: Course): string {
  const { state, levels, symptom, onset, callers } = course;
  if (symptom === null || levels.length === 0) return unmeasured(course);
  const isOver = state.is === 'over';
  const head = isOver
    ? `**Nothing is affected any more: over since ${timeOfDay(state.since)}.** While it lasted, from ${timeOfDay(onset)}:`
    : `**Affected** since ${timeOfDay(onset)}:`;
  const rows = levels.map((one) => {
    const { service, label, usual, peak, isCause, requests } = one;
    const level = isOver
      ? `${label} up to ${measured(peak.value, one)} at ${timeOfDay(peak.at)}${usual === null ? '' : `, normally ${measured(usual, one)}`}`
      : levelInWords(one).slice(service.length + 1);
    const failed =
      requests === null || requests.failed < 1
        ? ''
        : `; about ${roughly(requests.failed)} of ${roughly(requests.all)} requests failed in that time`;
    return `- **${service}**${isCause ? ' (the cause)' : ''}: ${level}${failed}`;
  });
  return [head, '', ...rows, '', callersInWords(symptom, callers)].join('\n');
}

/** To three digits: counted from rates, more of them would mean nothing. */
function roughly(count: number): string {
  return amount(Number(count.toPrecision(3)), '');
}

/** Who calls a service, said only as far as calls are known. */
export function callersInWords(service: string, callers: readonly string[] | null): string {
  if (callers === null)
    return `The callers of ${service} are unknown: no source of telemetry shows which service calls which.`;
  return callers.length > 0
    ? `Called by ${joinNames(callers)}.`
    : `I see no other service calling ${service}.`;
}
