import { redactor } from '../../lib/redact.ts';
import type { StateFinding } from '../telemetry/model.ts';
import type { Cluster } from './cluster.ts';
import { appOf } from './cluster.ts';
import type { Pod, Workload } from './model.ts';

export type Finding = StateFinding;

/** What one check finds. A new one is a function in a file of `checks/`, and a line in the list at its top. */
export type Check = (cluster: Cluster) => Finding | Finding[];

/** What words of Kubernetes mean. */
export interface Row {
  cause: string;
  explanation: string;
  pattern: RegExp;
}

/** The rows of a table, one a line: `cause :: what it says :: the pattern of Kubernetes' words`. */
export function rowsIn(table: string): Row[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [cause = '', explanation = '', pattern = '^$'] = line.split(' :: ');
      return { cause, explanation, pattern: new RegExp(pattern, 'iu') };
    });
}

export function commandsFor(kind: string, metadata: Named): Pick<Finding, 'show' | 'mend'> {
  return { show: describe(kind, metadata), mend: edit(kind, metadata) };
}

const MOST_CHARACTERS = 300;
/** A last line may hold the credentials that it complains of. */
const redact = redactor();

/** Text of a cluster for use in a sentence: one line, without control characters, of limited length. */
export function quote(text: string): string {
  const line = redact(text.slice(0, 10 * MOST_CHARACTERS))
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line;
}

/** A name in a sentence. */
export function named(name: string): string {
  return `\`${quote(name).replaceAll('`', "'")}\``;
}

export function pairs(labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return named(all.length > 0 ? all.join(',') : 'nothing');
}

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/u;

/** A kubectl command; `null` where something in it is no name that Kubernetes allows, since people paste it. */
export function kubectl(
  words: TemplateStringsArray,
  ...names: (string | number | undefined)[]
): string | null {
  return names.every((name) => NAME.test(String(name)))
    ? `kubectl ${String.raw({ raw: words }, ...names)}`
    : null;
}

type Named = { namespace: string; name: string };

export function describe(kind: string, { namespace, name }: Named): string | null {
  const what = kind.toLowerCase();
  return namespace === ''
    ? kubectl`describe ${what} ${name}`
    : kubectl`describe ${what} ${name} -n ${namespace}`;
}

/** For a mend that no other one-line command can know. */
function edit(kind: string, { namespace, name }: Named): string | null {
  const what = kind.toLowerCase();
  return namespace === '' ? kubectl`edit ${what} ${name}` : kubectl`edit ${what} ${name} -n ${namespace}`;
}

type Subject = Pick<Finding, 'object' | 'namespace' | 'workload' | 'show' | 'mend'>;

export function about(workload: Workload): Subject & { workload: NonNullable<Finding['workload']> } {
  return {
    object: `app/${appOf(workload)}`,
    namespace: workload.metadata.namespace,
    workload: { namespace: workload.metadata.namespace, kind: workload.kind, name: workload.metadata.name },
    show: describe(workload.kind, workload.metadata),
    mend: edit(workload.kind, workload.metadata),
  };
}

/** The same of a pod: its workload's, or its own where nothing owns it. */
export function aboutPod(cluster: Cluster, pod: Pod): Subject {
  const workload = cluster.workloadOf(pod);
  const { metadata } = pod;
  return workload
    ? { ...about(workload), show: describe('pod', metadata) }
    : {
        object: `app/${metadata.labels.app ?? metadata.name}`,
        namespace: metadata.namespace,
        show: describe('pod', metadata),
        mend: null,
      };
}

/** Of findings alike in object and cause, the surest, with how many there are left to the reader. */
export function distinct(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.namespace} ${finding.object} ${finding.cause}`;
    const before = best.get(key);
    if (!before || before.confidence < finding.confidence) best.set(key, finding);
  }
  return [...best.values()];
}
