import { timeOfDay } from '../format.ts';
import { metricObservation, shift, symptomOf } from './observations.ts';
import type { Kind } from './types.ts';

/** An external dependency that we cannot fix. */
export const externalDependency: Kind = {
  name: 'external dependency',
  headline: (service) => `external dependency ${service} is degraded`,
  assess(candidate) {
    const worst = symptomOf(candidate) ?? candidate.anomalies[0];
    if (candidate.node.kind !== 'external' || !worst) return null;
    const service = candidate.node.name;
    return {
      strength: 0.75,
      detail: `as its callers see it, ${shift(worst)} at ${timeOfDay(worst.onset)}`,
      observations: candidate.anomalies
        .slice(0, 3)
        .map((anomaly) => metricObservation(service, anomaly, 'Measured where it is called.')),
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Do without ${service} for now`,
        description: 'It is outside of this system: protect what calls it, and tell its operator.',
        category: 'immediate',
        steps: [
          {
            title: `Check the status page of ${service}`,
            type: 'check',
            content: `Whether the operator of ${service} knows about the problem.`,
            help: 'Open a ticket with the times and the share of failed calls otherwise.',
            required: true,
          },
          {
            title: 'Open the circuit breaker, or turn the feature off',
            type: 'info',
            content: `Stop waiting for ${service}: fail fast, or answer without it.`,
            help: 'Callers that wait use up their own threads and connections.',
            required: true,
          },
          {
            title: 'Confirm that callers are back to normal',
            type: 'check',
            content: `The error rate and latency of what calls ${service} are back to normal.`,
            help: 'Then decide when to turn it on again.',
            required: true,
          },
        ],
      },
      {
        title: `Make an outage of ${service} harmless`,
        description: 'A short timeout, a circuit breaker and a fallback keep it from spreading.',
        category: 'follow_up',
        steps: [
          {
            title: 'Add a timeout and a fallback',
            type: 'info',
            content: `Calls to ${service} time out well before the requests that need them do.`,
            help: 'Try it by blocking the address in staging.',
            required: true,
          },
        ],
      },
    ];
  },
};
