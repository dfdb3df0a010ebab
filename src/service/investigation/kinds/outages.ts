import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { type Kind, logged, type Recognized, seen, symptomOf } from './kind.ts';
import { lineAbout, PROOF, reasonAbout } from './proof.ts';
import { filledPool, slowerQueries } from './resources.ts';

/** It is not running, or not answering at all. */
export const outage: Kind = {
  name: 'outage',
  recognize: ({ node, gone, isServed, anomaly }) => {
    const up = anomaly('up');
    if (up && up.worst <= 0)
      return { strength: 0.7, signs: { worst: up }, observations: seen(up, node.name) };
    // What its callers still get from it is answered by something: then only its metrics are gone.
    if (!gone || isServed) return null;
    return { strength: 0.6, signs: {}, observations: seen(gone, node.name, 'nothing after') };
  },
};

/** One of several instances fails, the others are healthy. */
export const badInstance: Kind = {
  name: 'bad instance',
  recognize: ({ oddInstance, proof }) => {
    // The instances of a new version are not bad ones.
    if (!oddInstance || proof?.proof.kind === 'version') return null;
    const { instance, anomaly } = oddInstance;
    return { strength: 0.8, signs: {}, observations: seen(anomaly, instance, 'only instance') };
  },
};

/** Calls between two services are slow or fail, while the callee is healthy. */
export const brokenEdge: Kind = {
  name: 'broken edge',
  recognize: (candidate) => {
    if (candidate.brokenCalls.length === 0 || isOnTheWayOut(candidate)) return null;
    const reason = reasonAbout(candidate, PROOF.connection);
    return {
      strength: 0.55 + (reason ? 0.15 : 0),
      signs: { reason },
      observations: [
        ...candidate.brokenCalls
          .slice(0, 3)
          .flatMap(({ anomaly }) => seen(anomaly, candidate.node.name, 'calls')),
        ...(reason ? [{ type: 'reason' as const, reason }] : []),
      ],
    };
  },
};

/** A cache that does not answer, so that all requests go to its backend. */
export const cacheOutage: Kind = {
  name: 'cache outage',
  recognize: (candidate) => cacheIn(candidate, { isDown: true }),
};

/** A cache that answers, and has less of what it is asked for. */
export const cacheMisses: Kind = {
  name: 'cache misses',
  recognize: (candidate) => cacheIn(candidate, { isDown: false }),
};

function cacheIn(candidate: Candidate, { isDown }: { isDown: boolean }): Recognized | null {
  const [up, hits] = [candidate.anomaly('up'), candidate.anomaly('cache-hits')];
  const worst = isDown ? up : hits;
  if (candidate.node.kind !== 'cache' || !worst || (up !== undefined && up.worst <= 0) !== isDown)
    return null;
  const line = lineAbout(candidate, PROOF.cache);
  const shown = new Set([worst, up, hits, symptomOf(candidate)]);
  return {
    strength: (isDown ? 0.75 + (hits ? 0.2 : 0) : 0.55) + (line ? 0.1 : 0),
    signs: { worst },
    observations: [...[...shown].flatMap((one) => seen(one, candidate.node.name)), ...logged(line)],
  };
}

/** An external dependency that we cannot fix. */
export const externalDependency: Kind = {
  name: 'external dependency',
  recognize: (candidate) => {
    const worst = symptomOf(candidate) ?? candidate.anomalies[0];
    if (candidate.node.kind !== 'external' || !worst || isOnTheWayOut(candidate)) return null;
    return {
      strength: 0.75,
      signs: { worst },
      observations: candidate.anomalies
        .slice(0, 3)
        .flatMap((anomaly) => seen(anomaly, candidate.node.name, 'as called')),
    };
  },
};

/** Calls to hosts of several operators fail at once: what they share is the way to them. */
export const outboundFailure: Kind = {
  name: 'outbound failure',
  recognize: (candidate) => {
    const { node, outside, anomalies, brokenCalls, reasons } = candidate;
    const worst = brokenCalls[0]?.anomaly ?? symptomOf(candidate) ?? anomalies[0];
    if (!outside || !worst || !isOnTheWayOut(candidate)) return null;
    // Of several hosts, one stands for all.
    if (node.name === outside.host && outside.others.some((one) => one < node.name)) return null;
    const isCaller = brokenCalls.length > 0;
    const shown = isCaller ? brokenCalls.map(({ anomaly }) => anomaly) : anomalies;
    return {
      strength: 0.75,
      signs: { worst, reason: reasons.find(({ edge }) => edge?.callee === outside.host) },
      observations: shown
        .slice(0, 3)
        .flatMap((anomaly) => seen(anomaly, node.name, isCaller ? 'calls' : 'as called')),
    };
  },
};

