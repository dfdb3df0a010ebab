import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { amount, timeOfDay } from '../format.ts';
import { shift } from '../words/movement.ts';
import {
  type Kind,
  kubectl,
  limitShare,
  logObservation,
  metricObservation,
  restart,
  scaleOut,
  symptomOf,
} from './observations.ts';
import { lineAbout, PROOF, reasonAbout, reasonObservation, signOf } from './proof.ts';

/** Close enough to its limit to be throttled. */
const AT_LIMIT = 0.85;

/** Too little CPU: requests wait for a core. */
export const cpuStarvation: Kind = {
  name: 'CPU starvation',
  headline: (service) => `CPU starvation of ${service}`,
  assess(candidate) {
    const throttling = candidate.anomaly('throttling');
    const cpu = candidate.anomaly('cpu');
    const share = cpu ? limitShare(candidate, cpu) : null;
    const isAtLimit = share !== null && share >= AT_LIMIT;
    const worst = throttling ?? (isAtLimit ? cpu : undefined);
    if (!worst || worst.worst <= worst.before) return null;
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    const what = throttling
      ? `the CPU limit holds it back ${amount(throttling.worst, '1')} of the time (normally ${amount(throttling.before, '1')})`
      : `CPU usage is at ${amount(share ?? 0, '1')} of its limit`;
    return {
      strength:
        0.45 + (throttling ? 0.2 : 0) + (isAtLimit ? 0.15 : 0) + (candidate.anomaly('latency') ? 0.1 : 0),
      detail: `${what} since ${timeOfDay(worst.onset)}`,
      observations: [
        ...(throttling ? [metricObservation(service, throttling)] : []),
        ...(cpu && cpu.worst > cpu.before ? [metricObservation(service, cpu)] : []),
        ...(symptom ? [metricObservation(service, symptom, follows(symptom, worst, 'the CPU'))] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Give ${service} more CPU`,
        description: 'More instances share the load at once; a higher limit lasts.',
        category: 'immediate',
        steps: [
          {
            title: 'Scale out',
            ...scaleOut(candidate.node),
            help: 'Latency should drop as soon as the new instances take traffic.',
            required: true,
          },
          {
            title: 'Raise the CPU limit',
            ...kubectl(
              candidate.node,
              (workload) => `set resources ${workload} --limits=cpu=<twice as much>`,
              `Raise the CPU limit of ${service}.`,
            ),
            help: 'This restarts the instances.',
            required: false,
          },
          {
            title: 'Confirm that it is no longer held back',
            type: 'check',
            content: `Done when: ${service} uses less than 80% of its CPU limit, and its latency is back to normal.`,
            help: 'If usage climbs to the new limit as well, something is spinning: take a profile.',
            required: true,
          },
        ],
      },
      {
        title: `Find out what ${service} spends its CPU on`,
        description: 'Compare a profile under load with one from before the onset.',
        category: 'follow_up',
        steps: [
          {
            title: 'Take a CPU profile',
            type: 'info',
            content: `A profile of one ${service} instance, 30 seconds under load.`,
            help: `Look at what grew since ${timeOfDay(candidate.onset)}.`,
            required: true,
          },
        ],
      },
    ];
  },
};

/** Memory that only grows, until the process is killed and restarts. */
export const memoryLeak: Kind = {
  name: 'memory leak',
  headline: (service) => `memory leak in ${service}`,
  assess(candidate) {
    const memory = candidate.anomaly('memory');
    const killed = candidate.anomaly('oom-kills');
    const restarts = candidate.anomaly('restarts');
    if (!killed && !(memory && isLeak(candidate, memory))) return null;
    const line = lineAbout(candidate, PROOF.memory);
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
      detail: detailOf(candidate, { memory, share, end: endOf(memory, killed, restarts) }),
      observations: [
        ...(memory
          ? [metricObservation(service, memory, candidate.surge ? '' : 'Requests did not grow with it.')]
          : []),
        ...(killed ? [metricObservation(service, killed, 'It reached its memory limit.')] : []),
        ...(restarts ? [metricObservation(service, restarts, '')] : []),
        ...(line ? [logObservation(service, line)] : []),
        ...(harm ? [metricObservation(service, harm, follows(harm, memory ?? killed, 'the memory'))] : []),
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

/** Two generations of instances during a rollout, or a warm cache, need more memory without leaking it. */
function isLeak(candidate: Candidate, memory: Anomaly): boolean {
  const share = limitShare(candidate, memory);
  if (share !== null) return share >= AT_LIMIT;
  return memory.end === null && memory.worstAt - memory.onset >= LEAK_CLIMBS_FOR;
}

/** Where no limit is known: nothing else makes a process grow for this long, in milliseconds. */
const LEAK_CLIMBS_FOR = 20 * 60_000;

/** How the climb ended. A restart is no proof of an OOM kill, and what came before the climb ended another one. */
function endOf(
  memory: Anomaly | undefined,
  killed: Anomaly | undefined,
  restarts: Anomaly | undefined,
): string {
  if (killed) return `, and the process was OOM-killed at the limit at ${timeOfDay(killed.worstAt)}`;
  if (!restarts || (memory && restarts.worstAt < memory.onset)) return '';
  return `, and a process restarted at ${timeOfDay(restarts.worstAt)}`;
}

function detailOf(
  candidate: Candidate,
  seen: { memory: Anomaly | undefined; share: number | null; end: string },
): string {
  const { memory, share, end } = seen;
  if (!memory)
    return `it was OOM-killed at ${timeOfDay(candidate.anomaly('oom-kills')?.worstAt ?? candidate.onset)}`;
  const { unit } = memory.series.signal;
  const limit = unit === '1' ? ' of the limit' : share === null ? '' : `, ${amount(share, '1')} of its limit`;
  return `memory has climbed steadily since ${timeOfDay(memory.onset)}, from ${amount(memory.before, unit)} to ${amount(memory.worst, unit)}${limit}${end}`;
}

/** A full volume: writes fail. */
export const diskFull: Kind = {
  name: 'disk full',
  headline: (service) => `disk full on ${service}`,
  assess(candidate) {
    const disk = candidate.anomaly('disk');
    const share = disk ? limitShare(candidate, disk) : null;
    if (!disk) return null;
    const isFull = share !== null && share > 0.97;
    const { unit } = disk.series.signal;
    const line = lineAbout(candidate, PROOF.disk);
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    const state = isFull ? '' : ' and is still filling up';
    return {
      strength: 0.4 + (line ? 0.3 : 0) + (isFull ? 0.25 : 0),
      detail: `the volume went from ${amount(disk.before, unit)} to ${amount(disk.worst, unit)} used, starting at ${timeOfDay(disk.onset)}${symptom ? `, and ${shift(symptom)}` : state}`,
      observations: [
        metricObservation(service, disk),
        ...(line ? [logObservation(service, line)] : []),
        ...(symptom ? [metricObservation(service, symptom, follows(symptom, disk, 'the disk'))] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Free up disk space on ${service}`,
        description: 'Delete what can be regenerated, then grow the volume.',
        category: 'immediate',
        steps: [
          {
            title: 'See what is using the space',
            ...kubectl(
              candidate.node,
              (workload) => `exec ${workload} -- df -h`,
              `The largest directories of the volume of ${service}, and what grew since ${timeOfDay(candidate.onset)}.`,
            ),
            help: 'Start with old segments, dumps and logs. Never delete write-ahead logs by hand.',
            required: true,
          },
          {
            title: 'Grow the volume',
            type: 'check',
            content: `Done when: the volume of ${service} has twice the size.`,
            help: 'Most storage classes can grow a mounted volume.',
            required: true,
          },
          {
            title: 'Confirm that writes succeed',
            type: 'check',
            content: `Done when: no new "no space left" lines in the ${service} logs, and its error rate is back to normal.`,
            help: 'A database may need a restart after running out of space.',
            required: true,
          },
        ],
      },
      {
        title: `Keep ${service} from filling up again`,
        description: 'Find out what fills it, and alert earlier.',
        category: 'follow_up',
        steps: [
          {
            title: 'Fix the cleanup',
            type: 'check',
            content:
              'Verify: retention jobs, log rotation and replication slots still free what is not needed.',
            help: `The disk started to fill at ${timeOfDay(candidate.onset)}.`,
            required: true,
          },
          {
            title: 'Alert on time to full, not on percent used',
            type: 'info',
            content: 'Predict over the last hour, and alert when the disk will be full within four.',
            help: 'The faster a disk fills up, the less time a fixed threshold leaves.',
            required: false,
          },
        ],
      },
    ];
  },
};

/** A pool's connections are all in use, and requests wait for one. */
export const connectionPool: Kind = {
  name: 'connection-pool exhaustion',
  comesWithLoad: true,
  headline: (service) => `connection-pool exhaustion in ${service}`,
  assess(candidate) {
    const pool = poolOf(candidate);
    if (pool === null) return null;
    const { used, waiting, limit, isFull, worst } = pool;
    const line = lineAbout(candidate, PROOF.pool);
    const reason = reasonAbout(candidate, PROOF.pool);
    const queries = slowerQueries(candidate);
    // What it calls was slow before, and slow enough for what is seen here.
    const isBehind = candidate.explainedBy.length > 0 && candidate.onset + TOGETHER < worst.onset;
    const isEffect = isBehind || (queries !== undefined && fillsAfter(pool, queries));
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    return {
      // Slow queries hold connections longer: what tells of the full pool then tells of what they did.
      strength: isEffect
        ? 0.35
        : 0.5 +
          (line || reason ? 0.35 : 0) +
          (isFull && waiting ? 0.15 : 0) +
          (symptom && symptom.onset >= worst.onset ? 0.15 : 0),
      detail: isFull
        ? `${fullness(pool)} (normally ${amount(used.before, '')}), so requests queue for one`
        : `${shift(worst)} at ${timeOfDay(worst.onset)}: no connection of the pool is free`,
      ...(isEffect && { follows: `the connection pool of ${service} filled up (${stateOf(pool)})` }),
      observations: [
        ...(isFull ? [metricObservation(service, used, `The limit is ${amount(limit, '')}.`)] : []),
        ...(waiting ? [metricObservation(service, waiting)] : []),
        ...(reason ? [reasonObservation(service, reason)] : []),
        ...(line ? [logObservation(service, line)] : []),
        ...(symptom ? [metricObservation(service, symptom, follows(symptom, worst, 'the connections'))] : []),
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
            content: `Done when: ${service} stays below 80% of its connection limit, and p95 latency is back to normal.`,
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
            content: `Verify: everything in ${service} that acquires a connection releases it in a finally block.`,
            help: 'Also look for calls to other services inside a transaction.',
            required: true,
          },
          {
            title: 'Alert before the pool runs out',
            type: 'info',
            content: 'Alert at 80% of the limit for five minutes.',
            help: 'A short acquire timeout makes requests fail fast instead of piling up.',
            required: false,
          },
        ],
      },
    ];
  },
};

