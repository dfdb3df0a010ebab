import { timeOfDay } from '../format.ts';
import { metricObservation, shift } from './observations.ts';
import type { Kind } from './types.ts';

/** One of several instances fails, the others are healthy. */
export const badInstance: Kind = {
  name: 'bad instance',
  headline: (service) => `bad instance of ${service}`,
  assess(candidate) {
    const { oddInstance } = candidate;
    if (!oddInstance) return null;
    const { instance, anomaly, others } = oddInstance;
    return {
      strength: 0.8,
      detail: `on ${instance} ${shift(anomaly)} at ${timeOfDay(anomaly.onset)}, while ${others === 1 ? 'the other one is' : `the ${others} others are`} healthy`,
      observations: [metricObservation(instance, anomaly, 'The only instance of its service that moved.')],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    const instance = candidate.oddInstance?.instance ?? `the bad instance of ${service}`;
    const namespace = candidate.node.workload?.namespace ?? '';
    const pod = candidate.oddInstance?.pod ?? null;
    return [
      {
        title: `Take ${instance} out of rotation`,
        description: 'The other instances are healthy: replacing this one ends the problem.',
        category: 'immediate',
        steps: [
          {
            title: 'Look at it before it is gone',
            type: 'check',
            content: `Logs, the machine it runs on, and the version and configuration of ${instance}, compared with another instance.`,
            help: 'A bad machine makes the next instance on it bad as well: cordon it.',
            required: false,
          },
          {
            title: 'Replace it',
            ...(pod === null
              ? { type: 'check' as const, content: `Restart or replace ${instance}.` }
              : {
                  type: 'command' as const,
                  content: `kubectl ${namespace === '' ? '' : `-n ${namespace} `}delete pod ${pod}`,
                }),
            help: 'Its traffic goes to the others at once.',
            required: true,
          },
          {
            title: 'Confirm that errors and latency are back to normal',
            type: 'check',
            content: `No instance of ${service} differs from the others for ten minutes.`,
            help: 'If the new instance is bad as well, look at the machine.',
            required: true,
          },
        ],
      },
      {
        title: `Let ${service} eject a bad instance by itself`,
        description:
          'A readiness probe that tests what requests need, or outlier detection in front, would have.',
        category: 'follow_up',
        steps: [
          {
            title: 'Tighten the readiness probe',
            type: 'info',
            content: `The probe of ${service} fails when its requests do.`,
            help: 'Beware of probes that take all instances out at once.',
            required: true,
          },
        ],
      },
    ];
  },
};
