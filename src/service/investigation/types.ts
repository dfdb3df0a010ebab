import { Artifact, type Findings, type QueryArtifact, type StoredFindings } from '../../contract/schema.ts';
import type { Change } from '../telemetry/model.ts';
import type { Gap } from '../telemetry/view.ts';

export interface IssueToInvestigate {
  title: string;
  description: string;
  environment: string;
  /** Milliseconds since the epoch. */
  triggeredAt: number;
  /** The moment to look at; that of the trigger by default. */
  moment?: number;
  /** The service as the alert names it; telemetry may use another name. */
  service: string | null;
  /** `context` of the create request. */
  context: Record<string, unknown>;
  /** Whether it is a question's look: there is no alert, and the title is what was asked. */
  isQuestion?: boolean;
  /** Causes that an earlier version named, and what followed refuted. */
  refuted?: readonly { place: string; kind: string }[];
}

/** An artifact without the timestamps added when it is stored. */
export interface NewArtifact {
  id: string;
  /** `metric`, `logs`, `trace`, `change` or `table`; the shape of `data` depends on it. */
  type: string;
  provider: string;
  summary: string;
  /** Links to it at its source. */
  providerUrl?: string;
  data: Record<string, unknown>;
}

/** Who departs from what is usual the most, since when, and until when; `end` is `null` while it goes on. */
export interface Primary {
  service: string;
  onset: number;
  end: number | null;
  /** How it departs, in a sentence. */
  sentence: string;
  /** Whether it is a neighbor of the service that was named, which itself does not. */
  isNeighbor: boolean;
}

export interface Investigation {
  results: StoredFindings;
  /** Everything referred to by the results. */
  artifacts: NewArtifact[];
  /** Changes before the problem whose contents are known, oldest first. */
  changes: readonly Change[];
  gaps: readonly Gap[];
  /** Whether it came too early: the data has fewer than three samples from after the problem began. */
  isEarly: boolean;
  /** Why there was nothing to look at, in a sentence; `null` if there was. */
  unread: string | null;
  /** What departs the most; `null` if nothing does. */
  primary: Primary | null;
  /** How many of the series that the named service exports are other than before, whether or not that is bad. */
  changed: number;
}

/** Fills in the artifact fields that a finder may omit; `now` in milliseconds. */
export function completeArtifact(found: NewArtifact, now: number): Artifact {
  const at = new Date(now).toISOString();
  return Artifact.parse({ providerUrl: '', createdAt: at, updatedAt: at, ...found });
}

export function referTo({ id, type, provider, summary }: Artifact): QueryArtifact {
  return { id, tool_name: `fetch_${type}`, data_type: type, provider, summary };
}

export function nothingYet(version: string): Findings {
  return {
    rootCause: { id: version, incidentOverview: '', relevantEvidence: [], irrelevantEvidence: [] },
    causalTree: { nodes: [], edges: [] },
    causalTreeV2: { nodes: [], edges: [] },
    remediation: { actions: [] },
    timeline: [],
  };
}
