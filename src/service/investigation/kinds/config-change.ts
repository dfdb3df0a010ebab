import { duration, timeOfDay } from '../format.ts';
import { changeObservation, logObservation, metricObservation, shift, symptomOf } from './observations.ts';
import { changeBefore, nearness } from './proximity.ts';
import type { Kind } from './types.ts';

/** A setting that was changed for the worse. */
export const configChange: Kind = {
  name: 'configuration change',
  headline: (service) => `bad configuration change on ${service}`,
  assess(candidate) {
    const symptom = symptomOf(candidate);
    const change = symptom && changeBefore(candidate, 'config', symptom.onset);
    if (!change || !symptom) return null;
    const line = candidate.ownLogs.find(({ level }) => level === 'error');
    const service = candidate.node.name;
    const lead = Math.max(0, symptom.onset - change.at);
    return {
      strength: 0.55 * nearness(lead) + (line ? 0.3 : 0) + 0.1,
      detail: `"${change.title}" went live at ${timeOfDay(change.at)}, and ${shift(symptom)} ${duration(lead)} later`,
      observations: [
        changeObservation(change, lead),
        ...(line ? [logObservation(service, line)] : []),
        metricObservation(service, symptom, `Began ${duration(lead)} after the change.`),
      ],
    };
  },
  remedies: (candidate, { observations }) => {
    const service = candidate.node.name;
    const change = observations.find((observation) => observation.type === 'change')?.change;
    const what = change?.title ?? `the last configuration change of ${service}`;
    return [
      {
        title: `Revert the configuration change on ${service}`,
        description: `Undo "${what}".`,
        category: 'immediate',
        steps: [
          {
            title: 'Ask who changed it, and why',
            type: 'info',
            content: what,
            help: 'It may have fixed another problem, which comes back with the revert.',
            required: false,
          },
          {
            title: 'Restore the previous value',
            type: 'command',
            content: `git revert <the commit of "${what}"> && git push`,
            help: `${service} picks it up within a minute, without a restart if it watches its configuration.`,
            required: true,
          },
          {
            title: 'Confirm that errors are back to normal',
            type: 'check',
            content: `The ${service} error rate stays below 1% for ten minutes.`,
            help: 'Its callers should recover with it.',
            required: true,
          },
        ],
      },
      {
        title: 'Validate configuration before it goes live',
        description: `A range check when ${service} starts would have rejected this value.`,
        category: 'follow_up',
        steps: [
          {
            title: 'Add a range check for this setting',
            type: 'info',
            content: `Reject values outside the range covered by the ${service} load tests.`,
            help: 'Roll configuration out gradually, the way you deploy.',
            required: true,
          },
        ],
      },
    ];
  },
};
