import type {
  CausalTree,
  CausalTreeV2,
  Remediation,
  RootCause,
  TimelineEntry,
} from '../../contract/schema/results.ts';
import type { Gap } from '../telemetry/snapshot.ts';

/** What the investigator is given. */
export interface IssueToInvestigate {
  title: string;
  description: string;
  environment: string;
  /** Milliseconds since the epoch. */
  triggeredAt: number;
  /** The service as the alert names it, which need not be a name that telemetry knows. */
  service: string | null;
  /** `context` of the create request (contract, 2.5). */
  context: Record<string, unknown>;
}

/** Contract 2.8: something that was examined, without the times that storing adds. */
export interface NewArtifact {
  id: string;
  /** `metric`, `logs`, `trace` or `change`; the shape of `data` depends on it. */
  type: string;
  provider: string;
  summary: string;
  /** Opens it where it came from. */
  providerUrl?: string;
  data: Record<string, unknown>;
}

/** Contract 2.7 without `sessionUuid`, which belongs to whoever runs the investigation. */
interface Findings {
  rootCause: RootCause;
  causalTree: CausalTree;
  causalTreeV2: CausalTreeV2;
  remediation: Remediation;
  timeline: TimelineEntry[];
}

export interface Investigation {
  results: Findings;
  /** Everything that the results refer to. */
  artifacts: NewArtifact[];
  /** What could not be read. */
  gaps: readonly Gap[];
}
