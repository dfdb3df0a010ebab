import { amount, timeOfDay } from '../format.ts';
import { scaleOut } from './commands.ts';
import { metricObservation, symptomOf } from './observations.ts';
import type { Kind } from './types.ts';

const MINUTE = 60_000;

/** More requests than it can handle, with nothing broken. */
export const trafficSurge: Kind = {
  name: 'traffic surge',
  headline: (service) => `traffic surge on ${service}`,
  assess(candidate) {
    const { surge } = candidate;
    const symptom = symptomOf(candidate);
    // Retries add traffic too, but only after something failed.
    if (!surge || (symptom && surge.onset > symptom.onset + MINUTE)) return null;
    const service = candidate.node.name;
    const { unit } = surge.series.signal;
    const factor = surge.worst / Math.max(surge.before, Number.MIN_VALUE);
    const ranOut = candidate.anomalies.find(({ profile: { role, measure } }) =>
      role === 'resource' ? true : measure === 'cpu',
    );
    return {
      strength: 0.4 + (factor >= 2 ? 0.3 : 0.1) + (ranOut ? 0.15 : 0) - (candidate.ownLogs[0] ? 0.1 : 0),
      detail: `requests went from ${amount(surge.before, unit)} to ${amount(surge.worst, unit)} since ${timeOfDay(surge.onset)}${symptom ? ', more than it can take' : ''}`,
      observations: [
        metricObservation(service, surge),
        ...(ranOut ? [metricObservation(service, ranOut, 'Follows the traffic.')] : []),
        ...(symptom ? [metricObservation(service, symptom, 'Follows the traffic.')] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Scale ${service} for the traffic`,
        description: 'Nothing is broken: there are more requests than it can take.',
        category: 'immediate',
        steps: [
          {
            title: 'Find out where the traffic comes from',
            type: 'check',
            content: `Requests to ${service} by caller, route and client address since ${timeOfDay(candidate.onset)}.`,
            help: 'A campaign, a batch job, a retry loop or a crawler each need another answer.',
            required: true,
          },
          {
            title: 'Scale out',
            ...scaleOut(candidate.node),
            help: 'Check that what it depends on can take the load as well.',
            required: true,
          },
          {
            title: 'Shed what is not needed',
            type: 'info',
            content: 'Rate-limit the largest client, or turn off what can wait.',
            help: 'Only if scaling out is not enough.',
            required: false,
          },
        ],
      },
      {
        title: `Let ${service} scale by itself`,
        description: 'An autoscaler on requests or CPU would have followed the traffic.',
        category: 'follow_up',
        steps: [
          {
            title: 'Set up autoscaling, and a rate limit in front',
            type: 'info',
            content: `Scale ${service} at 60% of the load that it was tested with.`,
            help: 'Load-test to know that number.',
            required: true,
          },
        ],
      },
    ];
  },
};
