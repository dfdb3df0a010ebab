import { anomaliesIn, PROFILES } from '../../investigation/anomalies.ts';
import type { Change, Series } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';
import { stem, termsOf, wordsOfName } from '../catalog/terms.ts';
import type { Facts, IssueScope } from '../types.ts';
import { startOf } from '../understand.ts';

/** What may have to do with an issue: a series that departs from what is usual, and since when. */
interface Departed {
  series: Series;
  onset: number;
  now: number;
  usual: number;
}

/** What was compared to say whether something has to do with an issue. */
export interface Together {
  /** `null` of a question’s own look. */
  number: number | null;
  onset: number;
  /** What is meant, by name; empty if nothing by the question's words is known. */
  about: string[];
  /** Of that, what departs the most lately; `null` if nothing does. */
  departed: Departed | null;
  /** Whether the issue's results rest on it. */
  isPart: boolean;
  /** The calls from one to the other, either way round; `null` if none is seen. */
  path: string[] | null;
  seesCalls: boolean;
  /** What was changed just before it departed. */
  change: Pick<Change, 'at' | 'title'> | null;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BACK = 8 * HOUR;
/** A change so shortly before may be why. */
const LEADS = 15 * MINUTE;
const MOST_SERVICES = 10;
const MOST_CALLS = 2;

/** Whether what the words name has to do with an issue: by its results, when each began, and who calls whom. */
export async function togetherOf(
  question: string,
  named: readonly string[],
  scope: IssueScope,
  facts: Facts,
): Promise<Together> {
  const meant = meantBy(question, named, scope, facts.view);
  const services = [...new Set(meant.map(({ service }) => service))].slice(0, MOST_SERVICES);
  const window = { from: facts.now - BACK, to: facts.now + 1 };
  const view = services.length === 0 ? null : await facts.look(window, services);
  const isMeant = (one: Series) =>
    meant.some(
      ({ signal, service, instance }) =>
        signal.id === one.signal.id && service === one.service && instance === one.instance,
    );
  const departed = (view?.snapshot.series ?? []).filter(isMeant).flatMap((series): Departed[] => {
    const points = view?.points(series, window) ?? [];
    const going = anomaliesIn(series, points).findLast(({ end }) => end === null);
    const now = points.at(-1)?.value;
    return going === undefined || now === undefined
      ? []
      : [{ series, onset: going.onset, now, usual: going.before }];
  });
  const [most = null] = departed.sort((a, b) => a.onset - b.onset);
  if (most !== null) facts.evidenceStore.metric(most.series, window);
  const own = most === null ? services : [most.series.service];
  const path = pathBetween(own, scope.services, facts.view);
  const changes =
    most === null ? [] : await facts.changes({ from: most.onset - LEADS, to: most.onset + 2 * MINUTE });
  return {
    number: scope.issue.number,
    onset: scope.onset,
    about: [...new Set(meant.map(({ instance, service }) => instance ?? service))],
    departed: most,
    isPart: own.some((name) => scope.services.includes(name)),
    path,
    seesCalls: facts.view.snapshot.edges.length > 0,
    change: changes.at(-1) ?? null,
  };
}

/** The series that a question means: of the services that it names, else of the measures, as its other words narrow them. */
function meantBy(question: string, named: readonly string[], scope: IssueScope, view: View): Series[] {
  const all = view.snapshot.series.filter(({ edge }) => edge === null);
  const words = question.toLowerCase().match(/\p{L}[\p{L}\p{N}_.-]*/gu) ?? [];
  const measures = PROFILES.filter((profile) => startOf(profile).test(question)).map(
    ({ measure }) => measure,
  );
  const others = named.filter((name) => !scope.services.includes(name));
  const ofServices = all.filter(({ service }) => (others.length > 0 ? others : named).includes(service));
  if (ofServices.length > 0) return ofServices;
  const ofMeasure = all.filter(({ signal }) => measures.includes(signal.measure));
  const isNamed = ({ service, instance, labels, signal }: Series) =>
    termsOf(words.join(' ')).some(
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
