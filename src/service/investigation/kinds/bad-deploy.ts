import { duration, timeOfDay } from '../words.ts';
import { changeClue, logClue, metricClue, movement, symptomOf } from './clues.ts';
import { changeBefore, nearness } from './nearness.ts';
import type { Kind } from './types.ts';

/** A new version that fails. */
export const badDeploy: Kind = {
  name: 'bad deploy',
  weigh(suspect) {
    const symptom = symptomOf(suspect);
    const deploy = symptom && changeBefore(suspect, 'deploy', symptom.onset);
    if (!deploy || !symptom) return null;
    const line = suspect.ownLogs.find(({ level }) => level === 'error');
    const service = suspect.node.name;
    const lead = Math.max(0, symptom.onset - deploy.at);
    // Where something ran out, that explains more than a deploy that happened to come before it.
    const ranOut = suspect.anomalies.some(({ signal }) => signal.role === 'resource');
    return {
      strength:
        0.5 * nearness(lead) +
        (line ? 0.3 : 0) +
        (suspect.anomaly('errors.ratio') ? 0.1 : 0) -
        (ranOut ? 0.3 : 0),
      what: `got a bad deploy: version ${deploy.version ?? 'unknown'} went out at ${timeOfDay(deploy.at)}, and ${duration(lead)} later ${movement(service, symptom)}`,
      clues: [
        changeClue(deploy, lead),
        ...(line ? [logClue(service, line)] : []),
        metricClue(service, symptom, `It began ${duration(lead)} after the deploy.`),
      ],
    };
  },
  remedies: (suspect, { clues }) => {
    const service = suspect.node.name;
    const deploy = clues.find((clue) => clue.type === 'change')?.change;
    const version = deploy?.version ?? 'the new version';
    const line = clues.find((clue) => clue.type === 'log');
    return [
      {
        title: `Roll back ${service}`,
        description: `Return to the version before ${version}; the trouble began with it.`,
        category: 'immediate',
        steps: [
          {
            title: 'Make sure that no migration of this deploy forbids going back',
            type: 'check',
            content: `The changes of ${service} ${version} alter no stored data in a way that the version before cannot read.`,
            help: 'If they do, fix forward in place of rolling back.',
            required: true,
          },
          {
            title: 'Roll back',
            type: 'command',
            content: `kubectl rollout undo deployment/${service}`,
            help: 'Errors should fall within a minute of the last instance being replaced.',
            required: true,
          },
          {
            title: 'Confirm that errors are back at their level',
            type: 'check',
            content: `The error ratio of ${service} is below 1% for ten minutes.`,
            help: 'Its callers recover with it.',
            required: true,
          },
        ],
      },
      {
        title: `Fix what ${version} broke`,
        description: line
          ? `The new error is ${line.description}`
          : `Compare ${version} with the version before.`,
        category: 'follow_up',
        steps: [
          {
            title: 'Reproduce the error in a test',
            type: 'info',
            content: line ? line.pattern.example : `Replay failed requests of ${service} against ${version}.`,
            help: 'The attached logs and the failed trace show a request that fails.',
            required: true,
          },
          {
            title: 'Let a canary catch the next one',
            type: 'info',
            content: `Send 5% of traffic to a new version of ${service} for ten minutes, and stop on errors.`,
            help: 'This deploy would have been stopped.',
            required: false,
          },
        ],
      },
    ];
  },
};
