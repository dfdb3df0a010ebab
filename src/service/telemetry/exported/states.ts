import type { Exported, StateFinding } from '../model.ts';
import { joined } from '../samples.ts';
import { type Departing, departureOf } from './departing.ts';
import { departuresIn, distinctBy } from './departures.ts';
import { A_TIME, amount, isNotWorking, objectOf, queryOf, seconds, timeOfDay, written } from './words.ts';

/*
 * What targets themselves say is wrong, without a table of exporters: something is down or in a state in which it does not
 * work, has used up what it may use, expires, stands still; and what else departed, told as it is.
 */

/** Sure enough to be the cause, and to be a fact beside another. */
const CERTAIN = 0.8;
const SEEN = 0.6;

/**
 * @param services the names by which a label says whose a series is
 * @param named what the alert's labels name: of that, all that departs is told
 */
export function statesIn(
  all: readonly Exported[],
  services: ReadonlySet<string>,
  stated: ReadonlySet<string> = new Set(),
): StateFinding[] {
  const owner = (series: Exported) => ownerOf(series, services);
  const named = namesIn(all, stated, owner);
  const meant = (one: Exported) => nameIn(one, named);
  const departed = all.flatMap((one) => departureOf(one, meant(one) === null ? undefined : 1) ?? []);
  return [
    ...downIn(all, owner),
    ...notWorkingIn(departed, owner),
    ...usedUpIn(all, owner),
    ...expiringIn(departed, owner),
    ...standingStill(all, owner),
    ...departuresIn(departed, { all, owner, meant }),
  ];
}

/** What targets export of a thing, and what of it left what it was before, the farthest first. */
export function exportedOf(
  name: string,
  all: readonly Exported[],
  services: ReadonlySet<string>,
): { series: readonly Exported[]; departed: readonly Departing[] } {
  const meant = new Set([name]);
  const series = all.filter(
    (one) =>
      one.points.times.length >= FEWEST_COMPARED &&
      (ownerOf(one, services) === name || nameIn(one, meant) !== null),
  );
  const departed = series.flatMap((one) => departureOf(withPast(one)) ?? []);
  return { series, departed: departed.toSorted((a, b) => b.far - a.far) };
}

/** With the day before: what has been so for hours left what it was, too. */
function withPast(one: Exported): Exported {
  return one.past === undefined ? one : { ...one, points: joined(one.past, one.points) };
}

/** With fewer samples nothing could be said to depart. */
const FEWEST_COMPARED = 8;

type OwnerOf = (series: Exported) => string;

/** A name, as opposed to `GET`, `500` or `true`. */
const A_NAME = /^(?!true$|false$)(?=.*[a-z]).{4,}$/u;

/**
 * What the alert states and one thing's series have, or all of one machine: what many share, such as an environment, names
 * none of them, and where several do, such as a region beside an instance, the narrower is meant.
 */
function namesIn(all: readonly Exported[], stated: ReadonlySet<string>, owner: OwnerOf): ReadonlySet<string> {
  const names = new Set([...stated].map(hostIn).filter((value) => A_NAME.test(value)));
  const bearing = [...names].flatMap((name) => {
    const some = all.filter((one) => nameIn(one, new Set([name])) !== null);
    const isOne = new Set(some.map(owner)).size === 1;
    const isMachine = some.every(({ labels }) => hostIn(labels.instance ?? '') === name);
    return some.length > 0 && (isOne || isMachine) ? [{ name, some: new Set(some) }] : [];
  });
  const isWithin = (inner: ReadonlySet<Exported>, outer: ReadonlySet<Exported>) =>
    inner.size < outer.size && [...inner].every((one) => outer.has(one));
  const narrower = bearing.filter(({ some }) => !bearing.some((other) => isWithin(other.some, some)));
  return new Set(narrower.map(({ name }) => name));
}

/** Which of these names a label states: by itself, as the last part of an ARN, or as the host of an address. */
function nameIn({ labels }: Exported, names: ReadonlySet<string>): string | null {
  for (const [label, value] of Object.entries(labels)) {
    if (SCRAPE.has(label) && label !== 'instance') continue;
    const found = [value, value.slice(value.lastIndexOf(':') + 1), hostIn(value)].find((one) =>
      names.has(one),
    );
    if (found !== undefined) return found;
  }
  return null;
}

