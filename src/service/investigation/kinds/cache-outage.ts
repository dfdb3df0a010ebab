import { timeOfDay } from '../format.ts';
import { restart } from './commands.ts';
import { lineAbout, logObservation, metricObservation, shift, symptomOf } from './observations.ts';
import type { Kind } from './types.ts';

/** A cache that is gone or empty, so that all requests go to its backend. */
export const cacheOutage: Kind = {
  name: 'cache outage',
  headline: (service) => `cache outage of ${service}`,
  assess(candidate) {
    if (candidate.node.kind !== 'cache') return null;
    const up = candidate.anomaly('up');
    const hits = candidate.anomaly('cache-hits');
    const symptom = symptomOf(candidate);
    const worst = up ?? hits ?? symptom;
    if (!worst) return null;
    const line = lineAbout(candidate, /cache|evict|maxmemory|refused|OOM/iu);
    const service = candidate.node.name;
    return {
      strength: 0.45 + (up ? 0.3 : 0) + (hits ? 0.2 : 0) + (line ? 0.1 : 0),
      detail: `${shift(worst)} at ${timeOfDay(worst.onset)}, so requests go to what is behind it`,
      observations: [
        ...[up, hits, symptom].flatMap((anomaly) => (anomaly ? [metricObservation(service, anomaly)] : [])),
        ...(line ? [logObservation(service, line)] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Bring ${service} back`,
        description: 'Until it is warm again, what is behind it carries the whole load.',
        category: 'immediate',
        steps: [
          {
            title: 'See whether it is down, full or cold',
            type: 'check',
            content: `Instances, memory, evictions and hit ratio of ${service} since ${timeOfDay(candidate.onset)}.`,
            help: 'A cache that evicts needs memory; one that was restarted needs time.',
            required: true,
          },
          {
            title: 'Restart it if it is down',
            ...restart(candidate.node),
            help: 'An empty cache sends every request to the database: limit traffic while it warms up.',
            required: true,
          },
          {
            title: 'Confirm that the hit ratio is back',
            type: 'check',
            content: `${service} has its usual hit ratio, and the latency of its callers is back to normal.`,
            help: 'This can take as long as its entries live.',
            required: true,
          },
        ],
      },
      {
        title: `Survive the loss of ${service}`,
        description: 'What is behind the cache should shed load instead of failing.',
        category: 'follow_up',
        steps: [
          {
            title: 'Coalesce identical requests, and serve stale entries',
            type: 'info',
            content: 'One request fills an entry while others wait for it or take the old one.',
            help: 'A replica makes the loss of one instance harmless.',
            required: true,
          },
        ],
      },
    ];
  },
};
