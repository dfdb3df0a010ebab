import type { Findings, RootCause } from '../../../contract/schema.ts';
import { distinctBy } from '../../telemetry/collect.ts';
import type { Change } from '../../telemetry/model.ts';
import { exhaustedAt, type Hypothesis } from '../hypothesis.ts';
import { isAtLimit } from '../kinds/kind.ts';
import type { Incident } from '../place/incident.ts';
import { sameChange } from '../ranking/blamed-change.ts';
import { evidenceOfRoute, evidenceOfRule, evidenceOutside, relevantEvidence } from './evidence.ts';
import { summaryOf } from './headline.ts';
import { overviewOf } from './overview.ts';
import { remediationFor } from './remediation.ts';
import { ruledOut } from './ruled-out.ts';
import type { Telling } from './telling.ts';
import { timelineOf } from './timeline.ts';
import { causalTrees } from './tree.ts';

/** The suspects that the verdict does not name already. */
function otherThan({ assessment }: Hypothesis, suspects: readonly Change[]): readonly Change[] {
  const named = assessment.observations.flatMap((one) => (one.type === 'change' ? [one.change] : []));
  return suspects.filter((suspect) => !named.some((one) => sameChange(one, suspect)));
}

/** Other resources at their limit, where the first explanation is or needs them: two facts, the first to begin first. */
function exhaustedBeside(
  best: Hypothesis,
  others: readonly Hypothesis[],
  rival: Hypothesis | null,
): readonly Hypothesis[] {
  const { node } = best.candidate;
  const near = new Set([node.name, ...node.calls]);
  return (
    others
      .filter((one) => one !== rival && near.has(one.candidate.node.name) && isAtLimit(one.assessment))
      // Memory that is full may hold what was read from disk: alone it is no leak.
      .filter(({ kind, assessment: { signs } }) => kind.name !== 'memory leak' || signs.killed !== undefined)
      .toSorted((a, b) => exhaustedAt(a) - exhaustedAt(b))
  );
}

/** What is said of a cause: the verdict, the evidence for it, what was ruled out, and what to do. */
export function causeFound(telling: Telling, incident: Incident, best: Hypothesis): Findings {
  const { of, evidenceStore, id } = telling;
  const { issue, survey: seen, view, hypotheses, changes, proven } = of;
  const { rival, confidence } = proven;
  const others = hypotheses.slice(1);
  const suspects = otherThan(best, changes.suspects);
  const likely = rival === null ? [best] : [best, rival];
  const also = exhaustedBeside(best, others, rival);
  const rest = others.filter((other) => other.candidate !== rival?.candidate && !also.includes(other));
  const rootCause: RootCause = {
    id: id(),
    incidentOverview: overviewOf(of, incident, best, { rest, suspects }),
    rootCauseSummary: [likely.map(summaryOf).join(' About as likely: '), ...also.map(summaryOf)].join(
      ' Also: ',
    ),
    // Two causes of one symptom may share evidence.
    relevantEvidence: distinctBy(
      [
        ...[...likely, ...also].flatMap((one) =>
          relevantEvidence(one, incident, confidence, evidenceStore, seen, view),
        ),
        ...evidenceOutside(proven.outside),
        ...evidenceOfRoute(telling, incident),
        ...evidenceOfRule(telling, best.candidate.onset),
      ],
      ({ title }) => title,
    ),
    irrelevantEvidence: ruledOut(best, incident, seen, evidenceStore, view, of.present),
  };
  return {
    rootCause,
    ...causalTrees({ best, rival }, confidence, incident, seen, evidenceStore, view),
    remediation: {
      actions: [...likely, ...also].flatMap(
        (one) =>
          remediationFor(one, summaryOf(one), issue, { id, hasLogs: view.snapshot.logs.length > 0 })
            .actions ?? [],
      ),
    },
    timeline: timelineOf(best, incident, seen, evidenceStore, { id, issue }),
  };
}
