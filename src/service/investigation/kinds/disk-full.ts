import { amount, timeOfDay } from '../words.ts';
import { lineAbout, logClue, metricClue, symptomOf } from './clues.ts';
import type { Kind } from './types.ts';

/** A volume without room: what is to be written fails. */
export const diskFull: Kind = {
  name: 'disk full',
  weigh(suspect) {
    const disk = suspect.anomaly('disk.utilization');
    if (!disk) return null;
    const line = lineAbout(suspect, /no space|ENOSPC|volume|disk/iu);
    const symptom = symptomOf(suspect);
    const service = suspect.node.name;
    const state = disk.worst > 0.97 ? 'is out of disk space' : 'is running out of disk space';
    return {
      strength: 0.4 + (line ? 0.3 : 0) + (disk.worst > 0.97 ? 0.25 : 0),
      what: `${state}: its volume filled from ${amount(disk.before, '1')} to ${amount(disk.worst, '1')} beginning at ${timeOfDay(disk.onset)}${symptom ? ', and writes fail' : ''}`,
      clues: [
        metricClue(service, disk),
        ...(line ? [logClue(service, line)] : []),
        ...(symptom ? [metricClue(service, symptom, 'It follows the disk.')] : []),
      ],
    };
  },
  remedies: (suspect) => {
    const service = suspect.node.name;
    return [
      {
        title: `Make room on the volume of ${service}`,
        description: 'Remove what can be made again; then enlarge the volume.',
        category: 'immediate',
        steps: [
          {
            title: 'See what takes the room',
            type: 'command',
            content: `kubectl exec ${service}-0 -- du -xh --max-depth=2 /var/lib/data | sort -rh | head`,
            help: 'Old segments, dumps and logs come first. Never remove a write-ahead log by hand.',
            required: true,
          },
          {
            title: 'Enlarge the volume',
            type: 'command',
            content: `kubectl patch pvc data-${service}-0 -p '{"spec":{"resources":{"requests":{"storage":"<twice the size>"}}}}'`,
            help: 'Most storage grows while it is mounted.',
            required: true,
          },
          {
            title: 'Confirm that writes succeed',
            type: 'check',
            content: `No new "no space left" lines in the logs of ${service}, and its error ratio is back at its level.`,
            help: 'A database may need a restart after it has run out of space.',
            required: true,
          },
        ],
      },
      {
        title: `Keep ${service} from filling up again`,
        description: 'Find what stopped being cleaned up, and warn earlier.',
        category: 'follow_up',
        steps: [
          {
            title: 'Repair the clean-up',
            type: 'check',
            content:
              'Retention jobs, log rotation and replication slots: the one that stopped when the disk began to fill.',
            help: `It began at ${timeOfDay(suspect.onset)}.`,
            required: true,
          },
          {
            title: 'Alert on when it will be full, not on how full it is',
            type: 'info',
            content: 'A prediction over one hour that reaches 100% within four gives time to act.',
            help: 'Growth this fast passes a fixed threshold within minutes.',
            required: false,
          },
        ],
      },
    ];
  },
};
