import { amount, timeOfDay } from '../words.ts';
import { lineAbout, logClue, metricClue } from './clues.ts';
import type { Kind } from './types.ts';

/** Memory that only grows, until the process is killed and begins again. */
export const memoryLeak: Kind = {
  name: 'memory leak',
  weigh(suspect) {
    const memory = suspect.anomaly('memory.utilization');
    if (!memory) return null;
    const restarts = suspect.anomaly('process.restarts');
    const line = lineAbout(suspect, /memory|garbage|heap|OOM/u);
    const service = suspect.node.name;
    const killed = restarts
      ? `, and the process was killed at its limit at ${timeOfDay(restarts.worstAt)}`
      : '';
    const harm = suspect.anomaly('latency.p95') ?? suspect.anomaly('errors.ratio');
    return {
      strength: 0.45 + (restarts ? 0.2 : 0) + (line ? 0.3 : 0) + (memory.worst > 0.85 ? 0.1 : 0),
      what: `leaks memory: its use climbs steadily from ${timeOfDay(memory.onset)}, from ${amount(memory.before, '1')} to ${amount(memory.worst, '1')} of the limit${killed}`,
      clues: [
        metricClue(service, memory, 'It climbs steadily, whatever the load.'),
        ...(restarts
          ? [metricClue(service, restarts, 'Memory falls with the restart, then climbs again.')]
          : []),
        ...(line ? [logClue(service, line)] : []),
        ...(harm ? [metricClue(service, harm, 'It follows the memory.')] : []),
      ],
    };
  },
  remedies: (suspect) => {
    const service = suspect.node.name;
    return [
      {
        title: `Restart ${service} before it is killed`,
        description: 'A restart in turn, while others serve, costs no request; being killed does.',
        category: 'immediate',
        steps: [
          {
            title: 'Keep a heap snapshot of one instance',
            type: 'command',
            content: `kubectl exec deploy/${service} -- kill -USR2 1`,
            help: 'Without it, the restart destroys the evidence.',
            required: false,
          },
          {
            title: 'Restart one instance at a time',
            type: 'command',
            content: `kubectl rollout restart deployment/${service}`,
            help: 'Memory should return to its usual level.',
            required: true,
          },
          {
            title: 'Watch the slope',
            type: 'check',
            content: `Memory of ${service} over the next 15 minutes: if it climbs as before, it will be killed again.`,
            help: 'Raise the limit, or restart on a schedule, until it is fixed.',
            required: true,
          },
        ],
      },
      {
        title: `Find the leak in ${service}`,
        description: 'Compare two heap snapshots some minutes apart: what grows is what leaks.',
        category: 'follow_up',
        steps: [
          {
            title: 'Compare heap snapshots',
            type: 'info',
            content: `Two snapshots of ${service} five minutes apart under load, ordered by growth.`,
            help: 'Caches without a bound and listeners that are never removed come first.',
            required: true,
          },
          {
            title: 'Look at what was released lately',
            type: 'check',
            content: `The releases of ${service} in the last days that touch caches, pools or subscriptions.`,
            help: 'A slow leak can be days older than its first harm.',
            required: false,
          },
        ],
      },
    ];
  },
};
