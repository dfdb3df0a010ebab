import type { StoredFindings } from '../../contract/schema.ts';
import type { ServiceLog } from '../log.ts';
import type { IssueRow } from '../store/tables.ts';
import type { Change } from '../telemetry/model.ts';
import { type Model, ModelUnavailable } from './model.ts';
import { readChanges } from './read-changes.ts';
import { maySee } from './routing.ts';

type ReadChanges = (
  found: { issue: IssueRow; findings: StoredFindings; changes: readonly Change[] },
  stop: AbortSignal,
) => Promise<StoredFindings>;

/** Has the model read the changes before an issue, where it may see it; without it, findings stay as they are. */
export function changeReading(model: Model, log: ServiceLog): ReadChanges | undefined {
  if (!model.uses('changes')) return undefined;
  return async ({ issue, findings, changes }, stop) => {
    if (findings.rootCause.rootCauseSummary === undefined || !maySee(model, issue)) return findings;
    const session = model.begin(stop);
    try {
      const { organization, number } = issue;
      const suspicion = await readChanges({ findings, changes }, session, {
        organization,
        issue: number,
        use: 'changes',
      });
      return suspicion === null ? findings : withSuspicion(findings, suspicion);
    } catch (error) {
      stop.throwIfAborted();
      if (!(error instanceof ModelUnavailable)) log.error({ err: error }, 'the changes were not read');
      return findings;
    } finally {
      session.end();
    }
  };
}

/** Below the suspects; nothing else changes. */
function withSuspicion({ rootCause, ...rest }: StoredFindings, suspicion: string): StoredFindings {
  const incidentOverview = `${rootCause.incidentOverview ?? ''}\n\n${suspicion}`.trim();
  return { ...rest, rootCause: { ...rootCause, incidentOverview } };
}
