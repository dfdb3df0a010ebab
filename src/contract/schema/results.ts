import { z } from 'zod';
import { Timestamp } from './primitives.ts';

/** Contract 2.7: names an artifact that `GET /artifacts` returns. */
export const ArtifactRef = z.looseObject({
  documentId: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  dataType: z.string().optional(),
});
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** Contract 2.7: what speaks for a cause, or was ruled out. */
export const Evidence = z.looseObject({
  title: z.string().optional(),
  status: z.string().optional(),
  description: z.string().optional(),
  confidence: z.string().optional(),
  artifacts: z.array(ArtifactRef).optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Contract 2.7. */
export const RootCause = z.looseObject({
  id: z.string().optional(),
  incidentOverview: z.string().optional(),
  rootCauseSummary: z.string().optional(),
  relevantEvidence: z.array(Evidence).optional(),
  irrelevantEvidence: z.array(Evidence).optional(),
});
export type RootCause = z.infer<typeof RootCause>;

const CausalNode = z.looseObject({
  id: z.string().optional(),
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  expandedContent: z.string().optional(),
});

const CausalEdge = z.looseObject({
  id: z.string().optional(),
  source: z.string().optional(),
  target: z.string().optional(),
});

/** Contract 2.7: causes and effects; the edges name nodes by id. */
export const CausalTree = z.looseObject({
  nodes: z.array(CausalNode).optional(),
  edges: z.array(CausalEdge).optional(),
});
export type CausalTree = z.infer<typeof CausalTree>;

const CausalNodeV2 = z.looseObject({
  id: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  confidence: z.string().optional(),
  nodeType: z.string().optional(),
  evidence: z.array(ArtifactRef).optional(),
});

const CausalEdgeV2 = z.looseObject({
  from: z.string().optional(),
  to: z.string().optional(),
  confidence: z.number().optional(),
});

/** Contract 2.7: the graph with evidence at its nodes; an edge's confidence is a number such as 0.5. */
export const CausalTreeV2 = z.looseObject({
  nodes: z.array(CausalNodeV2).optional(),
  edges: z.array(CausalEdgeV2).optional(),
});
export type CausalTreeV2 = z.infer<typeof CausalTreeV2>;

/** Contract 2.7: one step of an action. */
export const RemediationStep = z.looseObject({
  id: z.string().optional(),
  title: z.string().optional(),
  required: z.boolean().optional(),
  type: z.string().optional(),
  content: z.string().optional(),
  helpMarkdown: z.string().optional(),
  label: z.string().optional(),
});
export type RemediationStep = z.infer<typeof RemediationStep>;

/** Contract 2.7: one thing to do, with its steps. */
export const RemediationAction = z.looseObject({
  id: z.string().optional(),
  uuid: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  category: z.string().optional(),
  markdownPrompt: z.string().optional(),
  steps: z.array(RemediationStep).optional(),
});
export type RemediationAction = z.infer<typeof RemediationAction>;

/** Contract 2.7. */
export const Remediation = z.looseObject({ actions: z.array(RemediationAction).optional() });
export type Remediation = z.infer<typeof Remediation>;

const TimelineEvidence = z.looseObject({
  artifactId: z.string().optional(),
  timestamp: Timestamp.optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});

/** Contract 2.7: what happened when. */
export const TimelineEntry = z.looseObject({
  id: z.string().optional(),
  type: z.string().optional(),
  timestamp: Timestamp.optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  evidence: z.array(TimelineEvidence).optional(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** Contract 2.7: the answer of `GET /issues/{id}/results`. */
export const InvestigationResults = z.looseObject({
  sessionUuid: z.string().optional(),
  rootCause: RootCause.optional(),
  causalTree: CausalTree.optional(),
  causalTreeV2: CausalTreeV2.optional(),
  remediation: Remediation.optional(),
  timeline: z.array(TimelineEntry).optional(),
});
export type InvestigationResults = z.infer<typeof InvestigationResults>;
