import type { Budget } from './budget.ts';

type Labels = Readonly<Record<string, string>>;

/** Labels by which whole systems are usually told apart, with what each of them names. */
const SEPARATING =
  /^(?:k8s_|kubernetes_|cloud_|deployment_|exported_)?(cluster|region|datacenter|dc|site|environment|env|stage|tenant|account|prometheus)(?:_name|_id)?$/u;
const SYNONYMS: Readonly<Record<string, string>> = { dc: 'datacenter', env: 'environment' };
/** How collectors and ECS write the same names: `resource.attributes.k8s.cluster.name`, `orchestrator.cluster.name`. */
const WRAPPING = /^(?:resource_|attributes_|labels_|fields_|orchestrator_)+/u;

/** `cluster`, for a label that names clusters; `null` for one that separates no copies of a system. */
export function subjectOf(label: string): string | null {
  const subject = SEPARATING.exec(label)?.[1];
  return subject === undefined ? null : (SYNONYMS[subject] ?? subject);
}

/** What an alert's labels say of a subject, such as its `cluster`. */
export function labelledAs(subject: string, labels: Labels): string | null {
  return Object.entries(labels).find(([label]) => subjectOf(label) === subject)?.[1] ?? null;
}

/** Which copy of a system something is of, by its own fields: `{ cluster: 'us' }`; undefined if they do not say. */
export function copyOf(fields: Labels): Labels | undefined {
  const found = Object.entries(fields).flatMap(([field, value]) => {
    const subject = value === '' ? null : subjectOf(field.replaceAll('.', '_').replace(WRAPPING, ''));
    return subject === null ? [] : [[subject, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Remembers which copy the work on a budget is about, and leaves out what says that it is of another. */
export class CopyFilter {
  readonly #wanted = new WeakMap<Budget, Labels>();

  focus(labels: Labels, budget: Budget): void {
    this.#wanted.set(budget, copyOf(labels) ?? {});
  }

  isOther(copy: Labels | undefined, budget: Budget): boolean {
    const wanted = this.#wanted.get(budget);
    if (copy === undefined || wanted === undefined) return false;
    return Object.entries(wanted).some(([subject, value]) => {
      const own = copy[subject];
      return own !== undefined && !isSame(subject, own.toLowerCase(), value.toLowerCase());
    });
  }

  /** A trace may go through several copies: it is left out if parts of it are of others, and none of the wanted one. */
  ofTraces<T extends { traceId: string; copy?: Labels | undefined }>(
    spans: readonly T[],
    budget: Budget,
  ): T[] {
    if (!this.#wanted.has(budget)) return [...spans];
    const labeled = spans.filter(({ copy }) => copy !== undefined);
    const others = new Set(labeled.filter(({ copy }) => this.isOther(copy, budget)));
    const own = new Set(labeled.filter((span) => !others.has(span)).map(({ traceId }) => traceId));
    const left = new Set([...others].map(({ traceId }) => traceId).filter((id) => !own.has(id)));
    return spans.filter(({ traceId }) => !left.has(traceId));
  }
}

/** `prod` is short for `production`. */
function isSame(subject: string, a: string, b: string): boolean {
  return a === b || (subject === 'environment' && (a.startsWith(b) || b.startsWith(a)));
}
