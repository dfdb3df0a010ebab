import { amount, timeOfDay } from '../format.ts';
import { restart } from './commands.ts';
import { lineAbout, logObservation, metricObservation, shift, symptomOf } from './observations.ts';
import type { Kind } from './types.ts';

/** A pool's connections are all in use, and requests wait for one. */
export const connectionPool: Kind = {
  name: 'connection-pool exhaustion',
  headline: (service) => `connection-pool exhaustion in ${service}`,
  assess(candidate) {
    const used = candidate.anomaly('connections');
    const waiting = candidate.anomaly('waiting');
    const limit = used ? candidate.limitOf(used.series) : null;
    const isFull = used !== undefined && limit !== null && used.worst >= 0.9 * limit;
    const worst = isFull ? used : waiting;
    if (!worst || worst.worst <= worst.before) return null;
    const line = lineAbout(candidate, /pool|too many (?:clients|connections)|no free connection/iu);
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    return {
      strength:
        0.5 +
        (line ? 0.35 : 0) +
        (isFull && waiting ? 0.15 : 0) +
        (symptom && symptom.onset >= worst.onset ? 0.15 : 0),
      detail: isFull
        ? `${amount(used.worst, '')} of ${amount(limit, '')} connections in use since ${timeOfDay(used.worstAt)} (normally ${amount(used.before, '')}), so requests queue for one and time out`
        : `${shift(worst)} at ${timeOfDay(worst.onset)}: no connection of the pool is free`,
      observations: [
        ...(isFull ? [metricObservation(service, used, `The limit is ${amount(limit, '')}.`)] : []),
        ...(waiting ? [metricObservation(service, waiting)] : []),
        ...(line ? [logObservation(service, line)] : []),
        ...(symptom ? [metricObservation(service, symptom, 'Follows the connections.')] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Free up connections in ${service}`,
        description: `A rolling restart of ${service} releases the connections it holds. It buys time.`,
        category: 'immediate',
        steps: [
          {
            title: 'See what is holding connections (PostgreSQL)',
            type: 'command',
            content:
              "SELECT pid, state, now() - state_change AS since, left(query, 80) FROM pg_stat_activity WHERE state <> 'idle' ORDER BY since DESC;",
            help: 'Sessions *idle in transaction* for more than a few seconds are the likely leak.',
            required: true,
          },
          {
            title: `Do a rolling restart of ${service}`,
            ...restart(candidate.node),
            help: 'Connections in use should drop to normal within two minutes.',
            required: true,
          },
          {
            title: 'Watch connections and latency for ten minutes',
            type: 'check',
            content: `${service} stays below 80% of its connection limit, and p95 latency is back to normal.`,
            help: 'If they climb again, connections are leaking: go on to the next action.',
            required: true,
          },
        ],
      },
      {
        title: `Fix the connection leak in ${service}`,
        description:
          'Usually a connection that is not released on an error path, or a transaction held open around a slow call.',
        category: 'follow_up',
        steps: [
          {
            title: 'Look for connections that are not released when a request fails',
            type: 'check',
            content: `Everything in ${service} that acquires a connection releases it in a finally block.`,
            help: 'Also look for calls to other services inside a transaction.',
            required: true,
          },
          {
            title: 'Alert before the pool runs out',
            type: 'info',
            content:
              'Alert at 80% of the limit for five minutes; it would have fired before the first failure.',
            help: 'A short acquire timeout makes requests fail fast instead of piling up.',
            required: false,
          },
        ],
      },
    ];
  },
};
