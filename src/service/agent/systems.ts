import { MOST_COPIES } from '../investigation/copies.ts';
import { joinNames } from '../investigation/format.ts';
import { labelsOf } from '../investigation/names.ts';
import type { NewArtifact } from '../investigation/types.ts';
import type { Budget } from '../telemetry/budget.ts';
import { mergeReadings } from '../telemetry/combined.ts';
import type { Reading, Service } from '../telemetry/model.ts';
import type { SystemCopy, TelemetrySource } from '../telemetry/source.ts';
import { HOURS } from './facts.ts';
import { stateOf, trackedOf } from './issue-scope.ts';
import type { Found } from './tool.ts';
import type { Facts, IssueRecord } from './types.ts';

/** What is looked at: the only system, or one of several copies with the same services. */
interface System {
  /** `cluster us`; `null` for the only one. */
  name: string | null;
  labels: SystemCopy['labels'];
  services: readonly string[];
  /** What is read on it is of this system alone. */
  budget: Budget;
}

export interface Systems {
  each: readonly System[];
  /** The names of those that are not looked at. */
  skipped: readonly string[];
  services: Reading<Service[]>;
  isSeveral: boolean;
}

/** A question about an issue is about the copy that its alert names; any other one is asked of each copy by itself. */
export async function systemsFor(
  telemetry: TelemetrySource,
  issue: IssueRecord | null,
  { now, budget }: { now: number; budget: Budget },
): Promise<Systems> {
  const window = { from: now - HOURS, to: now + 1 };
  const labels = issue === null ? {} : labelsOf(issue);
  // What was read of one system is none of another's.
  const focused = (more: Readonly<Record<string, string>>): Budget => {
    const own = { ...budget };
    telemetry.focus?.({ ...labels, ...more }, window, own);
    return own;
  };
  const own = issue === null ? budget : focused({});
  const copies = await telemetry.copies?.(labels, window, own);
  const found = copies?.known ? copies.value : [];
  const several = found.length > 1 ? found : [];
  const copiesOf =
    several.length === 0
      ? [{ name: null, labels: found[0]?.labels ?? {}, budget: own }]
      : several
          .slice(0, MOST_COPIES)
          .map(({ name, labels: of }) => ({ name, labels: of, budget: focused(of) }));
  const readings: Reading<Service[]>[] = [];
  const each: System[] = [];
  for (const copy of copiesOf) {
    const reading = await telemetry.services(window, copy.budget);
    readings.push(reading);
    each.push({ ...copy, services: reading.known ? reading.value.map(({ name }) => name) : [] });
  }
  const all = mergeReadings(readings);
  const services = all.known
    ? { ...all, value: [...new Map(all.value.map((service) => [service.name, service])).values()] }
    : all;
  return {
    each,
    isSeveral: each.length > 1,
    skipped: several.slice(MOST_COPIES).map(({ name }) => name),
    services,
  };
}

/** Those of the systems that a question names by the value of their label: `in eu`; all where it names none. */
export function systemsNamed(each: Systems['each'], question: string): Systems['each'] {
  const named = each.filter(({ name }) => {
    const value = name
      ?.split(' ')
      .at(-1)
      ?.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
    // `us` is a word, too.
    const before =
      value !== undefined && value.length <= 2
        ? String.raw`(?:^\W*|\b(?:in|of|on|only|region|cluster)\s+)`
        : String.raw`(?<![\w-])`;
    return value !== undefined && new RegExp(String.raw`${before}${value}(?![\w-])`, 'iu').test(question);
  });
  return named.length === 0 ? each : named;
}

/** Those that have something of what is asked about, if any has, and the names of the others. */
export function systemsWith(
  each: Systems['each'],
  services: readonly string[],
): { each: Systems['each']; absent: string[] } {
  const has = each.filter((one) => services.some((name) => one.services.includes(name)));
  if (has.length === 0) return { each, absent: [] };
  return { each: has, absent: each.filter((one) => !has.includes(one)).flatMap(({ name }) => name ?? []) };
}

export interface InSystem {
  name: string | null;
  facts: Facts;
  attached: readonly NewArtifact[];
}

/** What is found in each system, the ill ones first; said once where it is the same in all. */
export async function acrossSystems(
  all: readonly InSystem[],
  {
    service,
    skipped,
    absent = [],
  }: {
    service: string | null;
    skipped: readonly string[];
    absent?: readonly string[];
  },
  look: (facts: Facts) => Promise<Found>,
): Promise<Found & { ill: string[] }> {
  const looked: (InSystem & { found: Found })[] = [];
  for (const one of all) looked.push({ ...one, found: await look(one.facts) });
  const [first, ...others] = looked;
  if (first === undefined) throw new Error('There is at least one system.');
  const ill = looked.filter(({ facts }) => isIll(facts, service));
  const names = ill.flatMap(({ name }) => name ?? []);
  const without =
    absent.length === 0 ? '' : `There is no ${service ?? 'such service'} in ${joinNames([...absent])}.`;
  if (others.every(({ found }) => found.text === first.found.text)) {
    const where = without === '' ? '' : `\n\nThis is in ${first.name}. ${without}`;
    return { ...first.found, text: `${first.found.text}${where}`, ill: names };
  }
  const ordered = [...ill, ...looked.filter((one) => !ill.includes(one))];
  const head = [
    ...(ill.length === 0
      ? []
      : [`${service ?? 'Something'} is degraded in ${joinNames(names.map((name) => `**${name}**`))}.`]),
    ...(without === '' ? [] : [without]),
    ...(skipped.length === 0 ? [] : [`I did not look at ${joinNames([...skipped])}.`]),
  ].join(' ');
  return {
    ill: names,
    isUnknown: looked.every(({ found }) => found.isUnknown === true),
    data: { systems: ordered.map(({ name, found }) => ({ system: name, ...found.data })) },
    text: [
      ...(head === '' ? [] : [head]),
      ...ordered.map(({ name, found }) => `**In ${name}**\n\n${found.text}`),
    ].join('\n\n'),
  };
}

function isIll(facts: Facts, service: string | null): boolean {
  if (facts.scope !== null) return stateOf(trackedOf(facts.scope, facts), facts.now).is === 'ongoing';
  const { incident } = facts.diagnose(service);
  return incident !== null && incident.chosen !== 'neighbour' && incident.primary.end === null;
}

/** The artifacts of all systems, each with the name of its own. */
export function artifactsOf(all: readonly InSystem[]): NewArtifact[] {
  return all.flatMap(({ name, facts: { evidenceStore }, attached }) =>
    [...attached, ...evidenceStore.artifacts].map((one) =>
      name === null ? one : { ...one, summary: `${one.summary} (${name})` },
    ),
  );
}
