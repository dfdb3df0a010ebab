import { z } from 'zod';
import { median } from '../../lib/statistics.ts';
import { PROFILES, survey } from '../investigation/anomalies.ts';
import { amount, duration, joinNames } from '../investigation/format.ts';
import { affectedServices } from '../investigation/place/incident.ts';
import { limitOf, timeLeft } from '../investigation/time-left.ts';
import { thingOf, timeLeftInWords } from '../investigation/words/time-left.ts';
import type { Measure, Series, Window } from '../telemetry/model.ts';
import type { Point, View } from '../telemetry/view.ts';
import { isOfExporter } from './catalog/find.ts';
import { stem, termsOf } from './catalog/terms.ts';
import { concernedBy } from './issue-scope.ts';
import { metric } from './metric.ts';
import { momentOf, untilIn } from './moment.ts';
import { type Found, services, tool } from './tool.ts';
import { openBriefs } from './tools/brief.ts';
import { askedOf } from './tools/condition.ts';
import { courseOf } from './tools/course.ts';
import { isOfNames, RUNS_OUT, roomOf } from './tools/room.ts';
import type { Facts, IssueScope } from './types.ts';
import { startOf } from './understand.ts';
import { statusInWords } from './words/course.ts';
import { roomInWords } from './words/room.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How far back a slope is taken from. */
const SPAN = 6 * HOUR;
/** Less of it shows no slope. */
const LEAST_SPAN = 2 * HOUR;
const PARTS = 6;
const LEAST_SAMPLES = 12;
/** A queue that only grows has at least so much more in it than at the beginning. */
const LEAST_GROWTH = 10;
const LEAST_DOWN = 5;
const LEAST_SURE = 0.6;
const MOST_SHOWN = 20;

/** One thing that will break, or is about to page somebody. */
interface Warning {
  about: string;
  what: string;
  /** When it breaks, in milliseconds since the epoch; now for what is broken. */
  at: number;
}

type Sign = (points: readonly Point[], series: Series, now: number) => Warned;

/** By what a series measures: what such things are called, and what the series says of the next hours. */
const SIGNS: Partial<Record<Measure, { things: string; sign: Sign }>> = {
  disk: { things: 'disks', sign: ending },
  memory: { things: 'memory', sign: ending },
  connections: { things: 'connections', sign: ending },
  certificate: { things: 'certificates', sign: ending },
  queue: { things: 'queues', sign: (...of) => ending(...of) ?? growing(...of) },
  lag: { things: 'queues', sign: growing },
  restarts: { things: 'restarts', sign: restarting },
};
const THINGS = [...new Set(Object.values(SIGNS).map(({ things }) => things)), 'scrape targets'];

type Warned = Omit<Warning, 'about'> | null;

function ending(points: readonly Point[], series: Series, now: number): Warned {
  const left = timeLeft(series, points, now);
  // That a queue is drained is no trouble.
  if (left === null || left.end === 'drained') return null;
  return { what: `${thingOf(left)} ${timeLeftInWords(left, now)}`, at: left.at };
}

function restarting(points: readonly Point[], _: Series, now: number): Warned {
  const times = points.filter(({ value }, i) => value >= 0.5 && (points[i - 1]?.value ?? 0) < 0.5).length;
  return times < 2 ? null : { what: `restarted ${times} times in ${duration(SPAN)}`, at: now };
}

function growing(points: readonly Point[], { signal }: Series, now: number): Warned {
  const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 0];
  if (!isRising(points) || last < 2 * first || last - first < LEAST_GROWTH) return null;
  const since = (points.at(-1)?.at ?? now) - (points[0]?.at ?? now);
  return {
    what: `${signal.label} keeps growing: from ${amount(first, signal.unit)} to ${amount(last, signal.unit)} in ${duration(since)}`,
    at: now + HOUR,
  };
}

