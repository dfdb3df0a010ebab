import type { Findings } from '../../contract/schema.ts';
import type { Gap } from '../telemetry/snapshot.ts';

/** The investigator's input. */
export interface IssueToInvestigate {
  title: string;
  description: string;
  environment: string;
  /** Milliseconds since the epoch. */
  triggeredAt: number;
  /** The service as the alert names it; telemetry may use another name. */
  service: string | null;
  /** `context` of the create request (contract, 2.5). */
  context: Record<string, unknown>;
}

/** Contract 2.8: an artifact without the timestamps added when it is stored. */
export interface NewArtifact {
  id: string;
  /** `metric`, `logs`, `trace` or `change`; the shape of `data` depends on it. */
  type: string;
  provider: string;
  summary: string;
  /** Links to it at its source. */
  providerUrl?: string;
  data: Record<string, unknown>;
}

export interface Investigation {
  results: Findings;
  /** Everything referred to by the results. */
  artifacts: NewArtifact[];
  /** What could not be read. */
  gaps: readonly Gap[];
}
