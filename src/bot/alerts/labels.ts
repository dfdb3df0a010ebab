import { type Fact, normalizedName } from './facts.ts';
import { highestSeverity, severityOf } from './severity.ts';
import type { Alert } from './types.ts';

type Labelled = Pick<
  Alert,
  'severity' | 'environment' | 'service' | 'host' | 'region' | 'version' | 'traceId' | 'spanId'
>;

/** The label names that tools use for a field, the most reliable first, as {@link normalizedName} writes them. */
const NAMES = {
  environment: [
    'environment',
    'env',
    'deployment environment',
    'deployment environment name',
    'environment name',
  ],
  service: [
    'service',
    'service name',
    'affected service',
    'application',
    'app',
    'app kubernetes io name',
    'impacted entities',
  ],
  host: ['host', 'hostname', 'host name', 'instance', 'server name', 'server', 'node', 'nodename'],
  region: ['region', 'aws region', 'affected region', 'cloud region'],
  version: ['version', 'app version', 'service version', 'release'],
  traceId: ['trace id', 'traceid', 'trace'],
  spanId: ['span id', 'spanid', 'span'],
} as const;

export const SEVERITY_NAMES = ['severity', 'priority', 'urgency', 'level', 'alert severity'];

/** The fields of an {@link Alert} that labels state, and the facts they came from. */
export interface LabelFields {
  fields: Labelled;
  used: ReadonlySet<Fact>;
}

/**
 * Reads labels into an alert's fields. A label with different values in one message (a group of alerts) leaves its field
 * `null`; of several severities, the highest counts.
 */
export function fromLabels(facts: readonly Fact[]): LabelFields {
  const used = new Set<Fact>();
  const named = byName(facts);
  const pick = (names: readonly string[]): string | null => {
    for (const name of names) {
      const found = named.get(name) ?? [];
      const [first] = found;
      if (first === undefined || found.some(({ value }) => value !== first.value)) continue;
      for (const one of found) used.add(one);
      return first.value;
    }
    return null;
  };
  const severities = facts.filter(({ name }) => SEVERITY_NAMES.includes(normalizedName(name)));
  for (const one of severities) used.add(one);
  const fields: Labelled = {
    severity: highestSeverity(severities.map(({ value }) => severityOf(value))),
    environment: pick(NAMES.environment),
    service: pick(NAMES.service),
    host: pick(NAMES.host),
    region: pick(NAMES.region),
    version: pick(NAMES.version),
    traceId: pick(NAMES.traceId),
    spanId: pick(NAMES.spanId),
  };
  return { fields, used };
}

/** The facts whose value is the same in every mention, each once, in order. */
export function consistentFacts(facts: readonly Fact[]): Fact[] {
  return [...byName(facts).values()].flatMap((found) => {
    const [first] = found;
    return first !== undefined && found.every(({ value }) => value === first.value) ? [first] : [];
  });
}

/** The value of the first of these names that has one. */
export function statedValue(facts: readonly Fact[], ...names: readonly string[]): string | null {
  return factNamed(facts, ...names)?.value ?? null;
}

/** The first fact with the first of these names that has a value. */
export function factNamed(facts: readonly Fact[], ...names: readonly string[]): Fact | null {
  const named = byName(facts);
  for (const name of names) {
    const found = named.get(name)?.find(({ value }) => value !== '');
    if (found) return found;
  }
  return null;
}

function byName(facts: readonly Fact[]): Map<string, Fact[]> {
  const named = new Map<string, Fact[]>();
  for (const one of facts) {
    if (one.value === '') continue;
    const name = normalizedName(one.name);
    const found = named.get(name);
    if (found) found.push(one);
    else named.set(name, [one]);
  }
  return named;
}