/** What will break soon? Is any disk about to be full? */
export const outlook = tool({
  name: 'outlook',
  answers:
    'what is about to break: disks, memory and connections used up within a day, certificates within a week, queues that only grow, repeated restarts, targets down, and what is wrong in a cluster',
  example: 'What is about to break?',
  input: z.object({
    services,
    /** What may run out, rather than all that is about to break. */
    things: z.array(z.enum(RUNS_OUT)).default([]),
    named: z.array(z.string().max(200)).default([]),
    until: z.number().nullable().default(null),
    expectsRoom: z.boolean().default(false),
    /** Whether it is asked how a trouble goes on by itself. */
    course: z.boolean().default(false),
    /** Whether it is asked what else is wrong, besides what is open and these. */
    others: z.boolean().default(false),
    except: z.array(z.string().max(200)).default([]),
    asked: z.string().max(1_000).default(''),
  }),
  fill: ({ question, words, named, services: own, aspect, except }, { now }) => ({
    others: aspect === 'others',
    except: [...except],
    asked: question.slice(0, 1_000),
    course: aspect === 'course',
    services: [...named.filter((name) => own.includes(name))],
    things: RUNS_OUT.filter((measure) =>
      measure === 'certificate'
        ? /\b(?:certs?|certificates?|tls|ssl)\b/iu.test(words)
        : PROFILES.some((profile) => profile.measure === measure && startOf(profile).test(words)),
    ),
    named: termsOf(question).flatMap(({ word, called }) => (called.length === 0 ? [] : [word, stem(word)])),
    until: untilIn(question, now),
    expectsRoom: /\b(?:enough|lasts?|survive|hold|make it|suffice|room)\b/iu.test(words),
  }),
  run: async ({ asked, services: own, things, named, until, expectsRoom, course, others, except }, facts) => {
    const scope = facts.scope ?? facts.thread;
    const left = others ? await leftOut(except, facts) : [];
    // What is asked of a disk is not how the issue goes on.
    if (course && scope !== null && things.length === 0) return await goesOn(scope, until, facts);
    const from = facts.now - SPAN;
    const window = { from, to: facts.now + 1 };
    const isOfThings = things.length > 0 || until !== null;
    // *The covers disk* is not one that the service of that name reports.
    const view = await facts.look(window, own.length === 0 || isOfThings ? null : own);
    const room = isOfThings
      ? roomOf(things.length > 0 ? things : RUNS_OUT, named, view, window).filter(
          ({ series }) => !isOfExporter(series, facts.catalog),
        )
      : [];
    // A disk that only a metric's label names is none of the others, nor is what is named and has none.
    const [best] = facts.catalog?.find(askedOf(asked)) ?? [];
    const isOther = best !== undefined && best.filters.length > 0 && best.left.length === 0;
    if ((isOther || own.length > 0) && things.length > 0 && !room.some((one) => isOfNames(one, named)))
      return await metric.call(
        {
          services: own,
          metrics: PROFILES.flatMap(({ measure, label }) =>
            things.some((one) => one === measure) ? label : [],
          ),
          asked,
          from,
        },
        facts,
      );
    if (room.length > 0) {
      for (const { series } of room.slice(0, 2)) facts.evidenceStore.metric(series, window);
      const isOut = room.some(
        ({ left }) => left !== null && left.end !== 'drained' && left.at <= (until ?? facts.now + DAY),
      );
      return {
        data: {
          room: room.map(({ about, measure, now, limit, perMinute, left }) => ({
            about,
            measure,
            now,
            limit,
            perMinute,
            endsAt: left === null ? null : new Date(left.at).toISOString(),
          })),
        },
        text: roomInWords(room, until, facts.now),
        says: { relation: 'lasts_until', holds: until === null ? null : isOut !== expectsRoom },
      };
    }
    const [targets, state, inside] = [
      await targetsDown(facts),
      await wrongState(facts),
      await wrongInside(facts),
    ];
    const isOwn = ({ about }: Warning) =>
      !left.some((name) => about.includes(name)) &&
      (own.length === 0 || others || own.some((name) => about.includes(name)));
    const series = fromSeries(view, window, facts);
    const warnings = [
      ...series.warnings,
      ...targets.warnings,
      ...state.warnings,
      ...inside.warnings,
      ...(others ? departing(facts) : []),
    ]
      .filter(isOwn)
      .sort((a, b) => a.at - b.at || (a.about < b.about ? -1 : 1));
    const { looked } = view.snapshot;
    const unread = [
      ...targets.unread,
      ...state.unread,
      ...inside.unread,
      ...view.gaps
        .filter(({ what }) => what === 'metrics' || what === 'services')
        .map(({ reason }) => reason),
      ...(looked == null
        ? []
        : [`${looked.of - looked.services.length} of ${looked.of} services were not checked.`]),
    ];
    const seen = [
      ...series.seen,
      ...(targets.isRead ? ['scrape targets'] : []),
      ...(state.isRead ? ['cluster'] : []),
      ...(inside.isRead ? ['databases'] : []),
    ];
    return {
      data: {
        warnings: warnings.map(({ about, what, at }) => ({ about, what, at: new Date(at).toISOString() })),
      },
      text: [
        ...(left.length === 0 ? [] : [`Besides ${joinNames(left)}:`]),
        textOf(warnings, seen, [...new Set(unread)]),
      ].join('\n\n'),
    };
  },
});