/** The state of a pool that is full, or for which requests wait. */
type Pool = { waiting: Anomaly | undefined; worst: Anomaly } & (
  | { isFull: true; used: Anomaly; limit: number }
  | { isFull: false; used: Anomaly | undefined; limit: number | null }
);

function poolOf(candidate: Candidate): Pool | null {
  const used = candidate.anomaly('connections');
  const waiting = candidate.anomaly('waiting');
  const limit = used ? candidate.limitOf(used.series) : null;
  const pool: Pool | null =
    used !== undefined && limit !== null && used.worst >= 0.9 * limit
      ? { isFull: true, used, waiting, limit, worst: used }
      : waiting === undefined
        ? null
        : { isFull: false, used, waiting, limit, worst: waiting };
  return pool === null || pool.worst.worst <= pool.worst.before ? null : pool;
}

/** Samples are a minute apart, or less. */
const TOGETHER = 60_000;

function stateOf(pool: Pool): string {
  return pool.isFull ? fullness(pool) : `${shift(pool.worst)} at ${timeOfDay(pool.worst.onset)}`;
}

function fullness({ used, limit }: Pool & { isFull: true }): string {
  return `${amount(used.worst, '')} of ${amount(limit, '')} connections in use since ${timeOfDay(used.worstAt)}`;
}

