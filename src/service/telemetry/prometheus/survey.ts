import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Budget } from '../budget.ts';
import {
  type Edge,
  known,
  type Measure,
  type Reading,
  type Series,
  type Service,
  type Window,
} from '../model.ts';
import { askedOf, type Explore, linkTo, type PrometheusClient, type Sampled } from './client.ts';

import { type Directory, recognitionAmong } from './directory.ts';
import { Naming } from './naming.ts';
import type { OfferedSignal, Recognition } from './recognition.ts';
import { besides, currentNames, distinctEdges, settle } from './services.ts';
import { VOLUMES } from './signs.ts';
import { askedTogether } from './together.ts';
import { Unread } from './unread.ts';

export interface Surveyed {
  recognition: Recognition;
  naming: Naming;
  series: readonly Series[];
  edges: readonly Edge[];
  services: readonly Service[];
  caveats: readonly string[];
}

export interface SurveyOptions {
  client: PrometheusClient;
  window: Window;
  stepMs: number;
  budget: Budget;
  explore: Explore | null;
}

const VOLUME_SIGNALS = `${VOLUMES}: `;

/** Reads every signal of every service over the window, and identifies services by the labels. */
export async function survey(recognition: Recognition, options: SurveyOptions): Promise<Surveyed> {
  const naming = new Naming();
  for (const { service, instance } of recognition.targets) naming.isAt(instance, service);
  const [beside, { series, caveats }] = await Promise.all([
    besides(recognition, options),
    readSignals(recognition, naming, options),
  ]);
  await nextTurn();
  const volumes = series.filter(({ signal, edge }) => edge === null && signal.id.startsWith(VOLUME_SIGNALS));
  const using = settle(
    recognition,
    naming,
    volumes.map(({ labels }) => labels),
    beside,
  );
  const current = currentNames(naming);
  const renamed = series.map((one) => renamedSeries(one, current));
  return {
    recognition,
    naming,
    series: withInstances(renamed),
    edges: distinctEdges([...usedEdges(renamed), ...consumersIn(recognition, renamed), ...using]),
    services: naming.services(),
    caveats,
  };
}

/** The same for some services of a large server, whose names and calls are known already. */
export async function surveyAmong(
  directory: Directory,
  services: ReadonlySet<string>,
  options: SurveyOptions,
): Promise<Surveyed> {
  const { naming, edges } = directory;
  const recognition = recognitionAmong(directory, services);
  const { series, caveats } = await readSignals(recognition, naming, options);
  const current = currentNames(naming);
  return {
    recognition,
    naming,
    series: withInstances(series.map((one) => renamedSeries(one, current)).filter(isAmong(services))),
    edges,
    services: directory.services,
    caveats,
  };
}

/** Whether a series is one of these services, or of a call among them. */
export function isAmong(services: ReadonlySet<string>): (series: Series) => boolean {
  return ({ service, edge }) =>
    edge === null ? services.has(service) : services.has(edge.caller) && services.has(edge.callee);
}

async function readSignals(
  recognition: Recognition,
  naming: Naming,
  options: SurveyOptions,
): Promise<Pick<Surveyed, 'series' | 'caveats'>> {
  const results = await readQueries(recognition, recognition.offers, options);
  const series: Series[] = [];
  const caveats = new Set<string>();
  const unread = new Unread();
  // In order of trust: the first convention that names a service wins.
  for (const { offer, reading, limit } of results) {
    // There may be thousands of series: requests are handled meanwhile.
    await nextTurn();
    if (limit?.known === false) unread.note(limit.reason, `the limit of ${offer.signal.label}`);
    if (!reading.known) {
      unread.note(reading.reason, offer.signal.label);
      continue;
    }
    for (const caveat of reading.caveats) caveats.add(caveat);
    const limits = limit?.known ? limit.value : [];
    series.push(...seriesOf(offer, reading.value, limits, naming, recognition, options));
  }
  return { series, caveats: [...caveats, ...unread.sentences()] };
}

/** With more targets than this an answer is large by itself. */
const FEW_TARGETS = 200;

interface Answered {
  offer: OfferedSignal;
  reading: Reading<Sampled[]>;
  limit: Reading<Sampled[]> | null;
}

/** What each signal and its limit are: of a small system in a few requests, else in one each. */
async function readQueries(
  { client, targets, rate }: Recognition,
  offers: readonly OfferedSignal[],
  over: Pick<SurveyOptions, 'window' | 'stepMs' | 'budget'>,
): Promise<Answered[]> {
  const questions = offers.flatMap((offer) => [
    { expression: offer.query(rate), subject: offer.name },
    ...(offer.limit ? [{ expression: offer.limit(rate), subject: `the limit of ${offer.name}` }] : []),
  ]);
  const answers =
    targets.length <= FEW_TARGETS
      ? await askedTogether(client, questions, over)
      : (await Promise.all(questions.map((one) => askedTogether(client, [one], over)))).flat();
  let next = 0;
  const none = known([]);
  return offers.map((offer) => ({
    offer,
    reading: answers[next++] ?? none,
    limit: offer.limit ? (answers[next++] ?? none) : null,
  }));
}

