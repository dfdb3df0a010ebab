import { anomaliesIn, PROFILES } from '../../investigation/anomalies.ts';
import type { Change, Series } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';
import { JOB } from '../catalog/find.ts';
import { stem, termsOf, wordsOfName } from '../catalog/terms.ts';
import type { Facts, IssueScope } from '../types.ts';
import { startOf } from '../understand.ts';

/** A series that departs from what is usual, since when, and whether it still does. */
interface Departed {
  series: Series;
  onset: number;
  end: number | null;
  now: number;
  usual: number;
}

/** What was compared to say whether something has to do with an issue: by its results, when each began, and who calls whom. */
export interface Relation {
  /** `null` of a question’s own look. */
  number: number | null;
  onset: number;
  /** What is meant, by name; empty if nothing by the question's words is known. */
  about: string[];
  /** How many of its series have samples since the issue began. */
  compared: number;
  /** Of these, the one that departed nearest to when the issue began; `null` if none does. */
  departed: Departed | null;
  isPart: boolean;
  /** Whether what departed is of something else, and only exported by what is named: no yes and no no. */
  isOther: boolean;
  /** The calls from one to the other, either way round; `null` if none is seen. */
  path: string[] | null;
  seesCalls: boolean;
  change: Pick<Change, 'at' | 'title'> | null;
}

const MINUTE = 60_000;
const BACK = 8 * 60 * MINUTE;
/** What begins so close together began together, as far as samples tell. */
const TOGETHER = 10 * MINUTE;
const APART = 20 * MINUTE;
/** A change so shortly before may be why. */
const LEADS = 15 * MINUTE;
const MOST_SERVICES = 10;
const MOST_CALLS = 2;

/** @param isOwn whether only what the issue involves is meant */
export async function relationOf(
  question: string,
  named: readonly string[],
  scope: IssueScope,
  facts: Facts,
  { isOwn = false }: { isOwn?: boolean } = {},
): Promise<Relation> {
  const { onset } = scope;
  const meant = meantBy(question, named, scope, facts).filter(
    ({ service }) => !isOwn || scope.services.includes(service),
  );
  const services = [...new Set(meant.map(({ service }) => service))].slice(0, MOST_SERVICES);
  const window = { from: Math.min(facts.now - BACK, onset - BACK / 4), to: facts.now + 1 };
  const view = services.length === 0 ? null : await facts.look(window, services);
  const isMeant = (one: Series) =>
    meant.some(
      ({ signal, service, instance }) =>
        signal.id === one.signal.id && service === one.service && instance === one.instance,
    );
  const own = (view?.snapshot.series ?? [])
    .filter(isMeant)
    .map((series) => ({ series, points: view?.points(series, window) ?? [] }))
    .filter(({ points }) => points.some(({ at }) => at > onset));
  const departed = own.flatMap(({ series, points }) =>
    anomaliesIn(series, points)
      .filter(({ end }) => end === null || end > onset - TOGETHER)
      .map(({ onset: began, end, before }): Departed => {
        const now = points.at(-1)?.value ?? Number.NaN;
        return { series, onset: began, end, now, usual: before };
      }),
  );
  const [nearest = null] = departed.sort((a, b) => Math.abs(a.onset - onset) - Math.abs(b.onset - onset));
  if (nearest !== null) facts.evidenceStore.metric(nearest.series, window);
  const involved = nearest === null ? services : [nearest.series.service];
  const changes =
    nearest === null
      ? []
      : await facts.changes({ from: nearest.onset - LEADS, to: nearest.onset + 2 * MINUTE });
  return {
    number: scope.issue.number,
    onset,
    about: [...new Set(meant.map(({ instance, service }) => instance ?? service))],
    compared: own.length,
    departed: nearest,
    isPart: involved.some((name) => scope.services.includes(name)),
    isOther: named.length > 0 && nearest !== null && !named.includes(nearest.series.service),
    path: pathBetween(involved, scope.services, facts.view),
    seesCalls: facts.view.snapshot.edges.length > 0,
    change: changes.at(-1) ?? null,
  };
}

/** Whether it has to do with the issue; `null` where what was compared does not tell. */
export function isRelated(found: Relation): boolean | null {
  const { onset, compared, departed, isPart, isOther, path, seesCalls } = found;
  if (isOther) return null;
  if (departed === null) return isPart || compared === 0 ? null : false;
  const gap = Math.abs(departed.onset - onset);
  if (isPart ? gap <= APART : path !== null && gap <= TOGETHER) return true;
  return path === null && seesCalls && gap > APART ? false : null;
}

/** The series that a question means: of the services that it names, else of the measures, as its other words narrow them. */
function meantBy(
  question: string,
  named: readonly string[],
  scope: IssueScope,
  { view, catalog }: Facts,
): Series[] {
  const all = view.snapshot.series.filter(({ edge }) => edge === null);
  const measures = PROFILES.filter((profile) => startOf(profile).test(question)).map(
    ({ measure }) => measure,
  );
  const others = named.filter((name) => !scope.services.includes(name));
  const own = others.length > 0 ? others : named;
  // What a broker exports of its queues is of their consumers, and of the broker.
  const isExportedBy = ({ signal }: Series) =>
    Object.entries(catalog?.metrics.get(signal.name)?.labels ?? {}).some(
      ([label, values]) =>
        JOB.test(label) && values.length === 1 && own.some((name) => values.includes(name)),
    );
  const ofServices = all.filter((one) => own.includes(one.service) || isExportedBy(one));
  if (ofServices.length > 0) return ofServices;
  const ofMeasure = all.filter(({ signal }) => measures.includes(signal.measure));
  const isNamed = ({ service, instance, labels, signal }: Series) =>
    termsOf(question).some(
      ({ word, called }) =>
        called.length > 0 &&
        [service, instance ?? '', signal.name, ...Object.values(labels)].some((name) =>
          wordsOfName(name).includes(stem(word)),
        ),
    );
  const narrowed = (ofMeasure.length > 0 ? ofMeasure : all).filter(isNamed);
  return narrowed.length > 0 ? narrowed : ofMeasure;
}

/** The services from one to the other, a few calls apart, whoever calls. */
function pathBetween(from: readonly string[], to: readonly string[], view: View): string[] | null {
  let paths = from.map((name) => [name]);
  for (let calls = 0; calls <= MOST_CALLS; calls++) {
    const found = paths.find((path) => to.includes(path.at(-1) ?? ''));
    if (found !== undefined) return found;
    paths = paths.flatMap((path) => {
      const end = path.at(-1);
      const next = view.snapshot.edges.flatMap(({ caller, callee }) =>
        caller === end ? [callee] : callee === end ? [caller] : [],
      );
      return [...new Set(next)].filter((name) => !path.includes(name)).map((name) => [...path, name]);
    });
  }
  return null;
}