/** What a database measures, or its callers; else what a service measures of its queries. */
export function slowerQueries(candidate: Candidate): Anomaly | undefined {
  return candidate.anomaly(candidate.node.kind === 'database' ? 'latency' : 'queries');
}

/** Where only requests that wait are seen: queries that take this many times as long fill a pool. */
const FILLS = 2;

/**
 * Whether slow queries filled a pool: they began first, and became slower about as much as more connections are held, of
 * which each query holds one while it runs.
 */
function fillsAfter({ used, worst }: Pool, queries: Anomaly): boolean {
  const held = used !== undefined && used.before > 0 ? used.worst / used.before / 2 : FILLS;
  return queries.onset < worst.onset && queries.worst >= held * queries.before;
}

/** That slow queries filled the pool, in a sentence about them; `null` if they did not. */
export function filledPool(
  candidate: Candidate,
  queries: Anomaly,
): { text: string; anomaly: Anomaly } | null {
  const pool = poolOf(candidate);
  if (pool === null || !fillsAfter(pool, queries)) return null;
  return { text: `, which filled the connection pool: ${stateOf(pool)}`, anomaly: pool.worst };
}

/** A worker that processes less than arrives. */
export const queueBacklog: Kind = {
  name: 'queue backlog',
  headline: (service) => `queue backlog at ${service}`,
  assess(candidate) {
    const throughput = candidate.anomaly('requests');
    const backlog = signOf(candidate, PROOF.queue);
    const isSlower = candidate.node.kind === 'worker' && throughput !== undefined;
    if (!isSlower && !backlog) return null;
    const line = lineAbout(candidate, PROOF.queue);
    const slow = candidate.anomaly('latency');
    const service = candidate.node.name;
    const handled = throughput
      ? `only ${amount(throughput.worst, throughput.series.signal.unit)} since ${timeOfDay(throughput.onset)} (normally ${amount(throughput.before, throughput.series.signal.unit)})`
      : '';
    const waiting = backlog ? `${shift(backlog)} since ${timeOfDay(backlog.onset)}` : '';
    return {
      strength:
        (isSlower ? 0.5 : 0.45) + (line ? 0.3 : 0) + (slow ? 0.1 : 0) + (backlog && isSlower ? 0.05 : 0),
      detail: `${isSlower ? handled : waiting}${line ? `, and it logs "${line.example}"` : ''}`,
      observations: [
        ...(isSlower && throughput ? [metricObservation(service, throughput)] : []),
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
        description:
          'A message that always fails can block the others: move it out of the way, then let it catch up.',
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

const MINUTE = 60_000;

/** That one thing came after another, if it did. */
function follows(later: Anomaly, earlier: Anomaly | undefined, what: string): string {
  return earlier !== undefined && later.onset >= earlier.onset ? `Follows ${what}.` : '';
}

/** More requests than it can handle, with nothing broken. */
export const trafficSurge: Kind = {
  name: 'traffic surge',
  headline: (service) => `traffic surge on ${service}`,
  assess(candidate) {
    const { surge } = candidate;
    const symptom = symptomOf(candidate);
    // What services use gets more requests because of one of them, such as one whose cache is gone.
    const isUsed = ['database', 'cache', 'queue', 'external'].includes(candidate.node.kind);
    // Retries add traffic too, but only after something failed.
    if (!surge || isUsed || (symptom && surge.onset > symptom.onset + MINUTE)) return null;
    const service = candidate.node.name;
    const { unit } = surge.series.signal;
    const factor = surge.worst / Math.max(surge.before, Number.MIN_VALUE);
    const ranOut = candidate.anomalies.find(({ profile: { role, measure } }) =>
      role === 'resource' ? true : measure === 'cpu',
    );
    return {
      strength: 0.4 + (factor >= 2 ? 0.3 : 0.1) + (ranOut ? 0.15 : 0) - (candidate.ownLogs[0] ? 0.1 : 0),
      detail: `requests went from ${amount(surge.before, unit)} to ${amount(surge.worst, unit)} since ${timeOfDay(surge.onset)}${symptom ? ', more than it can take' : ''}`,
      observations: [
        metricObservation(service, surge),
        ...(ranOut ? [metricObservation(service, ranOut, follows(ranOut, surge, 'the traffic'))] : []),
        ...(symptom ? [metricObservation(service, symptom, follows(symptom, surge, 'the traffic'))] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Scale ${service} for the traffic`,
        description: 'There are more requests than it can take.',
        category: 'immediate',
        steps: [
          {
            title: 'Find out where the traffic comes from',
            type: 'check',
            content: `Requests to ${service} by caller, route and client address since ${timeOfDay(candidate.onset)}.`,
            help: 'A campaign, a batch job, a retry loop or a crawler each need another answer.',
            required: true,
          },
          {
            title: 'Scale out',
            ...scaleOut(candidate.node),
            help: 'Check that what it depends on can take the load as well.',
            required: true,
          },
          {
            title: 'Shed what is not needed',
            type: 'info',
            content: 'Rate-limit the largest client, or turn off what can wait.',
            help: 'Only if scaling out is not enough.',
            required: false,
          },
        ],
      },
      {
        title: `Let ${service} scale by itself`,
        description: 'An autoscaler on requests or CPU follows the traffic.',
        category: 'follow_up',
        steps: [
          {
            title: 'Set up autoscaling, and a rate limit in front',
            type: 'info',
            content: `Scale ${service} at 60% of the load that it was tested with.`,
            help: 'Load-test to know that number.',
            required: true,
          },
        ],
      },
    ];
  },
};
