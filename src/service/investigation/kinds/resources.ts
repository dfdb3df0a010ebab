import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { ifAfter, type Kind, limitShare, logged, type Pool, seen, symptomOf } from './kind.ts';
import { lineAbout, PROOF, reasonAbout } from './proof.ts';

const MINUTE = 60_000;
/** Close enough to its limit to be throttled. */
const AT_LIMIT = 0.85;

/** Too little CPU: requests wait for a core. */
export const cpuStarvation: Kind = {
  name: 'CPU starvation',
  recognize: (candidate) => {
    const throttling = candidate.anomaly('throttling');
    const cpu = candidate.anomaly('cpu');
    const share = cpu ? limitShare(candidate, cpu) : null;
    const isAtLimit = share !== null && share >= AT_LIMIT;
    const worst = throttling ?? (isAtLimit ? cpu : undefined);
    if (!worst || worst.worst <= worst.before) return null;
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    // A full heap costs CPU: whoever collects it uses what requests need.
    const isEffect = collectionOf(candidate) !== undefined;
    const isLittle = throttling !== undefined && isTooLittle(throttling, candidate);
    return {
      // Where nobody waits, or by far more than it is held back, much is used, and that is all that is known.
      isOpen: isLittle || (throttling === undefined && !candidate.isFelt),
      isEffect,
      strength: isEffect
        ? 0.35
        : 0.45 +
          (throttling && !isLittle ? 0.2 : 0) +
          (isAtLimit ? 0.15 : 0) +
          (candidate.anomaly('latency') ? 0.1 : 0),
      signs: { worst, share },
      observations: [
        ...seen(throttling, service),
        ...(cpu && cpu.worst > cpu.before ? seen(cpu, service) : []),
        ...(symptom ? seen(symptom, service, ifAfter(symptom, worst, 'follows the CPU')) : []),
      ],
    };
  },
};

/** Held back for a share of the time, a service does no less than the rest of what it did: twice that is something else. */
function isTooLittle(throttling: Anomaly, candidate: Candidate): boolean {
  const work = candidate.anomaly('requests');
  return work !== undefined && 1 - work.worst / work.before > 2 * throttling.worst;
}

/** From this share of the time on, collecting garbage is what a program does. */
const COLLECTS = 0.15;

/** The time that the collection of garbage takes, where it is much. */
function collectionOf(candidate: Candidate): Anomaly | undefined {
  const collection = candidate.anomaly('gc');
  return collection !== undefined && collection.worst >= COLLECTS ? collection : undefined;
}

/** Memory that only grows, until the process is killed and restarts, or does little but collect garbage. */
export const memoryLeak: Kind = {
  name: 'memory leak',
  recognize: (candidate) => {
    const memory = ofAProcess(candidate.anomaly('memory'));
    const killed = candidate.anomaly('oom-kills');
    const restarts = candidate.anomaly('restarts');
    const collection = collectionOf(candidate);
    if (!memory || !(killed || collection || isLeak(candidate, memory))) return null;
    const line = lineAbout(candidate, PROOF.memory);
    const service = candidate.node.name;
    const share = limitShare(candidate, memory);
    const harm = candidate.anomaly('latency') ?? symptomOf(candidate);
    const { proof } = candidate;
    const change = proof?.proof.kind === 'climb' ? proof.change : undefined;
    return {
      strength:
        0.45 +
        (restarts ? 0.2 : 0) +
        (killed ? 0.3 : 0) +
        (line ? 0.3 : 0) +
        (collection ? 0.3 : 0) +
        (share !== null && share > 0.85 ? 0.1 : 0) -
        // Memory that grows with traffic is not a leak.
        (candidate.surge && !killed ? 0.2 : 0),
      signs: { worst: memory, share, killed, restarts, collection, change },
      observations: [
        ...(change
          ? [{ type: 'change' as const, change, lead: memory.onset - change.at, isAlerted: false }]
          : []),
        ...seen(memory, service, candidate.surge ? null : 'no more requests'),
        ...seen(collection, service),
        ...seen(killed, service, 'memory limit'),
        ...seen(restarts, service),
        ...logged(line),
        ...(harm ? seen(harm, service, ifAfter(harm, memory, 'follows the memory')) : []),
      ],
    };
  },
};

/** Killed for its memory, with no growth seen before: a sudden need, or too low a limit. */
export const outOfMemory: Kind = {
  name: 'out of memory',
  recognize: (candidate) => {
    const killed = candidate.anomaly('oom-kills');
    if (!killed || ofAProcess(candidate.anomaly('memory'))) return null;
    const restarts = candidate.anomaly('restarts');
    const line = lineAbout(candidate, PROOF.memory);
    const service = candidate.node.name;
    const harm = candidate.anomaly('latency') ?? candidate.anomaly('errors');
    return {
      strength: 0.75 + (restarts ? 0.2 : 0) + (line ? 0.3 : 0),
      signs: { worst: killed, killed, restarts },
      observations: [
        ...seen(killed, service, 'memory limit'),
        ...seen(restarts, service),
        ...logged(line),
        ...(harm ? seen(harm, service, ifAfter(harm, killed, 'follows the memory')) : []),
      ],
    };
  },
};

/** The memory of a machine is that of all that runs there, and leaks nowhere itself. */
function ofAProcess(memory: Anomaly | undefined): Anomaly | undefined {
  return memory?.series.signal.shared === true ? undefined : memory;
}

