import { amount, timeOfDay } from '../format.ts';
import { kubectl, scaleOut } from './commands.ts';
import { limitShare, metricObservation, symptomOf } from './observations.ts';
import type { Kind } from './types.ts';

/** Close enough to its limit to be throttled. */
const AT_LIMIT = 0.85;

/** Too little CPU: requests wait for a core. */
export const cpuStarvation: Kind = {
  name: 'CPU starvation',
  headline: (service) => `CPU starvation of ${service}`,
  assess(candidate) {
    const throttling = candidate.anomaly('throttling');
    const cpu = candidate.anomaly('cpu');
    const share = cpu ? limitShare(candidate, cpu) : null;
    const isAtLimit = share !== null && share >= AT_LIMIT;
    const worst = throttling ?? (isAtLimit ? cpu : undefined);
    if (!worst || worst.worst <= worst.before) return null;
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    const what = throttling
      ? `the CPU limit holds it back ${amount(throttling.worst, '1')} of the time (normally ${amount(throttling.before, '1')})`
      : `CPU usage is at ${amount(share ?? 0, '1')} of its limit`;
    return {
      strength:
        0.45 + (throttling ? 0.2 : 0) + (isAtLimit ? 0.15 : 0) + (candidate.anomaly('latency') ? 0.1 : 0),
      detail: `${what} since ${timeOfDay(worst.onset)}`,
      observations: [
        ...(throttling ? [metricObservation(service, throttling)] : []),
        ...(cpu && cpu.worst > cpu.before ? [metricObservation(service, cpu)] : []),
        ...(symptom ? [metricObservation(service, symptom, 'Follows the CPU.')] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Give ${service} more CPU`,
        description: 'More instances share the load at once; a higher limit lasts.',
        category: 'immediate',
        steps: [
          {
            title: 'Scale out',
            ...scaleOut(candidate.node),
            help: 'Latency should drop as soon as the new instances take traffic.',
            required: true,
          },
          {
            title: 'Raise the CPU limit',
            ...kubectl(
              candidate.node,
              (workload) => `set resources ${workload} --limits=cpu=<twice as much>`,
              `Raise the CPU limit of ${service}.`,
            ),
            help: 'This restarts the instances.',
            required: false,
          },
          {
            title: 'Confirm that it is no longer held back',
            type: 'check',
            content: `${service} uses less than 80% of its CPU limit, and its latency is back to normal.`,
            help: 'If usage climbs to the new limit as well, something is spinning: take a profile.',
            required: true,
          },
        ],
      },
      {
        title: `Find out what ${service} spends its CPU on`,
        description: 'Compare a profile under load with one from before the onset.',
        category: 'follow_up',
        steps: [
          {
            title: 'Take a CPU profile',
            type: 'info',
            content: `A profile of one ${service} instance, 30 seconds under load.`,
            help: `What grew since ${timeOfDay(candidate.onset)} is the cause.`,
            required: true,
          },
        ],
      },
    ];
  },
};
