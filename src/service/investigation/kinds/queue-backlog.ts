import { amount, timeOfDay } from '../format.ts';
import { scaleOut } from './commands.ts';
import { lineAbout, logObservation, metricObservation, shift } from './observations.ts';
import type { Kind } from './types.ts';

/** A worker that processes less than arrives. */
export const queueBacklog: Kind = {
  name: 'queue backlog',
  headline: (service) => `queue backlog at ${service}`,
  assess(candidate) {
    const throughput = candidate.anomaly('requests');
    const backlog = candidate.anomaly('queue') ?? candidate.anomaly('lag');
    const isSlower = candidate.node.kind === 'worker' && throughput !== undefined;
    if (!isSlower && !backlog) return null;
    const line = lineAbout(candidate, /timed out|returned to the queue|redeliver|rebalanc/iu);
    const slow = candidate.anomaly('latency');
    const service = candidate.node.name;
    const handled = throughput
      ? `only ${amount(throughput.worst, '')} messages/s since ${timeOfDay(throughput.onset)} (normally ${amount(throughput.before, '')})`
      : '';
    const waiting = backlog ? `${shift(backlog)} since ${timeOfDay(backlog.onset)}` : '';
    return {
      strength:
        (isSlower ? 0.5 : 0.45) + (line ? 0.3 : 0) + (slow ? 0.1 : 0) + (backlog && isSlower ? 0.05 : 0),
      detail: `${isSlower ? handled : waiting}${line ? `, and it logs "${line.example}"` : ''}`,
      observations: [
        ...(isSlower && throughput
          ? [
              metricObservation(
                service,
                throughput,
                'Messages still arrive at the normal rate, so the queue grows.',
              ),
            ]
          : []),
        ...(backlog ? [metricObservation(service, backlog)] : []),
        ...(line ? [logObservation(service, line)] : []),
        ...(slow ? [metricObservation(service, slow)] : []),
      ],
    };
  },
  remedies: (candidate, { observations }) => {
    const service = candidate.node.name;
    const line = observations.find((observation) => observation.type === 'log')?.pattern.example;
    return [
      {
        title: `Unblock ${service}`,
        description: 'Move the poison message out of the way, then let it catch up.',
        category: 'immediate',
        steps: [
          {
            title: 'Find messages that keep being redelivered',
            type: 'check',
            content: line ?? `Messages that ${service} has received more than three times.`,
            help: 'One poison message can tie up every handler.',
            required: true,
          },
          {
            title: 'Move them to the dead-letter queue',
            type: 'info',
            content: 'Keep them: you need them to find the bug.',
            help: 'Do not purge the queue: the messages are work that is not done yet.',
            required: true,
          },
          {
            title: 'Scale out until it has caught up',
            ...scaleOut(candidate.node),
            help: 'Keep an eye on the database meanwhile.',
            required: false,
          },
        ],
      },
      {
        title: `Limit what one message can cost ${service}`,
        description: 'A redelivery limit and a shorter timeout keep one message from blocking the rest.',
        category: 'follow_up',
        steps: [
          {
            title: 'Set a redelivery limit',
            type: 'info',
            content: 'After five failures, a message goes to the dead-letter queue.',
            help: 'Alert on the depth of that queue.',
            required: true,
          },
        ],
      },
    ];
  },
};
