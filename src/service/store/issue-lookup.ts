import type { IssueFilter, IssueLookup, IssueOverview } from '../agent/answer.ts';
import type { Connection } from './database.ts';

type OverviewRow = Omit<IssueOverview, 'remediation'> & { actions: string };

const OVERVIEW = `
  SELECT number, title, issues.status, environment, severity,
    findings ->> '$.rootCause.rootCauseSummary' AS rootCauseSummary,
    (SELECT json_group_array(value ->> '$.title') FROM json_each(findings, '$.remediation.actions')) AS actions
  FROM issues LEFT JOIN versions ON versions.issue = issues.uuid
    AND version = (SELECT max(version) FROM versions AS v WHERE v.issue = issues.uuid)`;

/** An answer shows some, and names the number of the rest. */
const MAX_OVERVIEWS = 200;

/** What the agent may look up of an organisation's issues. */
export function createIssueLookup(db: Connection): (organisation: string) => IssueLookup {
  const byNumber = db.prepare<[string, number], OverviewRow>(
    `${OVERVIEW} WHERE organisation = ? AND number = ?`,
  );
  const where = `organisation = @organisation
    AND iif(@status = 'open', issues.status <> 'resolved', issues.status = @status)
    AND (@environment IS NULL OR environment = @environment)
    AND (@severity IS NULL OR severity = @severity)`;
  type Parameters = IssueFilter & { organisation: string };
  const newest = db.prepare<[Parameters], OverviewRow>(
    `${OVERVIEW} WHERE ${where} ORDER BY number DESC LIMIT ${MAX_OVERVIEWS}`,
  );
  const count = db.prepare<[Parameters], number>(`SELECT count(*) FROM issues WHERE ${where}`).pluck();
  return (organisation) => ({
    byNumber: (number) => {
      const row = byNumber.get(organisation, number);
      return row ? issueOf(row) : null;
    },
    list: (filter) => ({
      total: count.get({ ...filter, organisation }) ?? 0,
      newest: newest.all({ ...filter, organisation }).map(issueOf),
    }),
  });
}

function issueOf({ actions, ...brief }: OverviewRow): IssueOverview {
  const titles: string[] = JSON.parse(actions);
  return { ...brief, remediation: titles };
}
