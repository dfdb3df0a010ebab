import { timeOfDay } from '../format.ts';
import { kubectl, restart } from './commands.ts';
import { metricObservation, shift } from './observations.ts';
import type { Kind } from './types.ts';

/** It is not running, or not answering at all. */
export const outage: Kind = {
  name: 'outage',
  headline: (service) => `outage of ${service}`,
  assess(candidate) {
    const up = candidate.anomaly('up');
    const { gone } = candidate;
    const service = candidate.node.name;
    if (up && up.worst <= 0) {
      return {
        strength: 0.7,
        detail: `${shift(up)} at ${timeOfDay(up.onset)}`,
        observations: [metricObservation(service, up)],
      };
    }
    if (!gone) return null;
    return {
      strength: 0.6,
      detail: `it has reported nothing since ${timeOfDay(gone.onset)}`,
      observations: [metricObservation(service, gone, 'There are no samples after that.')],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Get ${service} running again`,
        description: 'Find out why it does not run before it is restarted.',
        category: 'immediate',
        steps: [
          {
            title: 'See what state it is in',
            ...kubectl(
              candidate.node,
              (workload) => `describe ${workload}`,
              `Whether ${service} was scaled down, cannot be scheduled, crashes at start or cannot be reached.`,
            ),
            help: 'Look at the last exit code, the events and the last lines that it logged.',
            required: true,
          },
          {
            title: 'Restart it',
            ...restart(candidate.node),
            help: 'If it crashes at start again, go back to the previous version.',
            required: true,
          },
          {
            title: 'Confirm that it answers',
            type: 'check',
            content: `All instances of ${service} are ready, and its callers are back to normal.`,
            help: 'Callers that back off may take a minute.',
            required: true,
          },
        ],
      },
      {
        title: `Run more than one ${service}`,
        description: 'Replicas on several machines, with a disruption budget, survive the loss of one.',
        category: 'follow_up',
        steps: [
          {
            title: 'Check replicas, probes and the disruption budget',
            type: 'check',
            content: `${service} has two replicas or more, and a readiness probe.`,
            help: 'Alert on too few ready instances.',
            required: true,
          },
        ],
      },
    ];
  },
};
