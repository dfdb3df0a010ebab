import { amount, timeOfDay } from '../format.ts';
import { lineAbout, logObservation, metricObservation } from './observations.ts';
import type { Kind } from './types.ts';

/** A query that slows down a database for everybody. */
export const slowQuery: Kind = {
  name: 'slow query',
  headline: (service) => `slow query on ${service}`,
  assess(candidate) {
    const latency = candidate.anomaly('latency');
    if (candidate.node.kind !== 'database' || !latency) return null;
    const line = lineAbout(candidate, /slow query|sequential scan|statement timeout/iu);
    const cpu = candidate.anomaly('cpu');
    const service = candidate.node.name;
    const { unit } = latency.series.signal;
    return {
      strength: 0.4 + (line ? 0.4 : 0) + (cpu ? 0.15 : 0),
      detail: `${latency.series.signal.label} up to ${amount(latency.worst, unit)} since ${timeOfDay(latency.onset)} (normally ${amount(latency.before, unit)})${line ? `, and it logs "${line.example}"` : ''}`,
      observations: [
        metricObservation(service, latency),
        ...(line ? [logObservation(service, line)] : []),
        ...(cpu
          ? [metricObservation(service, cpu, 'Typical of reading far more rows than are returned.')]
          : []),
      ],
    };
  },
  remedies: (candidate, { observations }) => {
    const service = candidate.node.name;
    const line =
      observations.find((observation) => observation.type === 'log')?.pattern.example ?? 'the slowest query';
    return [
      {
        title: `Cancel the slow query on ${service}`,
        description: 'Cancel what is running so that other queries get through.',
        category: 'immediate',
        steps: [
          {
            title: 'Find the query (PostgreSQL)',
            type: 'command',
            content:
              "SELECT pid, now() - query_start AS runs, left(query, 120) FROM pg_stat_activity WHERE state = 'active' ORDER BY runs DESC LIMIT 10;",
            help: `Look for: ${line}`,
            required: true,
          },
          {
            title: 'Cancel it',
            type: 'command',
            content: 'SELECT pg_cancel_backend(<pid>);',
            help: 'The caller gets an error and may retry: turn the feature off if you can.',
            required: true,
          },
          {
            title: 'Confirm that latency drops',
            type: 'check',
            content: `${service} p95 latency is back to normal within two minutes.`,
            help: 'If not, another query is to blame too.',
            required: true,
          },
        ],
      },
      {
        title: 'Add an index for the query',
        description: 'It is slow because it scans a large table sequentially.',
        category: 'follow_up',
        steps: [
          {
            title: 'Check the query plan',
            type: 'command',
            content: 'EXPLAIN (ANALYZE, BUFFERS) <the query>;',
            help: line,
            required: true,
          },
          {
            title: 'Create the index without locking the table',
            type: 'info',
            content: 'CREATE INDEX CONCURRENTLY … on the columns of the WHERE clause.',
            help: 'Then check that the plan uses it.',
            required: true,
          },
        ],
      },
    ];
  },
};