function isOnTheWayOut({ outside }: Candidate): boolean {
  return outside !== null && outside.others.length > 0;
}

/** An expired certificate: nobody can connect. */
export const certificateExpiry: Kind = {
  name: 'certificate expiry',
  recognize: (candidate) => {
    const certificate = candidate.anomaly('certificate');
    const [reason, line] = [reasonAbout(candidate, EXPIRED), lineAbout(candidate, EXPIRED)];
    return certificate || line || reason ? connecting(candidate, { certificate, reason, line }) : null;
  },
};

/** Connections fail on TLS, and nothing says that a certificate has expired. */
export const tlsFailure: Kind = {
  name: 'TLS failure',
  recognize: (candidate) => {
    const reason = reasonAbout(candidate, PROOF.certificate);
    const line = lineAbout(candidate, PROOF.certificate);
    if ((!line && !reason) || certificateExpiry.recognize(candidate) !== null) return null;
    return connecting(candidate, { certificate: undefined, reason, line });
  },
};

const EXPIRED = /(?:certificate|x509|\bcert)\S*(?:.{0,40})expir|expir\w*.{0,20}certificate/iu;

function connecting(
  candidate: Candidate,
  {
    certificate,
    reason,
    line,
  }: Record<'certificate', Anomaly | undefined> & Pick<Recognized['signs'], 'reason' | 'line'>,
): Recognized {
  const symptom = symptomOf(candidate);
  const when =
    certificate && symptom
      ? symptom.onset >= certificate.onset
        ? ('after expiry' as const)
        : ('before expiry' as const)
      : null;
  return {
    strength: (certificate ? 0.75 : 0) + (reason ? 0.7 : 0) + (line ? 0.3 : 0) + (symptom ? 0.1 : 0),
    signs: { worst: certificate, reason, line, symptom },
    observations: [
      ...seen(certificate, candidate.node.name),
      ...(reason ? [{ type: 'reason' as const, reason }] : []),
      ...logged(line),
      ...seen(symptom, candidate.node.name, when),
    ],
  };
}

/** So many times as long as usual, queries are what is slow. */
const SLOW = 3;

/** A query that slows down a database for everybody. */
export const slowQuery: Kind = {
  name: 'slow query',
  comesWithLoad: true,
  recognize: (candidate) => {
    const latency = slowerQueries(candidate);
    if (!latency) return null;
    const pool = filledPool(candidate, latency);
    const line = lineAbout(candidate, PROOF.query);
    const cpu = candidate.anomaly('cpu');
    const service = candidate.node.name;
    return {
      strength:
        0.4 +
        (latency.worst >= SLOW * latency.before ? 0.15 : 0) -
        // More queries than it can take are not slow by themselves.
        (candidate.surge ? 0.25 : 0) +
        (line ? 0.4 : 0) +
        (pool ? 0.15 : 0) +
        (cpu ? 0.15 : 0),
      signs: { worst: latency, line, pool },
      observations: [
        ...seen(latency, service),
        ...seen(pool?.worst, service, 'holds connections'),
        ...logged(line),
        ...seen(cpu, service, 'reads rows'),
      ],
    };
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
  const worst = worstOf(candidate);
  return worst?.profile.measure === 'memory' && worst.series.signal.shared !== true;
}

/** A problem that begins at a service but matches no known kind: where, but not why. */
export const unexplained: Kind = {
  name: 'unexplained',
  recognize: (candidate) => {
    const worst = worstOf(candidate);
    if (!worst) return null;
    const line = candidate.complaints[0] ?? candidate.ownLogs[0];
    return {
      strength: 0.25 + (line ? 0.1 : 0),
      isOpen: !onlyGrows(candidate),
      signs: { worst, line },
      observations: [...seen(worst, candidate.node.name), ...logged(line)],
    };
  },
};
