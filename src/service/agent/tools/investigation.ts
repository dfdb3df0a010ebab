import { median } from '../../../lib/statistics.ts';
import { PROFILES, survey } from '../../investigation/anomalies.ts';
import { badLevels } from '../../investigation/compared.ts';
import { labelOf, type Scale, scaleOf } from '../../investigation/format.ts';
import { affectedServices } from '../../investigation/place/incident.ts';
import { SHORT_MS } from '../../investigation/place/locate.ts';
import type { Primary } from '../../investigation/types.ts';
import type { Measure, Series } from '../../telemetry/model.ts';
import { STALE, scopeOf, stateOf, trackedOf } from '../issue-scope.ts';
import { isNamedIn } from '../names.ts';
import type { Facts, IssueScope } from '../types.ts';
import { type Brief, openBriefs, openRecords } from './brief.ts';
import { type Shown, type Verdict, verdictOf } from './verdict.ts';

/** What was found of a thing that is asked about, as an issue on it would be investigated. */
export interface Look {
  /** `null`: everything. */
  service: string | null;
  /** Whether telemetry knows it by that name; which it knows, unless the thread is about an issue. */
  isKnown: boolean;
  services: string[];
  /** When it was looked at; a moment of the past is spoken of as such. */
  at: number;
  isPast: boolean;
  is: Condition;
  primary: Primary | null;
  verdict: Verdict;
  /** Why nothing could be looked at; `null` if something was. */
  unread: string | null;
  /** Its newest sample, where that is too old to speak of the present. */
  stale: number | null;
  /** Whether its data is too young to know what is usual, or some of what it exports is other than before. */
  isUnsure: boolean;
  /** What departs the most, where that is elsewhere: then the verdict is about it. */
  elsewhere: Primary | null;
  /** Of everything: what else departs, and belongs to no part of the verdict. */
  besides: string[];
  bad: Measured[];
  /** What waits, and waits longer and longer: a steady rise is as usual, and not well. */
  grows: (Measured & { from: number; since: number })[];
  levels: (Measured & { before: number | null })[];
  /** What departs now, or is bad by itself. */
  ill: Measure[];
  /** What the results of an issue that is not over say of it: then it is not called healthy. */
  shown: (Shown & { number: number | null })[];
  /** Open issues about it: those of the same trouble, and those that go on although nothing departs. */
  open: Brief[];
}

interface Measured extends Scale {
  service: string;
  measure: Measure;
  label: string;
  now: number;
}

/**
 * `ill`: it departs, or something is wrong with it. `bad`: a level is bad by itself, however long. `over`: it was ill.
 * `well`: something that could have shown the opposite was compared. `unclear`: nothing was.
 */
type Condition = 'ill' | 'bad' | 'over' | 'well' | 'unclear';

const MINUTE = 60_000;
/** An issue's alert comes so long after the problem at most, or is about another one. */
const SAME_EPISODE = 60 * MINUTE;

