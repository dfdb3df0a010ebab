import { amount, timeOfDay } from '../format.ts';
import { lineAbout, logObservation, metricObservation } from './observations.ts';
import type { Kind } from './types.ts';

/** Memory that only grows, until the process is killed and begins again. */
export const memoryLeak: Kind = {
  name: 'memory leak',
  headline: (service) => `memory leak in ${service}`,
  assess(candidate) {
    const memory = candidate.anomaly('memory');
    if (!memory) return null;
    const restarts = candidate.anomaly('restarts');
    const line = lineAbout(candidate, /memory|garbage|heap|OOM/u);
    const service = candidate.node.name;
    const killed = restarts
      ? `, and the process was killed at the limit at ${timeOfDay(restarts.worstAt)}`
      : '';
    const harm = candidate.anomaly('latency') ?? candidate.anomaly('errors');
    return {
      strength: 0.45 + (restarts ? 0.2 : 0) + (line ? 0.3 : 0) + (memory.worst > 0.85 ? 0.1 : 0),
      detail: `memory has climbed steadily since ${timeOfDay(memory.onset)}, from ${amount(memory.before, '1')} to ${amount(memory.worst, '1')} of the limit${killed}`,
      observations: [
        metricObservation(service, memory, 'Climbing steadily, regardless of load.'),
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
            title: 'Take a heap snapshot of one pod',
            type: 'command',
            content: `kubectl exec deploy/${service} -- kill -USR2 1`,
            help: 'The restart destroys the evidence otherwise.',
            required: false,
          },
          {
            title: 'Do a rolling restart',
            type: 'command',
            content: `kubectl rollout restart deployment/${service}`,
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
