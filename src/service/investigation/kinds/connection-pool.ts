import { timeOfDay } from '../words.ts';
import { lineAbout, logClue, metricClue, symptomOf } from './clues.ts';
import type { Kind } from './types.ts';

/** Every connection of a pool is taken, and requests wait for one. */
export const connectionPool: Kind = {
  name: 'connection-pool exhaustion',
  weigh(suspect) {
    const used = suspect.anomaly('connections.used');
    const limit = suspect.peak('connections.limit');
    if (!used || !limit || used.worst < 0.9 * limit) return null;
    const line = lineAbout(suspect, /pool|too many (?:clients|connections)|no free connection/iu);
    const symptom = symptomOf(suspect);
    const service = suspect.node.name;
    return {
      strength: 0.5 + (line ? 0.35 : 0) + (symptom && symptom.onset >= used.onset ? 0.15 : 0),
      what: `has used up its database connections: ${used.worst} of ${limit} were taken from ${timeOfDay(used.worstAt)} (usually ${used.before}), so requests wait for one and fail`,
      clues: [
        metricClue(service, used, `The limit is ${limit}.`),
        ...(line ? [logClue(service, line)] : []),
        ...(symptom ? [metricClue(service, symptom, 'It follows the connections.')] : []),
      ],
    };
  },
  remedies: (suspect) => {
    const service = suspect.node.name;
    return [
      {
        title: `Free the connections of ${service}`,
        description: `Restarting ${service} one instance at a time gives back connections that are held; it buys time.`,
        category: 'immediate',
        steps: [
          {
            title: 'See who holds connections',
            type: 'command',
            content:
              "SELECT pid, state, now() - state_change AS since, left(query, 80) FROM pg_stat_activity WHERE state <> 'idle' ORDER BY since DESC;",
            help: 'Sessions that are *idle in transaction* for more than a few seconds are the likely leak.',
            required: true,
          },
          {
            title: `Restart ${service} one instance at a time`,
            type: 'command',
            content: `kubectl rollout restart deployment/${service}`,
            help: 'Connections in use should fall to their usual number within two minutes.',
            required: true,
          },
          {
            title: 'Watch connections and latency for ten minutes',
            type: 'check',
            content: `Connections in use of ${service} stay below 80% of the limit, p95 latency is back at its level.`,
            help: 'If they climb again, connections leak: go on with the next action.',
            required: true,
          },
        ],
      },
      {
        title: `Find the leak, and bound the wait, in ${service}`,
        description:
          'A connection that is not given back on an error path, or a transaction around a slow call.',
        category: 'follow_up',
        steps: [
          {
            title: 'Look for connections that are not released when a request fails',
            type: 'check',
            content: `Every place in ${service} that takes a connection gives it back in a finally block.`,
            help: 'Also look for calls to other services inside a transaction.',
            required: true,
          },
          {
            title: 'Alert on the pool before it is empty',
            type: 'info',
            content:
              'An alert at 80% of the limit for five minutes would have come before the first failure.',
            help: 'A short wait limit for a connection makes requests fail fast in place of piling up.',
            required: false,
          },
        ],
      },
    ];
  },
};
