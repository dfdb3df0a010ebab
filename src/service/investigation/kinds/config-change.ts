import { duration, timeOfDay } from '../words.ts';
import { changeClue, logClue, metricClue, movement, symptomOf } from './clues.ts';
import { changeBefore, nearness } from './nearness.ts';
import type { Kind } from './types.ts';

/** A setting that was changed for the worse. */
export const configChange: Kind = {
  name: 'configuration change',
  weigh(suspect) {
    const symptom = symptomOf(suspect);
    const change = symptom && changeBefore(suspect, 'config', symptom.onset);
    if (!change || !symptom) return null;
    const line = suspect.ownLogs.find(({ level }) => level === 'error');
    const service = suspect.node.name;
    const lead = Math.max(0, symptom.onset - change.at);
    return {
      strength: 0.55 * nearness(lead) + (line ? 0.3 : 0) + 0.1,
      what: `runs with a bad setting: "${change.title}" at ${timeOfDay(change.at)}, and ${duration(lead)} later ${movement(service, symptom)}`,
      clues: [
        changeClue(change, lead),
        ...(line ? [logClue(service, line)] : []),
        metricClue(service, symptom, `It began ${duration(lead)} after the change.`),
      ],
    };
  },
  remedies: (suspect, { clues }) => {
    const service = suspect.node.name;
    const change = clues.find((clue) => clue.type === 'change')?.change;
    const what = change?.title ?? `the last setting of ${service}`;
    return [
      {
        title: `Take back the setting of ${service}`,
        description: `Undo "${what}".`,
        category: 'immediate',
        steps: [
          {
            title: 'Ask who changed it, and why',
            type: 'info',
            content: what,
            help: 'It may have answered another problem, which returns when it is taken back.',
            required: false,
          },
          {
            title: 'Restore the former value',
            type: 'command',
            content: `git revert <the commit of "${what}"> && git push`,
            help: `${service} reads its settings within a minute; no restart is needed where it watches them.`,
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
        title: 'Validate settings before they go live',
        description: `A bound on this setting, checked when ${service} starts, would have refused the value.`,
        category: 'follow_up',
        steps: [
          {
            title: 'Add bounds for the setting',
            type: 'info',
            content: `Refuse values outside the range that load tests of ${service} cover.`,
            help: 'Roll settings out in steps as deploys are.',
            required: true,
          },
        ],
      },
    ];
  },
};
