import type { Service } from '../../telemetry/model.ts';
import type { Step } from './types.ts';

type Action = Pick<Step, 'type' | 'content'>;
type Runs = Pick<Service, 'name' | 'workload'>;

/**
 * `kubectl` steps for a service's workload. A command contains only names that were seen: if the workload is unknown,
 * the step is described in words.
 */
export function kubectl(service: Runs, command: (workload: string) => string, otherwise: string): Action {
  const { workload } = service;
  if (workload === null) return { type: 'check', content: otherwise };
  const namespace = workload.namespace === '' ? '' : `-n ${workload.namespace} `;
  return {
    type: 'command',
    content: `kubectl ${namespace}${command(`${workload.kind.toLowerCase()}/${workload.name}`)}`,
  };
}

export function rollBack(service: Runs): Action {
  return kubectl(
    service,
    (workload) => `rollout undo ${workload}`,
    `Deploy the previous version of ${service.name}.`,
  );
}

export function restart(service: Runs): Action {
  return kubectl(
    service,
    (workload) => `rollout restart ${workload}`,
    `Restart the instances of ${service.name}, one after the other.`,
  );
}

export function scaleOut(service: Runs): Action {
  return kubectl(
    service,
    (workload) => `scale ${workload} --replicas=<twice as many>`,
    `Run twice as many instances of ${service.name}.`,
  );
}