/** What is known to be wrong: what is named, and what the open issues are about. */
async function leftOut(except: readonly string[], facts: Facts): Promise<string[]> {
  const known = await openBriefs(facts);
  return [...new Set([...except, ...known.flatMap(({ subject, services }) => [subject, ...services])])];
}

function departing({ fine, now }: Facts): Warning[] {
  return affectedServices(survey(fine)).map(({ service }) => ({
    about: service,
    what: 'away from what is usual',
    at: now,
  }));
}

/** How what an issue is about goes on if nobody does anything: of what fills and what piles up. */
async function goesOn(scope: IssueScope, until: number | null, facts: Facts): Promise<Found> {
  const services = concernedBy(scope);
  const window = { from: facts.now - SPAN, to: facts.now + 1 };
  const view = await facts.look(window, null);
  const room = roomOf(RUNS_OUT, [], view, window).filter(
    ({ series, measure }) => services.includes(series.service) && measure !== 'certificate',
  );
  const all = room.filter(({ perMinute, left }) => left !== null || (perMinute ?? 0) > 0);
  const piling = all.filter(({ measure }) => measure === 'queue' || measure === 'lag');
  const moving = piling.length > 0 ? piling : all;
  const now = statusInWords(await courseOf(scope, facts), { trend: true });
  if (moving.length === 0)
    return {
      data: { room: [] },
      text: `${now}\n\nThat is how it has gone on until now. I see nothing that fills up or piles up in ${joinNames(services.slice(0, MOST_NAMED))}.`,
    };
  for (const { series } of moving.slice(0, 2)) facts.evidenceStore.metric(series, window);
  return {
    data: { room: moving.map(({ about, measure, now, perMinute }) => ({ about, measure, now, perMinute })) },
    text: [now, roomInWords(moving, until, facts.now)].join('\n\n'),
  };
}

const MOST_NAMED = 3;

function textOf(warnings: readonly Warning[], seen: readonly string[], unread: readonly string[]): string {
  const shown = warnings.slice(0, MOST_SHOWN).map(({ about, what }) => `- **${about}**: ${what}`);
  const more = warnings.length > shown.length ? [`${warnings.length - shown.length} more.`] : [];
  const missing = THINGS.filter((one) => !seen.includes(one));
  const found = warnings.length === 1 ? 'One thing is' : `${warnings.length} things are`;
  const head =
    warnings.length > 0
      ? `**${found} broken or about to break:**`
      : seen.length === 0
        ? `I can’t tell: no source reports ${THINGS.slice(0, -1).join(', ')} or ${THINGS.at(-1)}.`
        : `Nothing is about to break: I looked at ${joinNames(seen)}.`;
  const blind = seen.length > 0 && missing.length > 0 ? [`No source reports ${joinNames(missing)}.`] : [];
  return [head, ...shown, ...more, ...blind, ...unread].join('\n');
}

