import { amount, timeOfDay } from '../format.ts';
import { lineAbout, logObservation, metricObservation, symptomOf } from './observations.ts';
import type { Kind } from './types.ts';

/** A volume without room: what is to be written fails. */
export const diskFull: Kind = {
  name: 'disk full',
  headline: (service) => `disk full on ${service}`,
  assess(candidate) {
    const disk = candidate.anomaly('disk');
    if (!disk) return null;
    const line = lineAbout(candidate, /no space|ENOSPC|volume|disk/iu);
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    const state = disk.worst > 0.97 ? '' : ' and is still filling up';
    return {
      strength: 0.4 + (line ? 0.3 : 0) + (disk.worst > 0.97 ? 0.25 : 0),
      detail: `the volume went from ${amount(disk.before, '1')} to ${amount(disk.worst, '1')} used, starting at ${timeOfDay(disk.onset)}${symptom ? ', and writes are failing' : state}`,
      observations: [
        metricObservation(service, disk),
        ...(line ? [logObservation(service, line)] : []),
        ...(symptom ? [metricObservation(service, symptom, 'Follows the disk.')] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Free up disk space on ${service}`,
        description: 'Delete what can be regenerated, then grow the volume.',
        category: 'immediate',
        steps: [
          {
            title: 'See what is using the space',
            type: 'command',
            content: `kubectl exec ${service}-0 -- du -xh --max-depth=2 /var/lib/data | sort -rh | head`,
            help: 'Start with old segments, dumps and logs. Never delete write-ahead logs by hand.',
            required: true,
          },
          {
            title: 'Grow the volume',
            type: 'command',
            content: `kubectl patch pvc data-${service}-0 -p '{"spec":{"resources":{"requests":{"storage":"<twice the size>"}}}}'`,
            help: 'Most storage classes can grow a mounted volume.',
            required: true,
          },
          {
            title: 'Confirm that writes succeed',
            type: 'check',
            content: `No new "no space left" lines in the ${service} logs, and its error rate is back to normal.`,
            help: 'A database may need a restart after running out of space.',
            required: true,
          },
        ],
      },
      {
        title: `Keep ${service} from filling up again`,
        description: 'Find out which cleanup stopped working, and alert earlier.',
        category: 'follow_up',
        steps: [
          {
            title: 'Fix the cleanup',
            type: 'check',
            content:
              'Retention jobs, log rotation, replication slots: one of them stopped when the disk started to fill.',
            help: `That was at ${timeOfDay(candidate.onset)}.`,
            required: true,
          },
          {
            title: 'Alert on time to full, not on percent used',
            type: 'info',
            content: 'Predict over the last hour, and alert when the disk will be full within four.',
            help: 'At this growth rate, a fixed threshold leaves only minutes.',
            required: false,
          },
        ],
      },
    ];
  },
};
