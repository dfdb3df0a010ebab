import { isName } from '../../telemetry/undo.ts';
import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { amount, timeOfDay } from '../format.ts';
import { shift } from '../words/movement.ts';
import { type Kind, kubectl, logObservation, metricObservation, restart, symptomOf } from './observations.ts';
import { lineAbout, PROOF, reasonAbout, reasonObservation, signOf } from './proof.ts';
import { filledPool, slowerQueries } from './resources.ts';

/** It is not running, or not answering at all. */
export const outage: Kind = {
  name: 'outage',
  headline: (service) => `outage of ${service}`,
  assess(candidate) {
    const up = candidate.anomaly('up');
    const { gone } = candidate;
    const service = candidate.node.name;
    if (up && up.worst <= 0) {
      return {
        strength: 0.7,
        detail: `${shift(up)} at ${timeOfDay(up.onset)}`,
        observations: [metricObservation(service, up)],
      };
    }
    if (!gone) return null;
    return {
      strength: 0.6,
      detail: `it has reported nothing since ${timeOfDay(gone.onset)}`,
      observations: [metricObservation(service, gone, 'There are no samples after that.')],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Get ${service} running again`,
        description: 'Find out why it does not run before it is restarted.',
        category: 'immediate',
        steps: [
          {
            title: 'See what state it is in',
            ...kubectl(
              candidate.node,
              (workload) => `describe ${workload}`,
              `Whether ${service} was scaled down, cannot be scheduled, crashes at start or cannot be reached.`,
            ),
            help: 'Look at the last exit code, the events and the last lines that it logged.',
            required: true,
          },
          {
            title: 'Restart it',
            ...restart(candidate.node),
            help: 'If it crashes at start again, go back to the previous version.',
            required: true,
          },
          {
            title: 'Confirm that it answers',
            type: 'check',
            content: `Done when: all instances of ${service} are ready, and its callers are back to normal.`,
            help: 'Callers that back off may take a minute.',
            required: true,
          },
        ],
      },
      {
        title: `Run more than one ${service}`,
        description: 'Replicas on several machines, with a disruption budget, survive the loss of one.',
        category: 'follow_up',
        steps: [
          {
            title: 'Check replicas, probes and the disruption budget',
            type: 'check',
            content: `Verify: ${service} has two replicas or more, and a readiness probe.`,
            help: 'Alert on too few ready instances.',
            required: true,
          },
        ],
      },
    ];
  },
};

/** One of several instances fails, the others are healthy. */
export const badInstance: Kind = {
  name: 'bad instance',
  headline: (service) => `bad instance of ${service}`,
  assess(candidate) {
    const { oddInstance } = candidate;
    // The instances of a new version are not bad ones.
    if (!oddInstance || candidate.proof?.proof.kind === 'version') return null;
    const { instance, anomaly, others } = oddInstance;
    return {
      strength: 0.8,
      detail: `only on ${instance}, one of ${others + 1} instances, ${shift(anomaly)} at ${timeOfDay(anomaly.onset)}, while ${others === 1 ? 'the other one is' : `the ${others} others are`} healthy`,
      observations: [metricObservation(instance, anomaly, 'The only instance of its service that moved.')],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    const instance = candidate.oddInstance?.instance ?? `the bad instance of ${service}`;
    const namespace = candidate.node.workload?.namespace ?? '';
    const pod = candidate.oddInstance?.pod ?? null;
    return [
      {
        title: `Take ${instance} out of rotation`,
        description: 'The other instances are healthy: replace this one.',
        category: 'immediate',
        steps: [
          {
            title: 'Look at it before it is gone',
            type: 'check',
            content: `Logs, the machine it runs on, and the version and configuration of ${instance}, compared with another instance.`,
            help: 'A bad machine makes the next instance on it bad as well: cordon it.',
            required: false,
          },
          {
            title: 'Replace it',
            ...kubectl(
              { name: service, workload: pod === null ? null : { namespace, kind: 'pod', name: pod } },
              (target) => `delete ${target}`,
              `Restart or replace ${instance}.`,
            ),
            help: 'Its traffic goes to the others at once.',
            required: true,
          },
          {
            title: 'Confirm that errors and latency are back to normal',
            type: 'check',
            content: `Done when: no instance of ${service} differs from the others for ten minutes.`,
            help: 'If the new instance is bad as well, look at the machine.',
            required: true,
          },
        ],
      },
      {
        title: `Let ${service} eject a bad instance by itself`,
        description:
          'A readiness probe that tests what requests need, or outlier detection in front, does so.',
        category: 'follow_up',
        steps: [
          {
            title: 'Tighten the readiness probe',
            type: 'info',
            content: `The probe of ${service} fails when its requests do.`,
            help: 'Beware of probes that take all instances out at once.',
            required: true,
          },
        ],
      },
    ];
  },
};

/** Calls between two services are slow or fail, while the callee is healthy. */
export const brokenEdge: Kind = {
  name: 'broken edge',
  headline: (service, candidate) => {
    const [call] = candidate?.brokenCalls ?? [];
    if (!call) return `broken connection of ${service}`;
    const { caller, callee } = call.edge;
    return service === callee
      ? `broken connection to ${callee} from ${caller}`
      : `broken connection from ${caller} to ${callee}`;
  },
  assess(candidate) {
    const [call] = candidate.brokenCalls;
    if (!call) return null;
    const { caller, callee } = call.edge;
    const reason = reasonAbout(candidate, PROOF.connection);
    const service = candidate.node.name;
    return {
      strength: 0.55 + (reason ? 0.15 : 0),
      detail: `calls from ${caller} to ${callee}: ${shift(call.anomaly)} at ${timeOfDay(call.anomaly.onset)}${reason ? ` with "${reason.words}"` : ''}, while ${callee} itself answers as always`,
      observations: [
        ...candidate.brokenCalls
          .slice(0, 3)
          .map(({ anomaly, edge }) =>
            metricObservation(service, anomaly, `Calls from ${edge.caller} to ${edge.callee}.`),
          ),
        ...(reason ? [reasonObservation(service, reason)] : []),
      ],
    };
  },
  remedies: (candidate) => {
    const [call] = candidate.brokenCalls;
    const caller = call?.edge.caller ?? candidate.node.name;
    const callee = call?.edge.callee ?? 'what it calls';
    return [
      {
        title: `Restore the connection from ${caller} to ${callee}`,
        description: `${callee} answers as always: the problem is between the two.`,
        category: 'immediate',
        steps: [
          {
            title: 'Check what lies between them',
            type: 'check',
            content: `Network policies, DNS, the mesh, load balancer and connection limits between ${caller} and ${callee}, and what of these changed around ${timeOfDay(candidate.onset)}.`,
            help: 'Compare with another caller that works.',
            required: true,
          },
          {
            title: `Try a call from ${caller}`,
            type: 'check',
            content: `The time to resolve, to connect and to get the first byte from ${callee}, measured on an instance of ${caller}.`,
            help: 'The slowest of the three says where to look.',
            required: true,
          },
        ],
      },
      {
        title: `Alert on calls from ${caller} to ${callee}`,
        description: `The metrics of ${callee} stayed normal, so only its callers could tell.`,
        category: 'follow_up',
        steps: [
          {
            title: 'Alert on latency and errors as the caller sees them',
            type: 'info',
            content: `Client metrics of ${caller} by what is called.`,
            help: 'Timeouts and retries with a limit keep it from spreading.',
            required: true,
          },
        ],
      },
    ];
  },
};

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
    const line = lineAbout(candidate, PROOF.cache);
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
            content: `Done when: ${service} has its usual hit ratio, and the latency of its callers is back to normal.`,
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

/** An external dependency that we cannot fix. */
export const externalDependency: Kind = {
  name: 'external dependency',
  headline: (service) => `external dependency ${service} is degraded`,
  assess(candidate) {
    const worst = symptomOf(candidate) ?? candidate.anomalies[0];
    if (candidate.node.kind !== 'external' || !worst) return null;
    const service = candidate.node.name;
    return {
      strength: 0.75,
      detail: `as its callers see it, ${shift(worst)} at ${timeOfDay(worst.onset)}`,
      observations: candidate.anomalies
        .slice(0, 3)
        .map((anomaly) => metricObservation(service, anomaly, 'Measured where it is called.')),
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Do without ${service} for now`,
        description: 'It is outside of this system: protect what calls it, and tell its operator.',
        category: 'immediate',
        steps: [
          {
            title: `Check the status page of ${service}`,
            type: 'check',
            content: `Verify: the operator of ${service} knows about the problem.`,
            help: 'Open a ticket with the times and the share of failed calls otherwise.',
            required: true,
          },
          {
            title: 'Open the circuit breaker, or turn the feature off',
            type: 'info',
            content: `Stop waiting for ${service}: fail fast, or answer without it.`,
            help: 'Callers that wait use up their own threads and connections.',
            required: true,
          },
          {
            title: 'Confirm that callers are back to normal',
            type: 'check',
            content: `Done when: the error rate and latency of what calls ${service} are back to normal.`,
            help: 'Then decide when to turn it on again.',
            required: true,
          },
        ],
      },
      {
        title: `Make an outage of ${service} harmless`,
        description: 'A short timeout, a circuit breaker and a fallback keep it from spreading.',
        category: 'follow_up',
        steps: [
          {
            title: 'Add a timeout and a fallback',
            type: 'info',
            content: `Calls to ${service} time out well before the requests that need them do.`,
            help: 'Try it by blocking the address in staging.',
            required: true,
          },
        ],
      },
    ];
  },
};

