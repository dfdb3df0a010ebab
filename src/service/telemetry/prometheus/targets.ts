import { type Identity, scrapedIdentity, withoutPodSuffix } from './naming.ts';
import { escaped, grouping, lately, POD_SUFFIX, SCRAPED } from './promql.ts';

type Labels = Readonly<Record<string, string>>;

/** Labels that contain a target's pod; the first is the operator's. */
const POD_LABELS = ['pod', 'kubernetes_pod_name', 'pod_name', 'k8s_pod_name'] as const;
const WORKLOAD_LABELS = ['k8s_deployment_name', 'k8s_statefulset_name', 'k8s_daemonset_name'] as const;

const EXPORTED = ['exported_job', 'exported_instance', 'exported_service', 'exported_namespace'];
const BY = grouping(SCRAPED, 'instance', ...POD_LABELS, ...WORKLOAD_LABELS, ...EXPORTED);
/** Returns every target, with all labels that may identify it. */
export const TARGETS = ['up', 'target_info'].map((metric) => `count ${BY} (${lately(metric)})`).join(' or ');

/** Something that is scraped, or that pushes metrics. */
export interface Target {
  /** The service that it is an instance of. */
  service: Identity;
  pod: string;
  /** `host:port`, or an exporter's name for it. */
  instance: string;
  /** Empty if its labels show none. */
  workload: string;
  labels: Labels;
}

/** Jobs that scrape the pods of many workloads, but name none of them: `kubernetes-pods`. */
interface SharedJobs {
  jobs: readonly string[];
  podLabel: string;
}

/** The targets of a server; `prepare` adds the label `workload` to series from jobs shared by many workloads. */
interface Targets {
  all: readonly Target[];
  /** `null` if each job is one service. */
  prepare: ((operand: string) => string) | null;
}

export function targetsIn(answer: readonly Labels[]): Targets {
  const found = answer.flatMap((labels) => {
    const identity = scrapedIdentity(labels);
    return identity === null ? [] : [foundIn(labels, identity)];
  });
  const shared = sharedJobs(found);
  return {
    all: found.map(({ identity, workload, pod, instance, labels }) => {
      const isShared = workload !== '' && shared?.jobs.includes(identity.name) === true;
      return {
        service: isShared ? { ...identity, name: workload } : identity,
        workload,
        pod,
        instance,
        labels,
      };
    }),
    prepare: shared && withWorkload(shared),
  };
}

interface Found extends Omit<Target, 'service'> {
  identity: Identity;
  namedBy: string;
  podLabel: string;
}

function foundIn(labels: Labels, identity: Identity): Found {
  const podLabel = POD_LABELS.find((label) => has(labels, label)) ?? POD_LABELS[0];
  const pod = labels[podLabel] ?? '';
  const stated = WORKLOAD_LABELS.find((label) => has(labels, label));
  const guessed = withoutPodSuffix(pod);
  return {
    identity,
    namedBy: SCRAPED.labels.find((label) => has(labels, label)) ?? '',
    pod,
    podLabel,
    workload: stated === undefined ? (guessed === pod ? '' : guessed) : (labels[stated] ?? ''),
    instance: labels.instance ?? '',
    labels,
  };
}

function has(labels: Labels, label: string): boolean {
  return (labels[label] ?? '') !== '';
}

function sharedJobs(found: readonly Found[]): SharedJobs | null {
  const inPods = found.filter(({ namedBy, workload }) => namedBy === 'job' && workload !== '');
  const jobs = [...Map.groupBy(inPods, ({ identity }) => identity.name)].filter(([name, all]) => {
    const workloads = new Set(all.map(({ workload }) => workload));
    // A canary belongs to the same service as its stable version.
    return workloads.size > 1 && [...workloads].some((workload) => !workload.includes(name));
  });
  const podLabel = jobs[0]?.[1][0]?.podLabel;
  return podLabel === undefined ? null : { jobs: jobs.map(([name]) => name), podLabel };
}

function withWorkload({ jobs, podLabel }: SharedJobs): (operand: string) => string {
  const names = jobs.map(escaped).join('|');
  // A job may have any name, with quotation marks too.
  const pattern = JSON.stringify(`(?:.+/)?(?:${names});(.+?)(?:${POD_SUFFIX})?`);
  return (operand) =>
    `label_replace(label_join(${operand}, "job_and_pod", ";", "job", "${podLabel}"), "workload", "$1", "job_and_pod", ${pattern})`;
}
