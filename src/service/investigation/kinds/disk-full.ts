import { amount, timeOfDay } from '../format.ts';
import { kubectl } from './commands.ts';
import { limitShare, lineAbout, logObservation, metricObservation, symptomOf } from './observations.ts';
import type { Kind } from './types.ts';

/** A full volume: writes fail. */
export const diskFull: Kind = {
  name: 'disk full',
  headline: (service) => `disk full on ${service}`,
  assess(candidate) {
    const disk = candidate.anomaly('disk');
    const share = disk ? limitShare(candidate, disk) : null;
    if (!disk) return null;
    const isFull = share !== null && share > 0.97;
    const { unit } = disk.series.signal;
    const line = lineAbout(candidate, /no space|ENOSPC|volume|disk/iu);
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    const state = isFull ? '' : ' and is still filling up';
    return {
      strength: 0.4 + (line ? 0.3 : 0) + (isFull ? 0.25 : 0),
      detail: `the volume went from ${amount(disk.before, unit)} to ${amount(disk.worst, unit)} used, starting at ${timeOfDay(disk.onset)}${symptom ? ', and writes are failing' : state}`,
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
            ...kubectl(
              candidate.node,
              (workload) => `exec ${workload} -- df -h`,
              `The largest directories of the volume of ${service}, and what grew since ${timeOfDay(candidate.onset)}.`,
            ),
            help: 'Start with old segments, dumps and logs. Never delete write-ahead logs by hand.',
            required: true,
          },
          {
            title: 'Grow the volume',
            type: 'check',
            content: `The volume of ${service} has twice the size.`,
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
