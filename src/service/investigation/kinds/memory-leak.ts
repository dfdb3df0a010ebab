import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { amount, timeOfDay } from '../format.ts';
import { restart } from './commands.ts';
import { limitShare, lineAbout, logObservation, metricObservation } from './observations.ts';
import type { Kind } from './types.ts';

/** Memory that only grows, until the process is killed and restarts. */
export const memoryLeak: Kind = {
  name: 'memory leak',
  headline: (service) => `memory leak in ${service}`,
  assess(candidate) {
    const memory = candidate.anomaly('memory');
    const killed = candidate.anomaly('oom-kills');
    if (!memory && !killed) return null;
    const restarts = candidate.anomaly('restarts');
    const line = lineAbout(candidate, /memory|garbage|heap|OOM/u);
    const service = candidate.node.name;
    const share = memory ? limitShare(candidate, memory) : null;
    const harm = candidate.anomaly('latency') ?? candidate.anomaly('errors');
    return {
      strength:
        0.45 +
        (restarts ? 0.2 : 0) +
        (killed ? 0.3 : 0) +
        (line ? 0.3 : 0) +
        (share !== null && share > 0.85 ? 0.1 : 0) -
        // Memory that grows with traffic is not a leak.
        (candidate.surge && !killed ? 0.2 : 0),
      detail: detailOf(candidate, { memory, share, killedAt: (killed ?? restarts)?.worstAt ?? null }),
      observations: [
        ...(memory ? [metricObservation(service, memory, 'Climbing steadily, regardless of load.')] : []),
        ...(killed ? [metricObservation(service, killed, 'It reached its memory limit.')] : []),
        ...(restarts
          ? [metricObservation(service, restarts, 'Memory drops with the restart, then climbs again.')]
          : []),
        ...(line ? [logObservation(service, line)] : []),
        ...(harm ? [metricObservation(service, harm, 'Follows the memory.')] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Restart ${service} before it is OOM-killed`,
        description: 'A rolling restart drops no requests; an OOM kill does.',
        category: 'immediate',
        steps: [
          {
            title: 'Take a heap snapshot of one instance',
            type: 'check',
            content: `A heap snapshot of one ${service} instance, by the means of its runtime.`,
            help: 'The restart destroys the evidence otherwise.',
            required: false,
          },
          {
            title: 'Do a rolling restart',
            ...restart(candidate.node),
            help: 'Memory should return to normal.',
            required: true,
          },
          {
            title: 'Watch the slope',
            type: 'check',
            content: `${service} memory over the next 15 minutes: if it climbs as before, it will be killed again.`,
            help: 'Raise the limit, or restart on a schedule, until the leak is fixed.',
            required: true,
          },
        ],
      },
      {
        title: `Find the leak in ${service}`,
        description: 'Compare two heap snapshots a few minutes apart: what grows is what leaks.',
        category: 'follow_up',
        steps: [
          {
            title: 'Compare heap snapshots',
            type: 'info',
            content: `Two ${service} snapshots, five minutes apart under load, sorted by growth.`,
            help: 'Look at unbounded caches and listeners that are never removed first.',
            required: true,
          },
          {
            title: 'Review recent releases',
            type: 'check',
            content: `Recent ${service} releases that touch caches, pools or subscriptions.`,
            help: 'A slow leak can ship days before it hurts.',
            required: false,
          },
        ],
      },
    ];
  },
};

function detailOf(
  candidate: Candidate,
  seen: { memory: Anomaly | undefined; share: number | null; killedAt: number | null },
): string {
  const { memory, share, killedAt } = seen;
  if (!memory) return `it was OOM-killed at ${timeOfDay(killedAt ?? candidate.onset)}`;
  const { unit } = memory.series.signal;
  const limit = unit === '1' ? ' of the limit' : share === null ? '' : `, ${amount(share, '1')} of its limit`;
  const killed =
    killedAt === null ? '' : `, and the process was OOM-killed at the limit at ${timeOfDay(killedAt)}`;
  return `memory has climbed steadily since ${timeOfDay(memory.onset)}, from ${amount(memory.before, unit)} to ${amount(memory.worst, unit)}${limit}${killed}`;
}