/** How far back things are read as finely as they are sampled. */
export const RECENT_MS = 15 * 60_000;
/** What is looked at that closely: what callers feel, what they do, and what runs out. */
const CLOSELY: ReadonlySet<Measure> = new Set<Measure>([
  'requests',
  'errors',
  'success',
  'latency',
  'queries',
  'connections',
  'waiting',
  'queue',
  'lag',
  'memory',
  'up',
  'oom-kills',
  'certificate',
]);
/** A rate needs this many samples; with fewer, one missed scrape hides a counter. */
const SAMPLES_OF_A_RATE = 4;

/** The signals that a survey found, over its last minutes, at the scrape's own resolution. */
export async function recentSeries(
  { recognition, naming }: Pick<Surveyed, 'recognition' | 'naming'>,
  { client, window, budget, explore }: Omit<SurveyOptions, 'stepMs'>,
): Promise<Reading<Series[]>> {
  const scrape = recognition.scrapeSeconds ?? 30;
  const rate = `${SAMPLES_OF_A_RATE * scrape}s`;
  const stepMs = scrape * 1000;
  const lately = { from: Math.max(window.from, window.to - RECENT_MS), to: window.to };
  const offers = recognition.offers.filter(({ signal }) => CLOSELY.has(signal.measure));
  const unread = new Unread();
  const current = currentNames(naming);
  const options = { client, window: lately, stepMs, budget, explore };
  const finely = { ...recognition, rate };
  const read = (await readQueries(finely, offers, options)).flatMap(({ offer, reading, limit }) => {
    if (reading.known)
      return seriesOf(offer, reading.value, limit?.known ? limit.value : [], naming, finely, options);
    unread.note(reading.reason, offer.signal.label);
    return [];
  });
  return known(withInstances(read.map((one) => renamedSeries(one, current))), unread.sentences());
}

function renamedSeries(series: Series, current: (name: string) => string): Series {
  const { edge, service } = series;
  return {
    ...series,
    service: current(service),
    edge: edge && { ...edge, caller: current(edge.caller), callee: current(edge.callee) },
  };
}

function seriesOf(
  offer: OfferedSignal,
  results: readonly Sampled[],
  limits: readonly Sampled[],
  naming: Naming,
  { rate, write }: Recognition,
  { client, window, stepMs, explore }: SurveyOptions,
): Series[] {
  const asked = askedOf(window, stepMs);
  const limitOf = new Map(limits.map(({ labels, points }) => [keyOf(labels), points]));
  return results.flatMap(({ labels, points }): Series[] => {
    const caller = offer.edge ? naming.end(labels, offer.edge.caller) : null;
    const callee = offer.edge ? naming.end(labels, offer.edge.callee) : null;
    if (offer.edge && (caller === null || callee === null || caller === callee)) return [];
    const edge = offer.edge && caller && callee ? { caller, callee, side: offer.edge.side } : null;
    const service = edge
      ? edge.side === 'caller'
        ? edge.caller
        : edge.callee
      : naming.service(labels, offer.place);
    if (service === null) return [];
    const query = write(offer.queryOf?.(rate, labels) ?? offer.query(rate));
    return [
      {
        signal: offer.signal,
        service,
        instance: null,
        edge,
        labels,
        points,
        limit: limitOf.get(keyOf(labels)) ?? null,
        query,
        asked,
        providerUrl: linkTo(query, { base: client.publicBase, explore, asked }),
        provider: 'prometheus',
      },
    ];
  });
}

export function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** If a signal has several series for a service, each is an instance, named by the labels that differ. */
function withInstances(series: readonly Series[]): Series[] {
  const groups = Map.groupBy(series, ({ signal, service, edge }) =>
    JSON.stringify([signal.id, service, edge]),
  );
  return [...groups.values()].flatMap((group) => {
    if (group.length === 1) return group;
    const differing = [...new Set(group.flatMap(({ labels }) => Object.keys(labels)))].filter(
      (label) => new Set(group.map(({ labels }) => labels[label])).size > 1,
    );
    return group.map((one) => ({
      ...one,
      instance:
        differing
          .map((label) => one.labels[label] ?? '')
          .filter((value) => value !== '')
          .join(' ') || one.service,
    }));
  });
}

/** Whose queue it is needs who empties it. */
function consumersIn({ offers }: Recognition, series: readonly Series[]): Edge[] {
  const consumers = new Map(offers.map(({ signal, consumer }) => [signal.id, consumer]));
  return series.flatMap(({ signal, service }) => {
    const callee = consumers.get(signal.id);
    return callee === undefined || callee === service ? [] : [{ caller: service, callee }];
  });
}

function usedEdges(series: readonly Series[]): Edge[] {
  return series.flatMap(({ edge, points }) =>
    edge !== null && points.values.some((value) => value > 0) ? [edge] : [],
  );
}
