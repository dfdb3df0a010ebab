import type { Findings } from '../../contract/schema.ts';

/** The state of knowledge before anything was found. */
export function nothingYet(version: string): Findings {
  return {
    rootCause: { id: version, incidentOverview: '', relevantEvidence: [], irrelevantEvidence: [] },
    causalTree: { nodes: [], edges: [] },
    causalTreeV2: { nodes: [], edges: [] },
    remediation: { actions: [] },
    timeline: [],
  };
}

/** How findings grow: first what happened, then the evidence, finally cause and remedy. */
export function stagesOf(findings: Findings): [Findings, Findings, Findings] {
  const { rootCause, timeline, causalTreeV2, causalTree } = findings;
  const nothing = nothingYet(rootCause.id);
  const { rootCauseSummary: _, ...withoutVerdict } = rootCause;
  return [
    {
      ...nothing,
      rootCause: { ...nothing.rootCause, incidentOverview: rootCause.incidentOverview },
      timeline,
    },
    { ...nothing, rootCause: withoutVerdict, causalTree, causalTreeV2, timeline },
    findings,
  ];
}