/** What the series of the window say, and which things they are of. */
function fromSeries(view: View, window: Window, facts: Facts): { warnings: Warning[]; seen: string[] } {
  const seen = new Set<string>();
  const found = view.snapshot.series.flatMap((series) => {
    const known = series.edge === null ? SIGNS[series.signal.measure] : undefined;
    const points = known === undefined ? [] : view.points(series, window);
    if (known === undefined || points.length === 0) return [];
    const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
    const isEnough =
      known.sign === ending
        ? series.signal.measure === 'certificate' || limitOf(series) !== null
        : points.length >= LEAST_SAMPLES && span >= LEAST_SPAN;
    if (!isEnough) return [];
    seen.add(known.things);
    const warned = known.sign(points, series, facts.now);
    if (warned === null) return [];
    facts.evidenceStore.metric(series, window);
    return [{ about: series.instance ?? series.service, ...warned }];
  });
  const isFirst = ({ about, what }: Warning, i: number) =>
    found.findIndex((one) => one.about === about && one.what === what) === i;
  return { warnings: found.filter(isFirst), seen: [...seen] };
}

/** What one look found; `unread` says why there was none. */
interface Looked {
  warnings: Warning[];
  unread: string[];
  isRead: boolean;
}

const NOT_THERE: Looked = { warnings: [], unread: [], isRead: false };

/** Targets that Prometheus can't scrape; a service that was scaled down has none. */
async function targetsDown(facts: Facts): Promise<Looked> {
  if (!facts.sources.some((name) => /prometheus|grafana/iu.test(name))) return NOT_THERE;
  const reading = await facts.evaluate('up == 0', { from: facts.now - HOUR, to: facts.now + 1 });
  if (!reading.known) return { ...NOT_THERE, unread: [reading.reason] };
  const warnings = reading.value.flatMap(({ labels, points }) => {
    const last = points.times.at(-1) ?? 0;
    if (points.times.length < LEAST_DOWN || facts.now - last > 2 * MINUTE) return [];
    const about = [labels.job, labels.instance].filter((part) => part !== undefined && part !== '').join(' ');
    const first = points.times[0] ?? last;
    const since =
      facts.now - first > HOUR - 2 * MINUTE ? 'for an hour or more' : `since ${momentOf(first, facts.now)}`;
    return [{ about, what: `the scrape target has been down ${since}`, at: facts.now }];
  });
  return { warnings, unread: [], isRead: true };
}

async function wrongState(facts: Facts): Promise<Looked> {
  const reading = await facts.state();
  if (reading === null) return NOT_THERE;
  if (!reading.known) return { ...NOT_THERE, unread: [reading.reason] };
  const warnings = reading.value
    .filter(({ confidence }) => confidence >= LEAST_SURE)
    .map(({ object, sentence }) => ({ about: object, what: sentence, at: facts.now }));
  return { warnings, unread: [], isRead: true };
}

/** What is wrong inside the databases, whether or not anybody feels it yet. */
async function wrongInside({ inside, now }: Facts): Promise<Looked> {
  if (inside === null) return NOT_THERE;
  const looked = await Promise.all(inside.all.map(({ name }) => inside.look(name, 'watch')));
  return {
    warnings: looked.flatMap(({ database, facts }) =>
      facts.map(({ sentence }) => ({ about: database, what: sentence, at: now })),
    ),
    unread: looked.flatMap(({ unread }) => unread),
    isRead: looked.some(({ read }) => read.length > 0),
  };
}

/** Of the whole rise, this much up and down is noise: of what lay still before it began, too. */
const NOISE = 0.05;

/** Whether no part of the time has less than the one before, and the last one has more. */
function isRising(points: readonly Point[]): boolean {
  const size = Math.max(1, Math.floor(points.length / PARTS));
  const levels = Array.from({ length: PARTS }, (_, i) =>
    median(points.slice(i * size, i === PARTS - 1 ? undefined : (i + 1) * size).map(({ value }) => value)),
  );
  const noise = NOISE * (Math.max(...levels) - Math.min(...levels));
  const isLast = (i: number) => i === PARTS - 1;
  return levels.every((level, i) => i === 0 || level > (levels[i - 1] ?? level) - (isLast(i) ? 0 : noise));
}