function hostIn(value: string): string {
  return value.replace(/^\w+:\/\//u, '').replace(/[:/].*$/su, '');
}

/** Whose a series is: of a label whose value is a service's name that service's, else its target's. */
function ownerOf({ labels, service }: Exported, services: ReadonlySet<string>): string {
  // CloudWatch's exporters give the things that they report on as dimensions.
  const [dimension] = Object.entries(labels).filter(([label]) => label.startsWith('dimension_'));
  if (dimension !== undefined) return dimension[1];
  const named = Object.entries(labels).filter(
    ([label, value]) => !SCRAPE.has(label) && !OTHERS.test(label) && services.has(value),
  );
  return named[0]?.[1] ?? service;
}

/** Labels that name what it is connected with. */
const OTHERS =
  /(?:^|_)(?:host|addr(?:ess)?|master|source|peer|remote|dest\w*|upstream|target|client|user)(?:_|$)/u;
const SCRAPE: ReadonlySet<string> = new Set(['job', 'instance', 'service', 'namespace', 'pod', 'container']);

interface Told {
  cause: string;
  sentence: string;
  since: number;
  evidence: readonly string[];
  query: string;
  confidence?: number;
}

function finding(service: string, { confidence = CERTAIN, ...told }: Told): StateFinding {
  return {
    object: `app/${service}`,
    namespace: null,
    show: null,
    mend: null,
    source: 'prometheus',
    confidence,
    ...told,
  };
}

/** Whether something is reached, or works: Prometheus' own word, and that of every exporter and probe. */
const UP = /(?:^|_)up$|^probe_success$/u;
/** `redis_master_link_up`: a part of it, and not the whole. */
const PART_UP = /^[^_]+_(\w+)_up$/u;

/** Since when the newest samples say that it is down, however often it was before; `null` if they do not, or it never was up. */
function downSince({ times, values }: Exported['points']): number | null {
  const lastUp = values.findLastIndex((value) => value > 0);
  return lastUp < 0 || lastUp >= values.length - FEWEST_DOWN ? null : (times[lastUp + 1] ?? null);
}

/** One failed scrape is an accident. */
const FEWEST_DOWN = 2;

function downIn(all: readonly Exported[], owner: OwnerOf): StateFinding[] {
  const ups = all.filter(
    ({ name, points: { values } }) => UP.test(name) && values.every((value) => value <= 1),
  );
  return ups.flatMap((of): StateFinding[] => {
    const since = downSince(of.points);
    if (since === null) return [];
    const service = owner(of);
    const same = ups.filter((other) => other.name === of.name && owner(other) === service);
    const down = same.filter(({ points: { values } }) => (values.at(-1) ?? 1) <= 0).length;
    const which = same.length > 1 ? `${down} of ${same.length} instances of ${service}` : service;
    const where = of.labels.instance === undefined ? '' : ` (${of.labels.instance})`;
    const part = PART_UP.exec(of.name)?.[1]?.replaceAll('_', ' ');
    if (part !== undefined)
      return [
        finding(service, {
          cause: 'down',
          sentence: `The ${part} of ${service} is down since ${timeOfDay(since)}: \`${written(of)}\` is 0.`,
          since,
          evidence: of.help === '' ? [] : [of.help],
          query: queryOf(of),
        }),
      ];
    const how =
      of.name === 'up'
        ? `Prometheus no longer reaches it${where}`
        : of.name === 'probe_success'
          ? `the probe${where} fails`
          : `its exporter says so (\`${of.name}\` is 0)`;
    return [
      finding(service, {
        cause: 'down',
        sentence: `${which} ${down > 1 ? 'are' : 'is'} down since ${timeOfDay(since)}: ${how}.`,
        since,
        evidence: [`\`${written(of)}\` went from 1 to 0 at ${timeOfDay(since)}`],
        query: queryOf(of),
      }),
    ];
  });
}

/** One of several series is 1, and a label says what that means: `haproxy_server_status{state="DOWN"}`. */
function notWorkingIn(departed: readonly Departing[], owner: OwnerOf): StateFinding[] {
  const entered = departed.filter(({ before, now }) => before === 0 && now === 1);
  const found = entered.flatMap(({ of, since }): StateFinding[] => {
    const [label, state] = Object.entries(of.labels).find(([, value]) => isNotWorking(value)) ?? [];
    if (label === undefined || state === undefined) return [];
    const service = owner(of);
    const object = objectOf(of.labels, [label]).replaceAll(
      new RegExp(`\\b[a-z]+ ${service}(?:, )?`, 'gu'),
      '',
    );
    const what = object === '' ? service : `${object.replace(/, $/u, '')} of ${service}`;
    return [
      finding(service, {
        cause: 'not-working',
        sentence: `${of.service} reports ${what} as ${state} since ${timeOfDay(since)}.`,
        since,
        evidence: [`\`${written(of)}\` went from 0 to 1 at ${timeOfDay(since)}`],
        query: queryOf(of),
        // The whole of a backend may work although a part of it does not.
        confidence: object === '' ? SEEN : CERTAIN,
      }),
    ];
  });
  // A part that does not work says more than the whole.
  const named = found.sort((a, b) => b.confidence - a.confidence);
  return distinctBy(named, ({ object, since }) => `${object} ${since}`);
}

const USED = /(?<=^|_)(?:in_use|used|active|busy|current|open)(?=_|$)/u;
const FREE = /(?<=^|_)(?:avail(?:able)?|free|remaining)(?=_|$)/u;
const LIMITS = ['limit', 'max', 'maximum', 'size', 'capacity', 'quota'];
/** Also called a maximum: the most that there ever was, which what is used reaches again and again. */
const A_MARK = /highest|\bpeak\b|high.?water/iu;
const FULL = 0.97;
const NOT_FULL = 0.9;
const EXCEEDED = 1.03;

/** What may be used, and what is: two metrics of one target whose names differ in one word. */
function usedUpIn(all: readonly Exported[], owner: OwnerOf): StateFinding[] {
  const byKey = new Map(all.map((one) => [keyOf(one.name, one.labels), one]));
  const found = all.flatMap((one): StateFinding[] => {
    const part = USED.exec(one.name) ?? FREE.exec(one.name);
    if (part === null || one.type === 'counter') return [];
    const limit = LIMITS.map((word) => one.name.replace(part[0], word))
      .map((name) => byKey.get(keyOf(name, one.labels)))
      .find((other) => other !== undefined && other.type !== 'counter' && !A_MARK.test(other.help));
    const most = limit?.points.values.at(-1) ?? 0;
    // A limit does not move.
    if (limit === undefined || most <= 0 || limit.points.values.some((value) => value !== most)) return [];
    const isFree = FREE.test(part[0]);
    const share = one.points.values.map((value) => (isFree ? 1 - value / most : value / most));
    // What more than that was used of is no limit.
    if (share.some((value) => value > EXCEEDED)) return [];
    const last = share.findLastIndex((value) => value < FULL);
    const since = one.points.times[last + 1];
    if (since === undefined || !share.slice(0, last + 1).some((value) => value < NOT_FULL)) return [];
    const service = owner(one);
    const object = objectOf(one.labels);
    const words = one.name.split('_');
    const what = words.slice(1, words.indexOf(part[0].split('_')[0] ?? '')).join(' ') || 'capacity';
    const now = one.points.values.at(-1) ?? 0;
    const used = isFree ? most - now : now;
    return [
      finding(service, {
        cause: 'used-up',
        sentence: `The ${what}${object === '' ? '' : ` (${object})`} of ${service} is full since ${timeOfDay(since)}: ${amount(used, one)} of ${amount(most, limit)} are used.`,
        since,
        evidence: [`\`${written(one)}\` against \`${limit.name}\``],
        query: queryOf(one),
      }),
    ];
  });
  return distinctBy(found, ({ sentence }) => sentence);
}

function keyOf(name: string, labels: Exported['labels']): string {
  return JSON.stringify([name, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

const EXPIRES = /expir|not_?after|valid_?(?:until|to)/iu;
const SOON = 30 * 86_400;

/** An end of validity that came near at once: another certificate is in use. */
function expiringIn(departed: readonly Departing[], owner: OwnerOf): StateFinding[] {
  return departed.flatMap(({ of, before, now, since }): StateFinding[] => {
    if (now < A_TIME || !EXPIRES.test(`${of.name} ${of.help}`)) return [];
    const at = (of.points.times.at(-1) ?? 0) / 1000;
    if (now - at > SOON || now >= before) return [];
    const service = owner(of);
    const whose = of.labels.instance ?? service;
    return [
      finding(service, {
        cause: 'expires',
        sentence: `The certificate of ${objectOf(of.labels) || whose} expires in ${seconds(now - at)}; until ${timeOfDay(since)} it had ${seconds(before - at)} left.`,
        since,
        evidence: [`\`${written(of)}\` moved at ${timeOfDay(since)}`],
        query: queryOf(of),
      }),
    ];
  });
}

const TIME = /time_?stamp|_time(?:_seconds)?\b|last_\w+_seconds|unix/iu;
/** So many times what was usual, a time that should move on stands still. */
const LATE = 3;

/** The time of a last success, or of anything else that comes again and again. */
function standingStill(all: readonly Exported[], owner: OwnerOf): StateFinding[] {
  return all.flatMap((one): StateFinding[] => {
    const { times, values } = one.points;
    const last = values.at(-1) ?? 0;
    if (one.type === 'counter' || last < A_TIME || last > 2 * A_TIME || !TIME.test(`${one.name} ${one.help}`))
      return [];
    const moved = [...values.keys()].filter((i) => i > 0 && (values[i] ?? 0) > (values[i - 1] ?? 0));
    const gaps = moved.slice(1).map((at, i) => (times[at] ?? 0) - (times[moved[i] ?? 0] ?? 0));
    const latest = times[moved.at(-1) ?? 0] ?? 0;
    const usual = Math.max(...gaps);
    const age = (times.at(-1) ?? 0) - latest;
    if (gaps.length === 0 || age < LATE * usual) return [];
    const service = owner(one);
    return [
      finding(service, {
        cause: 'stands-still',
        sentence: `\`${written(one)}\` of ${service} stands still since ${timeOfDay(latest)}, for ${seconds(age / 1000)}; before, it moved every ${seconds(usual / 1000)}.`,
        since: latest,
        evidence: one.help === '' ? [] : [one.help],
        query: queryOf(one),
        confidence: SEEN,
      }),
    ];
  });
}
