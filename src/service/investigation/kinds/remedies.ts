import type { KindName } from './kind.ts';

/**
 * What to do about each kind of fault. `{service}` and the like are filled in by `words/remediation.ts`;
 * `{line|otherwise}` has what is said where there is none.
 */
export interface RemedyRow {
  title: string;
  description: string;
  category: 'immediate' | 'follow_up';
  steps: readonly StepRow[];
}

/** One thing to look at (`check`), to know (`info`) or to run. */
export type StepRow = { title: string; help: string; optional?: true } & (
  | { check: string }
  | { info: string }
  | { command: string }
  /** `kubectl` on its workload, or a check if its names are not known. */
  | { kubectl: string; of?: 'pod'; otherwise: string }
  /** A command about its address, or a check if it has no name that may stand in one. */
  | { shell: string; otherwise: string }
  /** The steps that take the change back, or a check with this text, titled so. */
  | { undo: string; titled?: string }
);

const RESTART = {
  kubectl: 'rollout restart {target}',
  otherwise: 'Restart the instances of {service}, one after the other.',
} as const;
const SCALE_OUT = {
  kubectl: 'scale {target} --replicas=<twice as many>',
  otherwise: 'Run twice as many instances of {service}.',
} as const;

const doFirst = (title: string, description: string, steps: readonly StepRow[]): RemedyRow => ({
  title,
  description,
  category: 'immediate',
  steps,
});
const later = (title: string, description: string, steps: readonly StepRow[]): RemedyRow => ({
  title,
  description,
  category: 'follow_up',
  steps,
});

/** A change that only came before: find out whether it is the cause, before it is taken back. */
export const UNPROVEN_CHANGE: readonly RemedyRow[] = [
  doFirst(
    'Look at {what} of {service}',
    'It came shortly before {service} degraded, and nothing proves that it is the cause.',
    [
      {
        title: 'Read what it changed',
        info: '{url|Diff {what} of {service} against {previous}.}',
        help: 'Look for what touches the requests that fail or have become slow.',
      },
      {
        title: 'Compare one instance without it',
        check: 'Verify: one instance of {service} on {previous} is healthy while the others are not.',
        help: 'If it is, that is the proof, and the others can be rolled back. If it is not, look elsewhere.',
      },
    ],
  ),
];

