import { labelledAs, subjectOf } from '../copy-labels.ts';
import type { Sampled } from './client.ts';
import { scrapedIdentity } from './naming.ts';
import { escaped, SERVICE_LABELS } from './promql.ts';

type Labels = Readonly<Record<string, string>>;

/** Which labels of a server may separate copies of a system. */
export function separating(labels: Iterable<string>): string[] {
  return [...labels].filter((label) => subjectOf(label) !== null);
}

/** The number of series of each service, by what may separate copies. */
export function copiesQuery(metric: string, labels: readonly string[]): string {
  return `count by (${[...SERVICE_LABELS, 'exported_job', ...labels].join(', ')}) (${metric})`;
}

/**
 * The copies of a system that a server has, by the labels that separate them: those that most services have, and under
 * several of whose values most services are the same. Empty if there is only one.
 */
export function copiesIn(found: readonly Sampled[], labels: readonly string[]): Labels[] {
  const rows = found.flatMap(({ labels: own }) => {
    const service = own.exported_job || scrapedIdentity(own)?.name;
    return service === undefined ? [] : [{ service, labels: own }];
  });
  const countOf = (some: typeof rows) => new Set(some.map(({ service }) => service)).size;
  const separated = labels.filter((label) => {
    const labelled = rows.filter(({ labels: own }) => (own[label] ?? '') !== '');
    // What only the exporters of the databases say is which database, and not which system.
    if (2 * countOf(labelled) < countOf(rows)) return false;
    const services = Map.groupBy(labelled, ({ labels: own }) => own[label] ?? '');
    const sets = [...services.values()].map((all) => new Set(all.map(({ service }) => service)));
    const isCopy = (set: ReadonlySet<string>) => {
      const shared = [...set].filter((service) => sets.some((other) => other !== set && other.has(service)));
      return 2 * shared.length > set.size;
    };
    return sets.filter(isCopy).length > 1;
  });
  if (separated.length === 0) return [];
  const copies = rows
    .filter(({ labels: own }) => separated.every((label) => (own[label] ?? '') !== ''))
    .map(({ labels: own }) => Object.fromEntries(separated.map((label) => [label, own[label] ?? ''])));
  return [...new Map(copies.map((copy) => [JSON.stringify(copy), copy])).values()].sort((a, b) =>
    nameOf(a) < nameOf(b) ? -1 : 1,
  );
}

/** `cluster us`, `cluster us, region west`. */
export function nameOf(copy: Labels): string {
  return Object.entries(copy)
    .map(([label, value]) => `${subjectOf(label) ?? label} ${value}`)
    .join(', ');
}

/** The copies that an alert may be about; a sentence if it names one that there is not. */
export function copiesFor(
  alert: Labels,
  copies: readonly Labels[],
): { possible: readonly Labels[] } | { missing: string } {
  let possible = copies;
  const subjects = new Map(Object.keys(copies[0] ?? {}).map((label) => [label, subjectOf(label)]));
  for (const [label, subject] of subjects) {
    const wanted = alert[label] ?? (subject === null ? null : labelledAs(subject, alert));
    if (wanted === null) continue;
    const values = [...new Set(copies.map((copy) => copy[label] ?? ''))];
    possible = possible.filter((copy) => copy[label]?.toLowerCase() === wanted.toLowerCase());
    if (possible.length === 0)
      return {
        missing: `The alert is about ${subject ?? label} ${wanted.slice(0, 60)}, which Prometheus does not have (it has ${values.slice(0, 8).join(', ')}).`,
      };
  }
  return { possible };
}

/** The matchers for one of them, and for what all of them share. */
export function matchersOf(copy: Labels): string[] {
  return Object.entries(copy).map(([label, value]) => `${label}=~${JSON.stringify(`${escaped(value)}|`)}`);
}
