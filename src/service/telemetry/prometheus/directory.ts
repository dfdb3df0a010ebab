import type { Budget } from '../budget.ts';
import type { Edge, Service, Window } from '../model.ts';
import { narrowedTo } from './among.ts';
import { LISTING, type Sampled } from './client.ts';
import { Naming } from './naming.ts';
import type { OfferedSignal, Recognition } from './recognition.ts';
import { besides, currentNames, distinctEdges, settle } from './services.ts';
import { PVC } from './signs.ts';
import { Unread } from './unread.ts';

type Labels = Readonly<Record<string, string>>;

/** Which services a large server has, and who calls whom: known before the series of any are read. */
export interface Directory {
  recognition: Recognition;
  naming: Naming;
  services: readonly Service[];
  edges: readonly Edge[];
  groups: readonly Group[];
  caveats: readonly string[];
}

/** Signals whose results name services by the same labels. */
export interface Group {
  offers: readonly OfferedSignal[];
  labels: readonly string[];
  /** What they are about; `null` if that could not be listed. */
  rows: readonly Row[] | null;
}

interface Row {
  labels: Labels;
  /** A service, or the caller and the callee. */
  names: readonly string[];
}

/** So many times in a window it is looked who is there, with rates over some minutes. */
const MOMENTS = 4;
const RATE = '10m';

/** Lists services and calls without reading their series: a request for all signals that name services alike. */
export async function directoryOf(
  recognition: Recognition,
  { window, budget }: { window: Window; budget: Budget },
): Promise<Directory> {
  const naming = new Naming();
  for (const { service, instance } of recognition.targets) naming.isAt(instance, service);
  const stepMs = Math.ceil((window.to - window.from) / MOMENTS);
  const [beside, readings] = await Promise.all([
    besides(recognition, { window, budget }),
    Promise.all(
      groupsOf(recognition.offers).map(async ({ offers, labels }) => {
        const all = listedBy(offers).map((offer) => `(${offer.query(RATE)})`);
        const expression = `max by (${labels.join(', ')}) (${all.join(' or ')})`;
        const options = { subject: offers[0]?.name ?? '', reach: LISTING };
        const reading = await recognition.client.queryRange(expression, window, stepMs, budget, options);
        return { offers, labels, reading };
      }),
    ),
  ]);
  const unread = new Unread();
  const calls: Edge[] = [];
  // In order of trust: the first convention that names a service wins.
  const groups = readings.map(({ offers, labels, reading }): Group => {
    if (!reading.known) {
      unread.note(reading.reason, `who has ${offers[0]?.signal.label}`);
      return { offers, labels, rows: null };
    }
    const rows = reading.value.flatMap((one) => {
      const names = namesIn(one.labels, offers, naming);
      const [caller, callee] = names;
      if (caller !== undefined && callee !== undefined && isUsed(one)) calls.push({ caller, callee });
      return names.length === 0 ? [] : [{ labels: one.labels, names }];
    });
    return { offers, labels, rows };
  });
  const volumes = groups.filter(({ offers }) => offers.some(({ place }) => place === PVC));
  const using = settle(
    recognition,
    naming,
    volumes.flatMap(({ rows }) => (rows ?? []).map(({ labels }) => labels)),
    beside,
  );
  const current = currentNames(naming);
  return {
    recognition,
    naming,
    services: naming.services(),
    edges: distinctEdges([
      ...calls.map(({ caller, callee }) => ({ caller: current(caller), callee: current(callee) })),
      ...using,
    ]),
    groups: groups.map((group) => ({
      ...group,
      rows: group.rows?.map(({ labels, names }) => ({ labels, names: names.map(current) })) ?? null,
    })),
    caveats: [...recognition.caveats, ...unread.sentences()],
  };
}

function groupsOf(offers: readonly OfferedSignal[]): Pick<Group, 'offers' | 'labels'>[] {
  const groups = Map.groupBy(offers, ({ place, edge }) => JSON.stringify([place, edge]));
  return [...groups.values()].map((all) => ({
    offers: all,
    labels: [
      ...new Set(
        all.flatMap(({ place, edge }) => [
          ...place.labels,
          ...place.namespace,
          ...(place.address ?? []),
          ...(edge ? [...edge.caller, ...edge.callee, ...(edge.kind ?? [])] : []),
          'workload',
        ]),
      ),
    ],
  }));
}

/** Signals that show who is there: whoever is scraped is up, and who calls whom is counted. */
function listedBy(offers: readonly OfferedSignal[]): OfferedSignal[] {
  const counts = offers.filter(({ measure }) => measure === 'up' || measure === 'requests');
  if (counts.length > 0) return counts;
  const own = offers.filter(({ measure }) => !['errors', 'latency', 'reasons'].includes(measure));
  return own.length > 0 ? own : offers.slice(0, 1);
}

/** The service that labels name, or the caller and the callee; empty if none. */
export function namesIn(labels: Labels, [offer]: readonly OfferedSignal[], naming: Naming): string[] {
  if (offer === undefined) return [];
  const { place, edge } = offer;
  if (edge === undefined) {
    const service = naming.service(labels, place);
    return service === null ? [] : [service];
  }
  const [caller, callee] = [naming.end(labels, edge.caller), naming.end(labels, edge.callee)];
  return caller === null || callee === null || caller === callee ? [] : [caller, callee];
}

function isUsed({ points }: Sampled): boolean {
  return points.values.some((value) => value > 0);
}

/**
 * The signals of some services: their expressions are narrowed as far as labels tell these services from others. What is
 * read may be more, never less.
 */
export function recognitionAmong(
  { recognition, groups }: Directory,
  services: ReadonlySet<string>,
): Recognition {
  const { labels: known, offers } = recognition;
  const narrowed = groups.flatMap(({ offers: all, rows }): [OfferedSignal, OfferedSignal][] => {
    // Where it could not be listed who has them, reading all of them would fail too; that is a gap already.
    const some = (rows ?? []).filter(({ names }) => names.every((name) => services.has(name)));
    if (some.length === 0) return [];
    return all.map((offer) => [
      offer,
      narrowedTo(
        some.map(({ labels }) => labels),
        offer,
        known,
      ),
    ]);
  });
  const narrow = new Map(narrowed);
  return { ...recognition, offers: offers.flatMap((offer) => narrow.get(offer) ?? []) };
}
