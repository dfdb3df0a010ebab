import { amount, duration, joinNames, level, timeOfDay } from '../../investigation/format.ts';
import type { Says } from '../tool.ts';
import { type HealthArgs, isWithout, type Trouble } from '../tools/health.ts';
import type { Look } from '../tools/investigation.ts';
import { briefInWords } from './brief.ts';
import { impactInWords, sinceInWords, statusInWords, untilInWords } from './course.ts';
import { relationInWords, seenInWords } from './relation.ts';
import {
  blameInWords,
  causeInWords,
  certaintyInWords,
  guessInWords,
  lookInWords,
  reasonsInWords,
} from './verdict.ts';

/** How a yes or no is said: of how two are related, with how sure that is. */
export function saysInWords(says: Says | null, [first]: readonly Trouble[], now: number): Says | null {
  if (says?.relation !== 'related' || first?.relation == null) return says;
  return relationInWords(first.relation, now).says ?? null;
}

/** What is asked of a trouble, and what is said of a thing without one. */
export function healthInWords(trouble: Trouble, args: HealthArgs, now: number): string {
  const { verdict, course, look, blame, beside, relation } = trouble;
  const { aspect } = args;
  if (blame !== null) return blameInWords(blame);
  if (look === null && relation !== null && args.guess !== null)
    return guessInWords(verdict, args.guess, seenInWords(relation, now));
  if (beside !== null && look !== null)
    return [
      relation && relationInWords(relation, now).text,
      causeInWords(beside),
      conditionInWords(look, now),
    ]
      .filter((one) => one !== null)
      .join(' ');
  if (look !== null && (aspect === 'health' || aspect === 'cause' || isWithout(trouble)))
    return conditionInWords(look, now);
  if (aspect === 'cause' || (aspect === 'health' && course.symptom === null))
    return reasonsInWords(verdict, `Since ${timeOfDay(course.onset)} (${untilInWords(course)}).`);
  return aspectInWords(trouble, args);
}

function aspectInWords({ course, verdict }: Trouble, { aspect, expects, further }: HealthArgs): string {
  switch (aspect) {
    case 'since':
      return sinceInWords(course, { end: further });
    case 'impact':
      return impactInWords(course);
    case 'certainty':
      return certaintyInWords(verdict, { others: further });
    default: {
      const status = statusInWords(course, { trend: further });
      const cause = aspect === 'status' ? null : causeInWords(verdict);
      // What is down, before what it takes with it.
      const isElsewhere = cause?.includes(course.levels[0]?.service ?? '') === false;
      const said = expects === null && isElsewhere ? [cause, status] : [status, cause];
      return said.filter((one) => one !== null).join('\n\n');
    }
  }
}

/** How a thing is, what is wrong with it and why, or what was compared. */
export function conditionInWords(look: Look, now: number): string {
  const { service, open, is, verdict, besides, bad, grows, levels, isKnown, primary } = look;
  const goesOn = primary === null && isKnown ? open : [];
  const about = goesOn.length > 0 ? [] : open;
  const isSaidByIssue = service === null && goesOn.length > 0;
  const measured = ['well', 'over', 'bad'].includes(is)
    ? levels.map((one) => measuredInWords(one, look.at))
    : [];
  const isBad =
    service === null
      ? bad.map((one) => `${one.service} ${measuredInWords({ ...one, before: null }, look.at)}`)
      : [];
  return [
    isSaidByIssue
      ? ''
      : look.elsewhere !== null
        ? `${headOf(look)} Elsewhere: ${look.elsewhere.sentence}`
        : lookInWords(verdict, headOf(look), {
            isCauseFirst: service === null && verdict.summary?.includes(primary?.service ?? '') === false,
          }),
    ...grows.slice(0, 3).map(growthInWords),
    measured.length === 0 ? '' : `Also measured: ${joinNames(measured)}.`,
    goesOn.length === 0 ? '' : briefInWords(goesOn, now),
    isKnown || about.length > 0 || look.services.length === 0 ? '' : knownInWords(look.services),
    ...about.map(({ number, cause }) => `#${number} covers this: ${cause ?? 'No cause was found.'}`),
    isBad.length === 0
      ? ''
      : `Unhealthy, whether or not that is usual: ${joinNames(isBad.slice(0, MOST_SAID))}.`,
    besides.length === 0 ? '' : `Also outside the usual range: ${joinNames(besides.slice(0, MOST_SAID))}.`,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

const MOST_SAID = 8;
const YEAR = 365 * 24 * 3_600;

/** `mail.outgoing queue depth only grows: from 15,886 messages at 13:40 UTC to 22,969 messages.` */
function growthInWords({ service, label, unit, from, now, since }: Look['grows'][number]): string {
  return `${service} ${label} keeps growing: from ${amount(from, unit)} at ${timeOfDay(since)} to ${amount(now, unit)}.`;
}

/** `error rate 14.3%`; a moment, in seconds since the epoch, is no length of time. */
function measuredInWords({ label, now, before, ...scale }: Look['levels'][number], at: number): string {
  const ago = at / 1000 - now;
  const isMoment = scale.unit === 's' && now > YEAR && Math.abs(ago) < 20 * YEAR;
  if (isMoment) return `${label} ${duration(Math.abs(ago) * 1000)} ago`;
  return `${level(label, now, scale)}${before === null ? '' : ` (${amount(before, scale.unit)} before)`}`;
}

function headOf({ service, isKnown, at, isPast, is, primary, stale, unread, isUnsure, shown }: Look): string {
  const [own] = shown;
  if (own !== undefined)
    return `I can’t call ${service} healthy: #${own.number} is not over, and rests on it. ${own.title}: ${own.description}`;
  if (!isKnown && is !== 'ill')
    return unread === null
      ? `I know no service called ${service}.`
      : `I can’t tell how ${service} is. ${unread}`;
  if (stale !== null)
    return `I can’t tell: the newest sample of ${service ?? 'any service'} is from ${timeOfDay(stale)}.`;
  const [verb, when] = isPast ? ['was', ` at ${timeOfDay(at)}`] : ['is', ''];
  if (unread !== null || is === 'unclear')
    return service === null ? 'I can’t tell.' : `I can’t tell how ${service} ${verb}${when}.`;
  const what = service ?? primary?.service;
  if (is === 'ill')
    return primary === null || what === undefined ? '' : `**${what} ${verb} degraded${when}.**`;
  const ofAll = {
    bad: `Not everything ${verb} well`,
    over: `Nothing ${verb} degraded any more`,
    well: 'I see nothing wrong',
  };
  const ofOne = {
    bad: `${service} ${verb} not well`,
    over: isUnsure ? `What was wrong with ${service} is over` : `${service} ${verb} healthy again`,
    well: isUnsure ? `I see nothing wrong with ${service}` : `${service} ${verb} healthy`,
  };
  return `**${(service === null ? ofAll : ofOne)[is]}${when}.**`;
}

/** Of a large system, only some are listed. */
const MOST_SERVICES = 25;

export function knownInWords(services: readonly string[]): string {
  if (services.length === 0) return 'No source of telemetry knows any service right now.';
  const more = services.length - MOST_SERVICES;
  return `Services I know: ${services.slice(0, MOST_SERVICES).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
