import { rewritten } from './expression.ts';
import { escaped, POD_SUFFIX } from './promql.ts';
import type { OfferedSignal } from './recognition.ts';

type Labels = Readonly<Record<string, string>>;

/** A signal of what has some of these labels. */
export function narrowedTo(
  rows: readonly Labels[],
  offer: OfferedSignal,
  known: ReadonlySet<string>,
): OfferedSignal {
  const { query, limit } = offer;
  const write = (expression: string, all: readonly Labels[]) => writtenFor(all, expression, offer, known);
  return {
    ...offer,
    query: (rate) => write(query(rate), rows),
    queryOf: (rate, labels) => write(query(rate), [labels]),
    ...(limit && { limit: (rate: string) => write(limit(rate), rows) }),
  };
}

/** An expression for what has some of these labels, as far as they tell it from others. */
export function writtenFor(
  rows: readonly Labels[],
  expression: string,
  of: Pick<OfferedSignal, 'place' | 'edge'>,
  known: ReadonlySet<string>,
): string {
  // A workload is often what pods' names say.
  const isOwn = (label: string) =>
    !isMade(label, expression, known) && (label !== 'workload' || known.has(label));
  const matchers = endsOf(of).flatMap((labels) => matcherOf(labels, rows, expression, isOwn) ?? []);
  return rewritten(expression, { metrics: NONE, labels: NONE, matchers });
}

const NONE: ReadonlyMap<string, string> = new Map();

/** The labels that may name what is measured; of a call, those of each of its ends. */
function endsOf({ place, edge }: Pick<OfferedSignal, 'place' | 'edge'>): (readonly string[])[] {
  return edge ? [edge.caller, edge.callee] : [['workload', ...place.labels, ...place.namespace]];
}

/** A matcher for the first label that all of the rows have, and their series too. */
function matcherOf(
  labels: readonly string[],
  rows: readonly Labels[],
  expression: string,
  isOwn: (label: string) => boolean,
): string | null {
  for (const label of labels) {
    const values = new Set(rows.map((row) => row[label] ?? ''));
    if (values.has('')) continue;
    const any = [...values].map(escaped).join('|');
    if (isOwn(label)) return `${label}=~${JSON.stringify(any)}`;
    if (label === 'workload' && OF_PODS.test(expression) && isOwn('pod'))
      return `pod=~${JSON.stringify(`(?:${any})(?:${POD_SUFFIX})?`)}`;
  }
  return null;
}

/** Where the workload is a part of the pod's name, or the pods themselves are read. */
const OF_PODS = /"workload", "\$1", "pod"|\bby \(namespace, pod\b/u;

/**
 * Whether an expression makes a label from others, so that the series themselves have another value. What is made from a
 * label that the server does not have stays as it is.
 */
function isMade(label: string, expression: string, known: ReadonlySet<string>): boolean {
  return [...expression.matchAll(/"(\w+)", "\$1", "(\w+)"/gu)].some(
    ([, made, from = '']) => made === label && !(from.startsWith('exported_') && !known.has(from)),
  );
}