export const REMEDIES: Readonly<Record<KindName, readonly RemedyRow[]>> = {
  'bad deploy': [
    doFirst(
      'Roll back {service}{toBefore}',
      'Go back to {before|the version before {version}}: the symptoms began after {version} was rolled out.{note}',
      [
        {
          title: 'Check that no migration blocks the rollback',
          check:
            'Verify: {version} of {service} made no schema or data change that the previous version cannot read.',
          help: 'If it did, fix forward instead.',
        },
        {
          title: 'Roll back',
          undo: '{redeploy|Deploy the version of {service} that ran before {version}.}',
          help: 'Errors should drop within a minute of the last pod being replaced.',
        },
        {
          title: 'Confirm that errors are back to normal',
          check: 'Done when: the {service} error rate stays below 1% for ten minutes.',
          help: 'Its callers should recover with it.',
        },
      ],
    ),
    later('Fix what {version} broke', '{newError|Diff {version} against the previous version.}', [
      {
        title: 'Reproduce the error in a test',
        info: '{line|Replay failed {service} requests against {version}.}',
        help: 'Logs and traces of a failing request say which one.',
      },
      {
        title: 'Catch the next one with a canary',
        info: 'Send 5% of traffic to each new version of {service} for ten minutes, and abort on errors.',
        help: 'A canary limits what a bad version can reach.',
        optional: true,
      },
    ]),
  ],
  'configuration change': [
    doFirst('Revert the configuration change on {service}', 'Undo "{change}".{note}', [
      {
        title: 'Ask who changed it, and why',
        info: '{change}',
        help: 'It may have fixed another problem, which comes back with the revert.',
        optional: true,
      },
      {
        title: 'Roll back',
        undo: 'Bring back what was set before "{change}".',
        titled: 'Restore the previous value',
        help: 'Restart {service} if it does not watch its configuration.',
      },
      {
        title: 'Confirm that errors are back to normal',
        check: 'Done when: the {service} error rate stays below 1% for ten minutes.',
        help: 'Its callers should recover with it.',
      },
    ]),
    later(
      'Validate configuration before it goes live',
      'A check when {service} starts rejects values that cannot work.',
      [
        {
          title: 'Add a range check for this setting',
          info: 'Reject values outside the range covered by the {service} load tests.',
          help: 'Roll configuration out gradually, the way you deploy.',
        },
      ],
    ),
  ],
  outage: [
    doFirst('Get {service} running again', 'Find out why it does not run before it is restarted.', [
      {
        title: 'See what state it is in',
        kubectl: 'describe {target}',
        otherwise:
          'Whether {service} was scaled down, cannot be scheduled, crashes at start or cannot be reached.',
        help: 'Look at the last exit code, the events and the last lines that it logged.',
      },
      {
        title: 'Restart it',
        ...RESTART,
        help: 'If it crashes at start again, go back to the previous version.',
      },
      {
        title: 'Confirm that it answers',
        check: 'Done when: all instances of {service} are ready, and its callers are back to normal.',
        help: 'Callers that back off may take a minute.',
      },
    ]),
    later(
      'Run more than one {service}',
      'Replicas on several machines, with a disruption budget, survive the loss of one.',
      [
        {
          title: 'Check replicas, probes and the disruption budget',
          check: 'Verify: {service} has two replicas or more, and a readiness probe.',
          help: 'Alert on too few ready instances.',
        },
      ],
    ),
  ],
  'bad instance': [
    doFirst('Take {instance} out of rotation', 'The other instances are healthy: replace this one.', [
      {
        title: 'Look at it before it is gone',
        check:
          'Logs, the machine it runs on, and the version and configuration of {instance}, compared with another instance.',
        help: 'A bad machine makes the next instance on it bad as well: cordon it.',
        optional: true,
      },
      {
        title: 'Replace it',
        kubectl: 'delete {target}',
        of: 'pod',
        otherwise: 'Restart or replace {instance}.',
        help: 'Its traffic goes to the others at once.',
      },
      {
        title: 'Confirm that errors and latency are back to normal',
        check: 'Done when: no instance of {service} differs from the others for ten minutes.',
        help: 'If the new instance is bad as well, look at the machine.',
      },
    ]),
    later(
      'Let {service} eject a bad instance by itself',
      'A readiness probe that tests what requests need, or outlier detection in front, does so.',
      [
        {
          title: 'Tighten the readiness probe',
          info: 'The probe of {service} fails when its requests do.',
          help: 'Beware of probes that take all instances out at once.',
        },
      ],
    ),
  ],
  'broken edge': [
    doFirst(
      'Restore the connection from {caller} to {callee}',
      '{callee} answers as always: the problem is between the two.',
      [
        {
          title: 'Check what lies between them',
          check:
            'Network policies, DNS, the mesh, load balancer and connection limits between {caller} and {callee}, and what of these changed around {onset}.',
          help: 'Compare with another caller that works.',
        },
        {
          title: 'Try a call from {caller}',
          check:
            'The time to resolve, to connect and to get the first byte from {callee}, measured on an instance of {caller}.',
          help: 'The slowest of the three says where to look.',
        },
      ],
    ),
    later(
      'Alert on calls from {caller} to {callee}',
      'The metrics of {callee} stayed normal, so only its callers could tell.',
      [
        {
          title: 'Alert on latency and errors as the caller sees them',
          info: 'Client metrics of {caller} by what is called.',
          help: 'Timeouts and retries with a limit keep it from spreading.',
        },
      ],
    ),
  ],
  'cache outage': [
    doFirst('Bring {service} back', 'Until it is warm again, what is behind it carries the whole load.', [
      {
        title: 'See whether it is down, full or cold',
        check: 'Instances, memory, evictions and hit ratio of {service} since {onset}.',
        help: 'A cache that evicts needs memory; one that was restarted needs time.',
      },
      {
        title: 'Restart it if it is down',
        ...RESTART,
        help: 'An empty cache sends every request to the database: limit traffic while it warms up.',
      },
      {
        title: 'Confirm that the hit ratio is back',
        check:
          'Done when: {service} has its usual hit ratio, and the latency of its callers is back to normal.',
        help: 'This can take as long as its entries live.',
      },
    ]),
    later('Survive the loss of {service}', 'What is behind the cache should shed load instead of failing.', [
      {
        title: 'Coalesce identical requests, and serve stale entries',
        info: 'One request fills an entry while others wait for it or take the old one.',
        help: 'A replica makes the loss of one instance harmless.',
      },
    ]),
  ],
  'external dependency': [
    doFirst(
      'Do without {service} for now',
      'It is outside of this system: protect what calls it, and tell its operator.',
      [
        {
          title: 'Check the status page of {service}',
          check: 'Verify: the operator of {service} knows about the problem.',
          help: 'Open a ticket with the times and the share of failed calls otherwise.',
        },
        {
          title: 'Open the circuit breaker, or turn the feature off',
          info: 'Stop waiting for {service}: fail fast, or answer without it.',
          help: 'Callers that wait use up their own threads and connections.',
        },
        {
          title: 'Confirm that callers are back to normal',
          check: 'Done when: the error rate and latency of what calls {service} are back to normal.',
          help: 'Then decide when to turn it on again.',
        },
      ],
    ),
    later(
      'Make an outage of {service} harmless',
      'A short timeout, a circuit breaker and a fallback keep it from spreading.',
      [
        {
          title: 'Add a timeout and a fallback',
          info: 'Calls to {service} time out well before the requests that need them do.',
          help: 'Try it by blocking the address in staging.',
        },
      ],
    ),
  ],
  'certificate expiry': [
    doFirst('Renew the {service} certificate', 'Issue a new certificate and get it loaded.', [
      {
        title: 'Check the certificate being served',
        shell:
          'openssl s_client -connect {service}:443 -servername {service} </dev/null | openssl x509 -noout -enddate',
        otherwise: 'Until when the certificate of {service} is valid.',
        help: 'If a renewed one is already on disk, it just was not loaded: skip to the restart.',
      },
      {
        title: 'Renew it',
        check: 'Done when: a new certificate for {service} is issued: by cert-manager, ACME or by hand.',
        help: 'With cert-manager: `cmctl renew <name of the certificate>`.',
      },
      {
        title: 'Restart {service} to load it',
        ...RESTART,
        help: 'Not needed if certificates are hot-reloaded.',
        optional: true,
      },
      {
        title: 'Confirm that clients can connect',
        check: 'Done when: no more handshake errors in the {service} logs, and traffic is back to normal.',
        help: 'Clients that back off after failures may take a minute.',
      },
    ]),
    later('Automate certificate renewal', 'Nobody should have to remember the next one.', [
      {
        title: 'Find out why it was not renewed',
        check: 'The {service} certificate events of the last 30 days.',
        help: 'A failed ACME challenge is the usual reason.',
      },
      {
        title: 'Alert two weeks before expiry',
        info: 'Alert on the remaining lifetime of every certificate.',
        help: 'The blackbox exporter and cert-manager measure it.',
        optional: true,
      },
    ]),
  ],
  'slow query': [
    doFirst(
      'Cancel the slow query on {service}',
      'Cancel what is running so that other queries get through.',
      [
        {
          title: 'Find the query (PostgreSQL)',
          command:
            "SELECT pid, now() - query_start AS runs, left(query, 120) FROM pg_stat_activity WHERE state = 'active' ORDER BY runs DESC LIMIT 10;",
          help: 'Look for: {line|the slowest query}',
        },
        {
          title: 'Cancel it',
          command: 'SELECT pg_cancel_backend(<pid>);',
          help: 'The caller gets an error and may retry: turn the feature off if you can.',
        },
        {
          title: 'Confirm that latency drops',
          check: 'Done when: {service} p95 latency is back to normal within two minutes.',
          help: 'If not, another query may be slow too.',
        },
      ],
    ),
    later('Add an index for the query', 'A query that scans a large table is the usual reason.', [
      {
        title: 'Check the query plan',
        command: 'EXPLAIN <the query>;',
        help: '{line|the slowest query}',
      },
      {
        title: 'Create the index without locking the table',
        info: 'CREATE INDEX CONCURRENTLY … on the columns of the WHERE clause.',
        help: 'Then check that the plan uses it.',
      },
    ]),
  ],
  'CPU starvation': [
    doFirst('Give {service} more CPU', 'More instances share the load at once; a higher limit lasts.', [
      {
        title: 'Scale out',
        ...SCALE_OUT,
        help: 'Latency should drop as soon as the new instances take traffic.',
      },
      {
        title: 'Raise the CPU limit',
        kubectl: 'set resources {target} --limits=cpu=<twice as much>',
        otherwise: 'Raise the CPU limit of {service}.',
        help: 'This restarts the instances.',
        optional: true,
      },
      {
        title: 'Confirm that it is no longer held back',
        check: 'Done when: {service} uses less than 80% of its CPU limit, and its latency is back to normal.',
        help: 'If usage climbs to the new limit as well, something is spinning: take a profile.',
      },
    ]),
    later(
      'Find out what {service} spends its CPU on',
      'Compare a profile under load with one from before the onset.',
      [
        {
          title: 'Take a CPU profile',
          info: 'A profile of one {service} instance, 30 seconds under load.',
          help: 'Look at what grew since {onset}.',
        },
      ],
    ),
  ],
  'memory leak': [
    doFirst(
      'Restart {service} before it is OOM-killed',
      'A rolling restart drops no requests; an OOM kill does.',
      [
        {
          title: 'Take a heap snapshot of one instance',
          check: 'A heap snapshot of one {service} instance, by the means of its runtime.',
          help: 'The restart destroys the evidence otherwise.',
          optional: true,
        },
        { title: 'Do a rolling restart', ...RESTART, help: 'Memory should return to normal.' },
        {
          title: 'Watch the slope',
          check:
            '{service} memory over the next 15 minutes: if it climbs as before, it will be killed again.',
          help: 'Raise the limit, or restart on a schedule, until the leak is fixed.',
        },
      ],
    ),
    later(
      'Find the leak in {service}',
      'Compare two heap snapshots a few minutes apart: what grows is what leaks.',
      [
        {
          title: 'Compare heap snapshots',
          info: 'Two {service} snapshots, five minutes apart under load, sorted by growth.',
          help: 'Look at unbounded caches and listeners that are never removed first.',
        },
        {
          title: 'Review recent releases',
          check: 'Recent {service} releases that touch caches, pools or subscriptions.',
          help: 'A slow leak can ship days before it hurts.',
          optional: true,
        },
      ],
    ),
  ],
  'disk full': [
    doFirst('Free up disk space on {service}', 'Delete what can be regenerated, then grow the volume.', [
      {
        title: 'See what is using the space',
        kubectl: 'exec {target} -- df -h',
        otherwise: 'The largest directories of the volume of {service}, and what grew since {onset}.',
        help: 'Start with old segments, dumps and logs. Never delete write-ahead logs by hand.',
      },
      {
        title: 'Grow the volume',
        check: 'Done when: the volume of {service} has twice the size.',
        help: 'Most storage classes can grow a mounted volume.',
      },
      {
        title: 'Confirm that writes succeed',
        check:
          'Done when: no new "no space left" lines in the {service} logs, and its error rate is back to normal.',
        help: 'A database may need a restart after running out of space.',
      },
    ]),
    later('Keep {service} from filling up again', 'Find out what fills it, and alert earlier.', [
      {
        title: 'Fix the cleanup',
        check: 'Verify: retention jobs, log rotation and replication slots still free what is not needed.',
        help: 'The disk started to fill at {onset}.',
      },
      {
        title: 'Alert on time to full, not on percent used',
        info: 'Predict over the last hour, and alert when the disk will be full within four.',
        help: 'The faster a disk fills up, the less time a fixed threshold leaves.',
        optional: true,
      },
    ]),
  ],
  'connection-pool exhaustion': [
    doFirst(
      'Free up connections in {service}',
      'A rolling restart of {service} releases the connections it holds. It buys time.',
      [
        {
          title: 'See what is holding connections (PostgreSQL)',
          command:
            "SELECT pid, state, now() - state_change AS since, left(query, 80) FROM pg_stat_activity WHERE state <> 'idle' ORDER BY since DESC;",
          help: 'Sessions *idle in transaction* for more than a few seconds are the likely leak.',
        },
        {
          title: 'Do a rolling restart of {service}',
          ...RESTART,
          help: 'Connections in use should drop to normal within two minutes.',
        },
        {
          title: 'Watch connections and latency for ten minutes',
          check:
            'Done when: {service} stays below 80% of its connection limit, and p95 latency is back to normal.',
          help: 'If they climb again, connections are leaking: go on to the next action.',
        },
      ],
    ),
    later(
      'Fix the connection leak in {service}',
      'Usually a connection that is not released on an error path, or a transaction held open around a slow call.',
      [
        {
          title: 'Look for connections that are not released when a request fails',
          check: 'Verify: everything in {service} that acquires a connection releases it in a finally block.',
          help: 'Also look for calls to other services inside a transaction.',
        },
        {
          title: 'Alert before the pool runs out',
          info: 'Alert at 80% of the limit for five minutes.',
          help: 'A short acquire timeout makes requests fail fast instead of piling up.',
          optional: true,
        },
      ],
    ),
  ],
  'queue backlog': [
    doFirst(
      'Unblock {service}',
      'A message that always fails can block the others: move it out of the way, then let it catch up.',
      [
        {
          title: 'Find messages that keep being redelivered',
          check: '{line|Messages that {service} has received more than three times.}',
          help: 'One poison message can tie up every handler.',
        },
        {
          title: 'Move them to the dead-letter queue',
          info: 'Keep them: you need them to find the bug.',
          help: 'Do not purge the queue: the messages are work that is not done yet.',
        },
        {
          title: 'Scale out until it has caught up',
          ...SCALE_OUT,
          help: 'Keep an eye on the database meanwhile.',
          optional: true,
        },
      ],
    ),
    later(
      'Limit what one message can cost {service}',
      'A redelivery limit and a shorter timeout keep one message from blocking the rest.',
      [
        {
          title: 'Set a redelivery limit',
          info: 'After five failures, a message goes to the dead-letter queue.',
          help: 'Alert on the depth of that queue.',
        },
      ],
    ),
  ],
  'traffic surge': [
    doFirst('Scale {service} for the traffic', 'There are more requests than it can take.', [
      {
        title: 'Find out where the traffic comes from',
        check: 'Requests to {service} by caller, route and client address since {onset}.',
        help: 'A campaign, a batch job, a retry loop or a crawler each need another answer.',
      },
      {
        title: 'Scale out',
        ...SCALE_OUT,
        help: 'Check that what it depends on can take the load as well.',
      },
      {
        title: 'Shed what is not needed',
        info: 'Rate-limit the largest client, or turn off what can wait.',
        help: 'Only if scaling out is not enough.',
        optional: true,
      },
    ]),
    later('Let {service} scale by itself', 'An autoscaler on requests or CPU follows the traffic.', [
      {
        title: 'Set up autoscaling, and a rate limit in front',
        info: 'Scale {service} at 60% of the load that it was tested with.',
        help: 'Load-test to know that number.',
      },
    ]),
  ],
  unexplained: [
    doFirst('Take a closer look at {service}', 'The problem starts there, and telemetry does not show why.', [
      {
        title: 'Read the {service} logs from the onset',
        check: '{service} logs from {onset}.',
        help: 'Compare with an hour earlier.',
      },
      {
        title: 'Restart one instance and compare it with the others',
        check: 'One instance of {service} that was restarted, next to those that were not.',
        help: 'If the new one is healthy, the problem may be in-memory state.',
        optional: true,
      },
    ]),
  ],
};
