import { timeOfDay } from '../words.ts';
import { logClue, metricClue, movement } from './clues.ts';
import type { Kind } from './types.ts';

/** Trouble that begins at a service and looks like nothing that is known: where, but not why. */
export const unexplained: Kind = {
  name: 'unexplained',
  weigh(suspect) {
    const worst =
      suspect.anomalies.find(({ signal }) => signal.role === 'symptom') ??
      suspect.anomalies.find(({ signal }) => signal.role === 'resource');
    if (!worst) return null;
    const line = suspect.ownLogs[0];
    const service = suspect.node.name;
    return {
      strength: 0.25 + (line ? 0.1 : 0),
      what: `is where it begins, for a reason that telemetry does not show: at ${timeOfDay(worst.onset)} ${movement(service, worst)}${line ? `, and it logs "${line.example}"` : ''}`,
      clues: [metricClue(service, worst), ...(line ? [logClue(service, line)] : [])],
    };
  },
  remedies: (suspect) => {
    const service = suspect.node.name;
    return [
      {
        title: `Look closer at ${service}`,
        description: 'It is unwell by itself: nothing that it calls is, and nothing was changed.',
        category: 'immediate',
        steps: [
          {
            title: `Read the logs of ${service} from the onset`,
            type: 'check',
            content: `Logs of ${service} from ${timeOfDay(suspect.onset)}.`,
            help: 'Compare with an hour before.',
            required: true,
          },
          {
            title: 'Restart one instance, and compare it with the others',
            type: 'command',
            content: `kubectl delete pod <one pod of ${service}>`,
            help: 'If the new one is well, it is a matter of state.',
            required: false,
          },
        ],
      },
    ];
  },
};
