import { timeOfDay } from '../format.ts';
import { logObservation, metricObservation, shift } from './observations.ts';
import type { Kind } from './types.ts';

/** Trouble that begins at a service but matches no known kind: where, but not why. */
export const unexplained: Kind = {
  name: 'unexplained',
  headline: (service) => `unexplained degradation of ${service}`,
  assess(candidate) {
    const worst =
      candidate.anomalies.find(({ profile }) => profile.role === 'symptom') ??
      candidate.anomalies.find(({ profile }) => profile.role === 'resource') ??
      (candidate.suspect === null ? undefined : candidate.anomalies[0]);
    if (!worst) return null;
    const line = candidate.ownLogs[0];
    const service = candidate.node.name;
    return {
      strength: 0.25 + (line ? 0.1 : 0),
      detail: `${shift(worst)} at ${timeOfDay(worst.onset)}${line ? `, and it logs "${line.example}"` : ''}; telemetry does not show why`,
      observations: [metricObservation(service, worst), ...(line ? [logObservation(service, line)] : [])],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Take a closer look at ${service}`,
        description: 'The problem starts there, and telemetry does not show why.',
        category: 'immediate',
        steps: [
          {
            title: `Read the ${service} logs from the onset`,
            type: 'check',
            content: `${service} logs from ${timeOfDay(candidate.onset)}.`,
            help: 'Compare with an hour earlier.',
            required: true,
          },
          {
            title: 'Restart one instance and compare it with the others',
            type: 'check',
            content: `One instance of ${service} that was restarted, next to those that were not.`,
            help: 'If the new one is healthy, the problem is in-memory state.',
            required: false,
          },
        ],
      },
    ];
  },
};
