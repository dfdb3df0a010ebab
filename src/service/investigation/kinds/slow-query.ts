import { amount, timeOfDay } from '../words.ts';
import { lineAbout, logClue, metricClue } from './clues.ts';
import type { Kind } from './types.ts';

/** A query that makes a database slow for all. */
export const slowQuery: Kind = {
  name: 'slow query',
  weigh(suspect) {
    const latency = suspect.anomaly('latency.p95');
    if (suspect.node.kind !== 'database' || !latency) return null;
    const line = lineAbout(suspect, /slow query|sequential scan|statement timeout/iu);
    const cpu = suspect.anomaly('cpu.utilization');
    const service = suspect.node.name;
    return {
      strength: 0.4 + (line ? 0.4 : 0) + (cpu ? 0.15 : 0),
      what: `is slowed down by a query: from ${timeOfDay(latency.onset)} its p95 latency is up to ${amount(latency.worst, 'ms')} (usually ${amount(latency.before, 'ms')})${line ? `, and it logs "${line.example}"` : ''}`,
      clues: [
        metricClue(service, latency),
        ...(line ? [logClue(service, line)] : []),
        ...(cpu ? [metricClue(service, cpu, 'It reads far more rows than it returns.')] : []),
      ],
    };
  },
  remedies: (suspect, { clues }) => {
    const service = suspect.node.name;
    const line = clues.find((clue) => clue.type === 'log')?.pattern.example ?? 'the slowest statement';
    return [
      {
        title: `Stop the slow statement on ${service}`,
        description: 'Cancel what runs now, so that other queries are served again.',
        category: 'immediate',
        steps: [
          {
            title: 'Find the statement',
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
            help: 'The caller gets an error and may try again: switch the feature off where that is possible.',
            required: true,
          },
          {
            title: 'Confirm that latency falls',
            type: 'check',
            content: `p95 latency of ${service} is back at its level within two minutes.`,
            help: 'If not, another statement is to blame as well.',
            required: true,
          },
        ],
      },
      {
        title: 'Give the query an index',
        description: 'A sequential scan of a large table is what makes it slow.',
        category: 'follow_up',
        steps: [
          {
            title: 'See the plan',
            type: 'command',
            content: 'EXPLAIN (ANALYZE, BUFFERS) <the statement>;',
            help: line,
            required: true,
          },
          {
            title: 'Create the index without locking the table',
            type: 'info',
            content: 'CREATE INDEX CONCURRENTLY … on the columns of the WHERE clause.',
            help: 'Then see that the plan uses it.',
            required: true,
          },
        ],
      },
    ];
  },
};
