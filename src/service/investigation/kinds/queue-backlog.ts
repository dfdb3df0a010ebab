import { amount, timeOfDay } from '../words.ts';
import { lineAbout, logClue, metricClue } from './clues.ts';
import type { Kind } from './types.ts';

/** A worker that handles less than arrives. */
export const queueBacklog: Kind = {
  name: 'queue backlog',
  weigh(suspect) {
    const throughput = suspect.anomaly('requests.rate');
    if (suspect.node.kind !== 'worker' || !throughput) return null;
    const line = lineAbout(suspect, /timed out|returned to the queue|redeliver/iu);
    const slow = suspect.anomaly('latency.p95');
    const service = suspect.node.name;
    return {
      strength: 0.5 + (line ? 0.3 : 0) + (slow ? 0.1 : 0),
      what: `does not keep up with its queue: from ${timeOfDay(throughput.onset)} it handles ${amount(throughput.worst, '')} messages a second (usually ${amount(throughput.before, '')})${line ? `, and it logs "${line.example}"` : ''}`,
      clues: [
        metricClue(service, throughput, 'Messages arrive at their usual rate, so the queue grows.'),
        ...(line ? [logClue(service, line)] : []),
        ...(slow ? [metricClue(service, slow)] : []),
      ],
    };
  },
  remedies: (suspect, { clues }) => {
    const service = suspect.node.name;
    const line = clues.find((clue) => clue.type === 'log')?.pattern.example;
    return [
      {
        title: `Let ${service} work again`,
        description: 'Move the message that blocks it aside; then let it catch up.',
        category: 'immediate',
        steps: [
          {
            title: 'Find messages that are delivered again and again',
            type: 'check',
            content: line ?? `Messages that ${service} has taken more than three times.`,
            help: 'One bad message can hold all handlers.',
            required: true,
          },
          {
            title: 'Move them to the dead-letter queue',
            type: 'info',
            content: 'Keep them: they are needed to find the mistake.',
            help: 'Do not purge the queue; orders are in it.',
            required: true,
          },
          {
            title: 'Add workers until it has caught up',
            type: 'command',
            content: `kubectl scale deployment/${service} --replicas=<twice as many>`,
            help: 'Watch the database while they catch up.',
            required: false,
          },
        ],
      },
      {
        title: `Bound what one message can cost ${service}`,
        description: 'A limit of deliveries and a shorter time-out keep one message from stopping the rest.',
        category: 'follow_up',
        steps: [
          {
            title: 'Set a limit of deliveries',
            type: 'info',
            content: 'After five failures a message goes to the dead-letter queue by itself.',
            help: 'Alert on the length of that queue.',
            required: true,
          },
        ],
      },
    ];
  },
};