export async function lookInto(
  { question, service, at }: { question: string; service: string | null; at: number },
  facts: Facts,
): Promise<{ look: Look; scope: IssueScope }> {
  const { results, artifacts, primary: worst, ...read } = await facts.investigate({ question, service, at });
  // Where the thing itself does not depart, what departs the most is elsewhere.
  const isElsewhere = worst !== null && !worst.isNeighbor && service !== null && worst.service !== service;
  const [primary, elsewhere] = isElsewhere ? [null, worst] : [worst, null];
  facts.attach(artifacts);
  const issue = {
    number: null,
    title: service ?? '',
    description: '',
    status: 'ready_to_fix',
    environment: 'production',
    severity: '',
    triggeredAt: at,
    service,
    context: {},
    rootCauseSummary: results.rootCause.rootCauseSummary ?? null,
    findings: results,
  };
  const services = facts.view.services();
  const about = scopeOf(issue, services);
  const symptom = service ?? primary?.service ?? about.symptom;
  const scope: IssueScope = {
    ...about,
    symptom,
    services: [...new Set([...(symptom === null ? [] : [symptom]), ...about.services])],
    onset: Math.min(about.onset, primary?.onset ?? about.onset),
  };
  const stale = at < facts.now ? null : staleSince(service, facts);
  const isKnown = service === null || facts.view.node(service) !== undefined;
  // What is not known while a source cannot be read, is not known to be missing.
  const gap = facts.view.gaps.find(({ what }) => what === 'services' || what === 'metrics');
  const unread = read.unread ?? (isKnown ? null : (gap?.reason ?? null));
  const found = verdictOf(scope);
  // What is known by no such name may have been taken for something else.
  const isAbout = isKnown || `${found.summary} ${found.overview}`.includes(service);
  const verdict = isAbout
    ? found
    : {
        ...found,
        summary: null,
        overview: unread === null ? `There are no metrics for ${service}.` : '',
        evidence: [],
      };
  const names = services.map(({ name }) => name);
  const bad = badIn(service === null ? names : [service], facts);
  const grows = growsIn(service === null ? names : [service], at, facts);
  const condition =
    stale === null
      ? conditionOf(scope, { primary, unread, verdict, bad, grows, elsewhere }, facts)
      : 'unclear';
  const isFine = (condition === 'well' || condition === 'over') && at >= facts.now - 2 * MINUTE;
  const shown = isFine && service !== null ? await shownOf(service, facts) : [];
  const is = shown.length > 0 ? 'unclear' : condition;
  const levels = service === null ? [] : levelsOf(service, at, facts);
  const look: Look = {
    service,
    isKnown,
    services: facts.thread === null ? names : [],
    at,
    isPast: at < facts.now - 2 * MINUTE,
    is,
    primary,
    verdict,
    isUnsure:
      read.changed > 0 ||
      levels.some(({ before }) => before !== null) ||
      firstOf(service, facts) > at - SHORT_MS,
    elsewhere,
    unread,
    stale,
    besides: service === null ? besides(scope, facts) : [],
    bad,
    grows,
    shown,
    levels,
    ill: [...departing(service, facts), ...[...bad, ...grows].map(({ measure }) => measure)],
    open:
      !isKnown || (facts.thread === null && facts.context === null)
        ? (await openAbout(scope, is, primary, facts)).filter(
            // Beside a thing that is well, only its own issues.
            ({ subject, services: of }) =>
              elsewhere === null || service === null || [subject, ...of].includes(service),
          )
        : [],
  };
  return { look, scope };
}

function conditionOf(
  { issue, symptom }: IssueScope,
  found: Pick<Look, 'primary' | 'unread' | 'verdict' | 'bad' | 'grows' | 'elsewhere'>,
  { view }: Facts,
): Condition {
  const { primary, unread, verdict, bad, grows, elsewhere } = found;
  const isOwn = primary !== null && !primary.isNeighbor;
  if (isOwn && primary.end === null) return 'ill';
  const summary = elsewhere === null ? verdict.summary : null;
  if (summary !== null && primary === null && verdict.confidence === 'high') return 'ill';
  if (bad.length + grows.length > 0) return 'bad';
  if (isOwn) return 'over';
  if (unread !== null || (summary !== null && primary === null)) return 'unclear';
  const lately = { from: issue.triggeredAt - 60 * MINUTE, to: issue.triggeredAt + 1 };
  const all = issue.service === null ? view.services().map(({ name }) => name) : [symptom ?? issue.service];
  const isMeasured = all.some((name) =>
    view.series(name).some((series) => view.points(series, lately).length > 0),
  );
  return isMeasured ? 'well' : 'unclear';
}

async function shownOf(service: string, facts: Facts): Promise<Look['shown']> {
  const { thread, view, now } = facts;
  const all = thread === null ? await openRecords(facts) : [thread.issue];
  return all.flatMap((issue) => {
    if (issue.findings === null) return [];
    const { is } = stateOf(trackedOf(scopeOf(issue, view.services()), facts), now);
    const { rootCause, causalTreeV2 } = issue.findings;
    const own = [...rootCause.relevantEvidence, ...causalTreeV2.nodes].find((one) =>
      isNamedIn(JSON.stringify(one), service),
    );
    const isOver = is === 'over' || is === 'normal';
    return own === undefined || isOver
      ? []
      : [{ number: issue.number, title: own.title, description: own.description }];
  });
}

function badIn(services: readonly string[], { view }: Facts): Measured[] {
  return services
    .flatMap((service) => badLevels(service, view))
    .filter(({ series: { signal }, now }) => signal.measure !== 'certificate' || now < A_DAY)
    .map(({ series, now }) => measuredOf(series, now));
}

