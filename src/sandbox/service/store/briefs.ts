import type { IssueBrief, IssueLookup } from '../agent/answer.ts';
import type { Connection } from '../database.ts';

type BriefRow = Omit<IssueBrief, 'remediation'> & { actions: string };

const BRIEF = `
  SELECT number, title, issues.status, environment, severity,
    findings ->> '$.rootCause.rootCauseSummary' AS rootCauseSummary,
    (SELECT json_group_array(value ->> '$.title') FROM json_each(findings, '$.remediation.actions')) AS actions
  FROM issues LEFT JOIN versions ON versions.issue = issues.uuid
    AND version = (SELECT max(version) FROM versions AS v WHERE v.issue = issues.uuid)`;

/** What the agent may look up of an organisation's issues. */
export function createBriefs(db: Connection): (organisation: string) => IssueLookup {
  const byNumber = db.prepare<[string, number], BriefRow>(`${BRIEF} WHERE organisation = ? AND number = ?`);
  const open = db.prepare<[{ organisation: string; environment: string | null }], BriefRow>(
    `${BRIEF} WHERE organisation = @organisation AND issues.status <> 'resolved'
       AND (@environment IS NULL OR environment = @environment)
     ORDER BY number DESC`,
  );
  return (organisation) => ({
    byNumber: (number) => {
      const row = byNumber.get(organisation, number);
      return row ? briefOf(row) : null;
    },
    open: (environment) => open.all({ organisation, environment: environment ?? null }).map(briefOf),
  });
}

function briefOf({ actions, ...brief }: BriefRow): IssueBrief {
  const titles: string[] = JSON.parse(actions);
  return { ...brief, remediation: titles };
}
