import type { Budget } from '../budget.ts';
import type { Window } from '../model.ts';
import type { PrometheusClient } from './client.ts';
import { type Rewriting, rewritten } from './expression.ts';

/** The names under which conventions look for a server's metrics, and how they are written for it. */
export interface OwnNames {
  names: ReadonlySet<string>;
  labels: ReadonlySet<string>;
  rewriting: Pick<Rewriting, 'metrics' | 'labels'>;
}

const PLAIN = /^[A-Za-z_:][\w:]*$/u;
/** Counters that their library gives no suffix. */
const COUNTED = /(?:^|_)(?:requests?|rpcs?|calls|errors?|fail(?:ed|ures?))$/u;
const MOST_COUNTED = 20;
/** A counter falls only when its process starts anew; a gauge falls about as often as it rises. */
const MOST_FALLS = 0.1;

/**
 * Finds what a server calls things. Names with dots (OpenTelemetry’s, in Prometheus 3 and VictoriaMetrics) are known by
 * the name that older servers translate them to, and counters without `_total` by the name with it.
 */
export async function ownNames(
  client: PrometheusClient,
  all: readonly string[],
  window: Window,
  budget: Budget,
): Promise<OwnNames> {
  const listed = await client.labelNames(window, budget);
  const known = new Set(listed.known ? listed.value : []);
  const names = new Set(all.filter((name) => PLAIN.test(name)));
  const metrics = new Map<string, string>();
  for (const name of all) {
    const translated = plainOf(name);
    if (PLAIN.test(name) || names.has(translated)) continue;
    names.add(translated);
    metrics.set(translated, name);
  }
  const labels = await ownLabels(client, known, window, budget);
  const rewriting = { metrics, labels };
  for (const name of await bareCounters(client, names, rewriting, window, budget)) {
    names.delete(name);
    names.add(`${name}_total`);
    metrics.set(`${name}_total`, metrics.get(name) ?? name);
  }
  return { names, labels: known, rewriting };
}

function plainOf(name: string): string {
  return name.replaceAll(/[^\w:]+/gu, '_').replace(/^(?=\d)/u, '_');
}

/** How labels with dots are written there. */
async function ownLabels(
  client: PrometheusClient,
  known: ReadonlySet<string>,
  window: Window,
  budget: Budget,
): Promise<Map<string, string>> {
  const dotted = [...known].filter((name) => !PLAIN.test(name));
  if (dotted.length === 0) return new Map();
  // Prometheus 3 quotes them; VictoriaMetrics has quoted them for a short time only, and takes a backslash.
  const probe = await client.query('count by ("a.b") (vector(1))', window.to - 1, budget);
  const written = (name: string) =>
    probe.known ? JSON.stringify(name) : name.replaceAll(/[^\w]/gu, (character) => `\\${character}`);
  return new Map(
    dotted.filter((name) => !known.has(plainOf(name))).map((name) => [plainOf(name), written(name)]),
  );
}

async function bareCounters(
  client: PrometheusClient,
  names: ReadonlySet<string>,
  rewriting: Pick<Rewriting, 'metrics' | 'labels'>,
  window: Window,
  budget: Budget,
): Promise<string[]> {
  const candidates = [...names]
    .filter((name) => COUNTED.test(name) && !name.includes(':') && !names.has(`${name}_total`))
    .slice(0, MOST_COUNTED);
  if (candidates.length === 0) return [];
  const falls = candidates.map(
    (name) =>
      `label_replace(sum(resets(${name}[30m])) / (sum(changes(${name}[30m])) > 0), "metric", "${name}", "", "")`,
  );
  const expression = rewritten(falls.join(' or '), { ...rewriting, matchers: [] });
  const reading = await client.query(expression, window.to - 1, budget);
  return reading.known
    ? reading.value.flatMap(({ labels, points }) =>
        (points.values[0] ?? 1) < MOST_FALLS ? (labels.metric ?? []) : [],
      )
    : [];
}