function measuredOf(series: Series, now: number): Measured {
  const { service, signal } = series;
  return { ...scaleOf(series), service, measure: signal.measure, label: labelOf(series), now };
}

/** What waits grows if it is so much more in the newest hour than it was in the first. */
const GROWN = 1.25;
const HOUR = 60 * MINUTE;

function growsIn(services: readonly string[], at: number, { view }: Facts): Look['grows'] {
  return services
    .flatMap((service) => view.series(service))
    .filter(({ signal: { measure } }) => measure === 'queue' || measure === 'lag')
    .flatMap((series) => {
      const points = view.points(series, { from: 0, to: at + 1 });
      const [first, last] = [points[0], points.at(-1)];
      if (first === undefined || last === undefined || last.at - first.at < HOUR) return [];
      const within = (from: number, to: number) =>
        points.filter((one) => one.at >= from && one.at < to).map(({ value }) => value);
      const early = Math.max(...within(first.at, first.at + HOUR / 2));
      const late = Math.min(...within(last.at - HOUR / 4, last.at + 1));
      const { measure, label, unit } = series.signal;
      const [now, from, since] = [last.value, first.value, first.at];
      const hasGrown = early > 0 && late >= GROWN * early;
      return hasGrown ? [{ service: series.service, measure, label, unit, now, from, since }] : [];
    });
}

/** A certificate that lives longer may be renewed in time. */
const A_DAY = 24 * 3_600;
const MOST_LEVELS = 6;
/** What an overview states by itself. */
const STATED: readonly string[] = ['errors', 'latency', 'requests', 'connections', 'memory', 'restarts'];

/** What a level is now is compared with what it was in the first minutes that were read. */
const EARLY = 30 * MINUTE;
const MOVED = 0.5;

function levelsOf(service: string, at: number, { fine }: Facts): Look['levels'] {
  return PROFILES.filter(({ measure }) => !STATED.includes(measure))
    .flatMap(({ measure }) => fine.seriesOf(service, measure) ?? [])
    .flatMap((series) => {
      const points = fine.points(series, { from: 0, to: at + 1 });
      const last = points.at(-1);
      if (last === undefined || last.at < at - 60 * MINUTE) return [];
      const early = points.filter((one) => one.at < (points[0]?.at ?? 0) + EARLY);
      const before = median(early.map(({ value }) => value));
      const isMoved =
        last.at - EARLY > (points[0]?.at ?? 0) && Math.abs(last.value - before) > MOVED * Math.abs(before);
      return [{ ...measuredOf(series, last.value), before: isMoved ? before : null }];
    })
    .slice(0, MOST_LEVELS);
}

function departing(service: string | null, { fine }: Facts): Measure[] {
  const { anomalies } = survey(fine);
  const own = service === null ? [...anomalies.values()].flat() : (anomalies.get(service) ?? []);
  return own.filter(({ end }) => end === null).map(({ profile }) => profile.measure);
}

function besides(scope: IssueScope, { fine }: Facts): string[] {
  return affectedServices(survey(fine))
    .map(({ service }) => service)
    .filter((service) => !scope.services.includes(service));
}

async function openAbout(
  { services, onset, issue: { service } }: IssueScope,
  is: Condition,
  primary: Primary | null,
  facts: Facts,
): Promise<Brief[]> {
  const isKnown = service === null || facts.view.node(service) !== undefined;
  return (await openBriefs(facts)).filter(({ services: own, subject, title, onset: since, state }) => {
    if (!isKnown) return `${subject} ${title}`.includes(service);
    if (service !== null && !own.some((one) => services.includes(one))) return false;
    if (primary !== null) return own.includes(primary.service) && Math.abs(since - onset) <= SAME_EPISODE;
    // What lasts for hours is usual, and not well.
    return is !== 'ill' && (state.is === 'ongoing' || state.is === 'settling');
  });
}

function firstOf(service: string | null, { view }: Facts): number {
  const all = service === null ? view.snapshot.series : view.series(service);
  return Math.min(...all.map(({ points: { times } }) => times[0] ?? Number.POSITIVE_INFINITY));
}

/** The time of the newest sample, if that is too old to describe the present. */
function staleSince(service: string | null, { fine: view, now }: Facts): number | null {
  const all = service === null ? view.snapshot.series : view.series(service);
  const newest = Math.max(...all.map(({ points: { times } }) => times.at(-1) ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(newest) && now - newest > STALE ? newest : null;
}
