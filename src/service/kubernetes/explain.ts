import { ADMISSION } from './checks/admission.ts';
import { LOAD } from './checks/load.ts';
import { NODES } from './checks/nodes.ts';
import { PROBES } from './checks/probes.ts';
import { REPORTED, reportedIn } from './checks/reported.ts';
import { ROUTING } from './checks/routing.ts';
import { RUNNING } from './checks/running.ts';
import { SCHEDULING } from './checks/scheduling.ts';
import { START } from './checks/start.ts';
import { type Cluster, clusterOf, type Snapshot } from './cluster.ts';
import { type Check, distinct, type Finding } from './finding.ts';

const CHECKS: readonly Check[] = [
  ...ADMISSION,
  ...SCHEDULING,
  ...START,
  ...PROBES,
  ...RUNNING,
  ...ROUTING,
  ...NODES,
  ...LOAD,
  ...REPORTED,
];

/** What remains of the confidence in a finding that another one explains. */
const EXPLAINED = 0.3;
/** From this confidence on a finding explains others. */
const EXPLAINS = 0.5;
const MARGIN = 0.1;
/** What is less sure than this is how things are, not what is wrong with them. */
const LEAST = 0.3;

/**
 * What is wrong with a cluster now, the most likely cause first: what a check proves, ranked by what explains what. A
 * cordoned node, a full quota, an absent claim or a database comes before what follows from it.
 */
export function explain(snapshot: Snapshot): Finding[] {
  return rank(findingsIn(clusterOf(snapshot))).filter(({ confidence }) => confidence >= LEAST);
}

function findingsIn(cluster: Cluster): Finding[] {
  const found = CHECKS.flatMap((check) => check(cluster));
  return distinct([...found, ...reportedIn(cluster, found)]);
}

/** A finding that another one explains, about as sure, comes after it, with what is left of its confidence. */
function rank(findings: readonly Finding[]): Finding[] {
  const explained = new Map<string, number>();
  for (const { explains = [], object, confidence } of findings)
    for (const other of confidence < EXPLAINS ? [] : explains)
      if (other !== object) explained.set(other, Math.max(confidence, explained.get(other) ?? 0));
  return findings
    .map((finding) =>
      (explained.get(finding.object) ?? 0) >= finding.confidence - MARGIN
        ? { ...finding, confidence: finding.confidence * EXPLAINED }
        : finding,
    )
    .toSorted((a, b) => b.confidence - a.confidence || a.object.localeCompare(b.object));
}
