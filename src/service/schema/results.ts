import { z } from '@hono/zod-openapi';
import { Timestamp } from './primitives.ts';

const ArtifactRef = z.object({
  documentId: z.string(),
  title: z.string(),
  description: z.string(),
  dataType: z.string(),
});

const Evidence = z.object({
  title: z.string(),
  status: z.string(),
  description: z.string(),
  confidence: z.string(),
  artifacts: z.array(ArtifactRef),
});

/** Without a summary, nothing was found. */
const RootCause = z.object({
  id: z.string(),
  incidentOverview: z.string(),
  rootCauseSummary: z.string().optional(),
  relevantEvidence: z.array(Evidence),
  irrelevantEvidence: z.array(Evidence),
});

const CausalTree = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      title: z.string(),
      description: z.string(),
      expandedContent: z.string(),
    }),
  ),
  edges: z.array(z.object({ id: z.string(), source: z.string(), target: z.string() })),
});

const CausalTreeV2 = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      confidence: z.string(),
      nodeType: z.string(),
      evidence: z.array(ArtifactRef),
    }),
  ),
  edges: z.array(z.object({ from: z.string(), to: z.string(), confidence: z.number() })),
});

const Action = z.object({
  id: z.string(),
  uuid: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  markdownPrompt: z.string(),
  steps: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      required: z.boolean(),
      type: z.string(),
      content: z.string(),
      helpMarkdown: z.string(),
      label: z.string(),
    }),
  ),
});

const TimelineEntry = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: Timestamp,
  title: z.string(),
  description: z.string(),
  evidence: z.array(
    z.object({ artifactId: z.string(), timestamp: Timestamp, title: z.string(), description: z.string() }),
  ),
});

/**
 * Contract 2.7 without the session. While an investigation runs, unknown parts are empty, so that every answer has the
 * same shape.
 */
export const Findings = z.object({
  rootCause: RootCause,
  causalTree: CausalTree,
  causalTreeV2: CausalTreeV2,
  remediation: z.object({ actions: z.array(Action) }),
  timeline: z.array(TimelineEntry),
});
export type Findings = z.infer<typeof Findings>;

/** Contract 2.7. */
export const Results = Findings.extend({ sessionUuid: z.string() }).openapi('Results');
