import { momentOf } from '../moment.ts';
import type { Workload } from '../tools/workload.ts';

/** How many pods are ready and restarted, and why. */
export function workloadInWords({ service, ready, restarts, waiting, ended }: Workload, now: number): string {
  const said = [
    ...(ready === null ? [] : [`${ready.count} of ${ready.of} pods are ready`]),
    ...(waiting.length === 0 ? [] : [`waiting: ${waiting.join(', ')}`]),
    ...(restarts === null
      ? []
      : [
          restarts.last === null
            ? `no restarts since ${momentOf(restarts.since, now)}`
            : `${restarts.count} ${restarts.count === 1 ? 'restart' : 'restarts'} since ${momentOf(restarts.since, now)}, the last seen at ${momentOf(restarts.last, now)}`,
        ]),
    ...(ended.length === 0 ? [] : [`the last container ended with: ${ended.join(', ')}`]),
  ];
  return `**${service}**: ${said.join('; ')} (as kube-state-metrics exports it).`;
}