/** Two generations of instances during a rollout, or a warm cache, need more memory without leaking it. */
function isLeak(candidate: Candidate, memory: Anomaly): boolean {
  const share = limitShare(candidate, memory);
  if (share !== null) return share >= AT_LIMIT;
  return memory.end === null && memory.worstAt - memory.onset >= LEAK_CLIMBS_FOR;
}

/** Where no limit is known: nothing else makes a process grow for this long. */
const LEAK_CLIMBS_FOR = 20 * MINUTE;

/** A full volume: writes fail. */
export const diskFull: Kind = {
  name: 'disk full',
  recognize: (candidate) => {
    const disk = candidate.anomaly('disk');
    if (!disk) return null;
    const share = limitShare(candidate, disk);
    const isFull = share !== null && share > 0.97;
    const line = lineAbout(candidate, PROOF.disk);
    const symptom = symptomOf(candidate);
    const service = candidate.node.name;
    return {
      strength: 0.4 + (line ? 0.3 : 0) + (isFull ? 0.25 : 0),
      signs: { worst: disk, symptom, share, line },
      observations: [
        ...seen(disk, service),
        ...logged(line),
        ...(symptom ? seen(symptom, service, ifAfter(symptom, disk, 'follows the disk')) : []),
      ],
    };
  },
};

/** A pool's connections are all in use, and requests wait for one. */
export const connectionPool: Kind = {
  name: 'connection-pool exhaustion',
  comesWithLoad: true,
  recognize: (candidate) => {
    const pool = poolOf(candidate);
    if (pool === null) return null;
    const { used, waiting, isFull, worst } = pool;
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
      isEffect,
      signs: { worst, pool },
      observations: [
        ...(isFull ? seen(used, service, 'limit') : []),
        ...seen(waiting, service),
        ...(reason ? [{ type: 'reason' as const, reason }] : []),
        ...logged(line),
        ...(symptom ? seen(symptom, service, ifAfter(symptom, worst, 'follows the connections')) : []),
      ],
    };
  },
};

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
const TOGETHER = MINUTE;

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

/** The pool that slow queries filled; `null` if they did not. */
export function filledPool(candidate: Candidate, queries: Anomaly): Pool | null {
  const pool = poolOf(candidate);
  return pool === null || !fillsAfter(pool, queries) ? null : pool;
}

/** A worker that processes less than arrives. */
export const queueBacklog: Kind = {
  name: 'queue backlog',
  recognize: (candidate) => {
    const throughput = candidate.anomaly('requests');
    const backlog = candidate.anomaly('queue') ?? candidate.anomaly('lag');
    // Fewer messages may just be fewer messages: a backlog is one that is measured.
    const isSlower = candidate.node.kind === 'worker' && throughput !== undefined && candidate.isBehind;
    if (!isSlower && !backlog) return null;
    const line = lineAbout(candidate, PROOF.queue);
    // What waits is a symptom of who takes it: where that fails by its own words, they say why.
    if (line === undefined && candidate.complaints.length > 0) return null;
    const slow = candidate.anomaly('latency');
    const service = candidate.node.name;
    return {
      strength:
        (isSlower ? 0.5 : 0.45) + (line ? 0.3 : 0) + (slow ? 0.1 : 0) + (backlog && isSlower ? 0.05 : 0),
      signs: { worst: backlog, throughput: isSlower ? throughput : undefined, line },
      observations: [
        ...(isSlower ? seen(throughput, service) : []),
        ...seen(backlog, service),
        ...logged(line),
        ...seen(slow, service),
      ],
    };
  },
};

/** At an overload, this share of what was served before is served at least. */
const SERVED = 0.5;

/** More requests than it can handle, with nothing broken. */
export const trafficSurge: Kind = {
  name: 'traffic surge',
  recognize: (candidate) => {
    const { surge } = candidate;
    const symptom = symptomOf(candidate);
    // What services use gets more requests because of one of them, such as one whose cache is gone.
    const isUsed = ['database', 'cache', 'queue', 'external'].includes(candidate.node.kind);
    // Retries add traffic too, but only after something failed.
    if (!surge || isUsed || (symptom && surge.onset > symptom.onset + MINUTE)) return null;
    // What fails and is tried again is no traffic: no more of it is served than before.
    const failed = symptom?.profile.measure === 'errors' ? symptom.worst : 0;
    if ((1 - failed) * surge.worst < SERVED * surge.before) return null;
    const service = candidate.node.name;
    const factor = surge.worst / Math.max(surge.before, Number.MIN_VALUE);
    const ranOut = candidate.anomalies.find(({ profile: { role, measure } }) =>
      role === 'resource' ? true : measure === 'cpu',
    );
    return {
      strength: 0.4 + (factor >= 2 ? 0.3 : 0.1) + (ranOut ? 0.15 : 0) - (candidate.ownLogs[0] ? 0.1 : 0),
      signs: { worst: surge, symptom },
      observations: [
        ...seen(surge, service),
        ...(ranOut ? seen(ranOut, service, ifAfter(ranOut, surge, 'follows the traffic')) : []),
        ...(symptom ? seen(symptom, service, ifAfter(symptom, surge, 'follows the traffic')) : []),
      ],
    };
  },
};
