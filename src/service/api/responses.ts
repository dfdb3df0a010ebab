import type { IssueCreated, IssueDetail, IssueSummary } from '../schema/issue.ts';
import type { IssueRow, SeedRow, VersionRow } from '../store/tables.ts';

/** Contract 2.1. An issue has exactly one seed here: the one made at its creation. */
export function summaryOf(row: IssueRow): IssueSummary {
  return { ...commonOf(row), seedCount: 1 };
}

/** Contract 2.6. */
export function createdOf(row: IssueRow, latestVersion: number): IssueCreated {
  return { ...commonOf(row), ...timesOf(row), latestVersion };
}

/** Contract 2.2. */
export function detailOf(row: IssueRow, seeds: SeedRow[], versions: VersionRow[]): IssueDetail {
  return {
    ...commonOf(row),
    ...timesOf(row),
    latestVersion: versions.at(-1)?.version ?? 1,
    seedCount: seeds.length,
    seeds: seeds.map(({ issue: _, ...seed }) => ({
      ...seed,
      tags: JSON.parse(seed.tags),
      triggeredAt: timestamp(seed.triggeredAt),
      rawPayload: JSON.parse(seed.rawPayload),
    })),
    versions: versions.map(({ uuid, version, status, description }) => ({
      uuid,
      version,
      status,
      description,
    })),
  };
}

function commonOf(row: IssueRow) {
  const { uuid, number, title, description, severity, status, environment } = row;
  return {
    uuid,
    number,
    title,
    description,
    severity,
    status,
    environment,
    triggeredAt: timestamp(row.triggeredAt),
  };
}

function timesOf(row: IssueRow) {
  return { createdAt: timestamp(row.createdAt), updatedAt: timestamp(row.updatedAt) };
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
