import type { InvestigationResults } from '../../contract/answers.ts';
import type { FoundSoFar } from '../store/progress.ts';

/** What results say of how far their investigation is; `null` stands for none. */
export function foundSoFar(results: InvestigationResults | null): FoundSoFar {
  const { rootCause, causalTree, causalTreeV2, timeline } = results ?? {};
  const says = /\S/u.test(rootCause?.incidentOverview ?? '');
  return {
    overview: says || (timeline?.length ?? 0) > 0,
    evidence: rootCause?.relevantEvidence?.length ?? 0,
    ruledOut: rootCause?.irrelevantEvidence?.length ?? 0,
    causes: causalTreeV2?.nodes?.length || (causalTree?.nodes?.length ?? 0),
  };
}
