import { timeOfDay } from '../format.ts';
import { metricObservation, shift } from './observations.ts';
import type { Kind } from './types.ts';

/** Calls between two services are slow or fail, while the callee is healthy. */
export const brokenEdge: Kind = {
  name: 'broken edge',
  headline: (service, candidate) => {
    const [call] = candidate?.brokenCalls ?? [];
    if (!call) return `broken connection of ${service}`;
    const { caller, callee } = call.edge;
    return service === callee
      ? `broken connection to ${callee} from ${caller}`
      : `broken connection from ${caller} to ${callee}`;
  },
  assess(candidate) {
    const [call] = candidate.brokenCalls;
    if (!call) return null;
    const { caller, callee } = call.edge;
    const service = candidate.node.name;
    return {
      strength: 0.55,
      detail: `calls from ${caller} to ${callee}: ${shift(call.anomaly)} at ${timeOfDay(call.anomaly.onset)}, while ${callee} itself answers as always`,
      observations: candidate.brokenCalls
        .slice(0, 3)
        .map(({ anomaly, edge }) =>
          metricObservation(service, anomaly, `Calls from ${edge.caller} to ${edge.callee}.`),
        ),
    };
  },
  remedies: (candidate) => {
    const [call] = candidate.brokenCalls;
    const caller = call?.edge.caller ?? candidate.node.name;
    const callee = call?.edge.callee ?? 'what it calls';
    return [
      {
        title: `Restore the connection from ${caller} to ${callee}`,
        description: `${callee} answers others as always: the problem is between the two.`,
        category: 'immediate',
        steps: [
          {
            title: 'Check what lies between them',
            type: 'check',
            content: `Network policies, DNS, the mesh, load balancer and connection limits between ${caller} and ${callee}, and what of these changed around ${timeOfDay(candidate.onset)}.`,
            help: 'Compare with another caller that has no trouble.',
            required: true,
          },
          {
            title: `Try a call from ${caller}`,
            type: 'check',
            content: `The time to resolve, to connect and to get the first byte from ${callee}, measured on an instance of ${caller}.`,
            help: 'The slowest of the three says where to look.',
            required: true,
          },
        ],
      },
      {
        title: `Alert on calls from ${caller} to ${callee}`,
        description: `The metrics of ${callee} stayed normal, so only its callers could tell.`,
        category: 'follow_up',
        steps: [
          {
            title: 'Alert on latency and errors as the caller sees them',
            type: 'info',
            content: `Client metrics of ${caller} by what is called.`,
            help: 'Timeouts and retries with a limit keep it from spreading.',
            required: true,
          },
        ],
      },
    ];
  },
};