/** An expired certificate: nobody can connect. */
export const certificateExpiry: Kind = {
  name: 'certificate expiry',
  headline: (service, candidate) =>
    `expired TLS certificate on ${(candidate && reasonAbout(candidate, PROOF.certificate)?.edge?.callee) ?? service}`,
  assess(candidate) {
    const certificate = signOf(candidate, PROOF.certificate);
    const reason = reasonAbout(candidate, PROOF.certificate);
    const line = lineAbout(candidate, PROOF.certificate);
    if (!certificate && !line && !reason) return null;
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    return {
      strength: (certificate ? 0.75 : 0) + (reason ? 0.7 : 0) + (line ? 0.3 : 0) + (symptom ? 0.1 : 0),
      detail: certificate
        ? `it expired at ${timeOfDay(certificate.onset)}${reason || line || symptom ? ', and connections failed from then on' : ''}`
        : `connections have failed on it since ${timeOfDay(reason?.anomaly.onset ?? candidate.onset)}`,
      observations: [
        ...(certificate ? [metricObservation(service, certificate)] : []),
        ...(reason ? [reasonObservation(service, reason)] : []),
        ...(line ? [logObservation(service, line)] : []),
        ...(symptom
          ? [
              metricObservation(
                service,
                symptom,
                certificate
                  ? `Began ${symptom.onset >= certificate.onset ? 'after' : 'before'} the certificate expired.`
                  : '',
              ),
            ]
          : []),
      ],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Renew the ${service} certificate`,
        description: 'Issue a new certificate and get it loaded.',
        category: 'immediate',
        steps: [
          {
            title: 'Check the certificate being served',
            ...(isName(service)
              ? {
                  type: 'command' as const,
                  content: `openssl s_client -connect ${service}:443 -servername ${service} </dev/null | openssl x509 -noout -enddate`,
                }
              : { type: 'check' as const, content: `Until when the certificate of ${service} is valid.` }),
            help: 'If a renewed one is already on disk, it just was not loaded: skip to the restart.',
            required: true,
          },
          {
            title: 'Renew it',
            type: 'check',
            content: `Done when: a new certificate for ${service} is issued: by cert-manager, ACME or by hand.`,
            help: 'With cert-manager: `cmctl renew <name of the certificate>`.',
            required: true,
          },
          {
            title: `Restart ${service} to load it`,
            ...restart(candidate.node),
            help: 'Not needed if certificates are hot-reloaded.',
            required: false,
          },
          {
            title: 'Confirm that clients can connect',
            type: 'check',
            content: `Done when: no more handshake errors in the ${service} logs, and traffic is back to normal.`,
            help: 'Clients that back off after failures may take a minute.',
            required: true,
          },
        ],
      },
      {
        title: 'Automate certificate renewal',
        description: 'Nobody should have to remember the next one.',
        category: 'follow_up',
        steps: [
          {
            title: 'Find out why it was not renewed',
            type: 'check',
            content: `The ${service} certificate events of the last 30 days.`,
            help: 'A failed ACME challenge is the usual reason.',
            required: true,
          },
          {
            title: 'Alert two weeks before expiry',
            type: 'info',
            content: 'Alert on the remaining lifetime of every certificate.',
            help: 'The blackbox exporter and cert-manager measure it.',
            required: false,
          },
        ],
      },
    ];
  },
};

/** So many times as long as usual, queries are what is slow. */
const SLOW = 3;

/** A query that slows down a database for everybody. */
export const slowQuery: Kind = {
  name: 'slow query',
  comesWithLoad: true,
  headline: (service) => `slow query on ${service}`,
  assess(candidate) {
    const latency = slowerQueries(candidate);
    if (!latency) return null;
    const pool = filledPool(candidate, latency);
    const line = lineAbout(candidate, PROOF.query);
    const cpu = candidate.anomaly('cpu');
    const service = candidate.node.name;
    const { unit } = latency.series.signal;
    return {
      strength:
        0.4 +
        (latency.worst >= SLOW * latency.before ? 0.15 : 0) -
        // More queries than it can take are not slow by themselves.
        (candidate.surge ? 0.25 : 0) +
        (line ? 0.4 : 0) +
        (pool ? 0.15 : 0) +
        (cpu ? 0.15 : 0),
      detail: `${latency.series.signal.label} up to ${amount(latency.worst, unit)} since ${timeOfDay(latency.onset)} (normally ${amount(latency.before, unit)})${line ? `, and it logs "${line.example}"` : ''}${pool?.text ?? ''}`,
      observations: [
        metricObservation(service, latency),
        ...(pool
          ? [metricObservation(service, pool.anomaly, 'Each query holds a connection while it runs.')]
          : []),
        ...(line ? [logObservation(service, line)] : []),
        ...(cpu
          ? [metricObservation(service, cpu, 'Reading far more rows than are returned does this.')]
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
            content: `Done when: ${service} p95 latency is back to normal within two minutes.`,
            help: 'If not, another query may be slow too.',
            required: true,
          },
        ],
      },
      {
        title: 'Add an index for the query',
        description: 'A query that scans a large table is the usual reason.',
        category: 'follow_up',
        steps: [
          {
            title: 'Check the query plan',
            type: 'command',
            content: 'EXPLAIN <the query>;',
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

function worstOf(candidate: Candidate): Anomaly | undefined {
  return (
    candidate.anomalies.find(({ profile }) => profile.role === 'symptom') ??
    candidate.anomalies.find(({ profile }) => profile.role === 'resource') ??
    (candidate.suspect === null ? undefined : candidate.anomalies[0])
  );
}

/** Whether memory is all that moved: below its limit that is no leak yet. */
function onlyGrows(candidate: Candidate): boolean {
  return worstOf(candidate)?.profile.measure === 'memory';
}

/** A problem that begins at a service but matches no known kind: where, but not why. */
export const unexplained: Kind = {
  name: 'unexplained',
  isOpen: (candidate) => !onlyGrows(candidate),
  headline: (service, candidate) =>
    candidate !== undefined && onlyGrows(candidate)
      ? `memory growth in ${service}`
      : `unexplained degradation of ${service}`,
  assess(candidate) {
    const worst = worstOf(candidate);
    if (!worst) return null;
    const line = candidate.ownLogs[0];
    const service = candidate.node.name;
    return {
      strength: 0.25 + (line ? 0.1 : 0),
      detail: `${shift(worst)} at ${timeOfDay(worst.onset)}${line ? `, and it logs "${line.example}"` : ''}; telemetry does not show ${onlyGrows(candidate) ? 'whether it is a leak' : 'why'}`,
      observations: [metricObservation(service, worst), ...(line ? [logObservation(service, line)] : [])],
    };
  },
  remedies: (candidate) => {
    const service = candidate.node.name;
    return [
      {
        title: `Take a closer look at ${service}`,
        description: 'The problem starts there, and telemetry does not show why.',
        category: 'immediate',
        steps: [
          {
            title: `Read the ${service} logs from the onset`,
            type: 'check',
            content: `${service} logs from ${timeOfDay(candidate.onset)}.`,
            help: 'Compare with an hour earlier.',
            required: true,
          },
          {
            title: 'Restart one instance and compare it with the others',
            type: 'check',
            content: `One instance of ${service} that was restarted, next to those that were not.`,
            help: 'If the new one is healthy, the problem may be in-memory state.',
            required: false,
          },
        ],
      },
    ];
  },
};
