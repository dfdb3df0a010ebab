import type { IssueDetail } from '../../schema/issue.ts';
import type { Aggregates } from '../../store/store.ts';
import type { IssueRow, VersionRow } from '../../store/tables.ts';
import { notFound } from '../errors.ts';
import { detailOf } from '../responses.ts';

/** The organisation's issue, or a 404. */
export async function issueOf(store: Aggregates, organisation: string, uuid: string): Promise<IssueRow> {
  const row = await store.issues.byId(organisation, uuid);
  if (!row) throw notFound(`The issue ${uuid}`);
  return row;
}

/** The issue's version of that number (by default the newest), or a 404. */
export async function versionOf(
  store: Aggregates,
  issue: IssueRow,
  number: number | undefined,
): Promise<VersionRow> {
  const version = await store.versions.find(issue.uuid, number);
  if (!version) throw notFound(`Version ${number ?? 1} of issue ${issue.number}`);
  return version;
}

/** Contract 2.2, from the store's current data. */
export async function detail(store: Aggregates, row: IssueRow): Promise<IssueDetail> {
  return detailOf(row, await store.issues.seeds(row.uuid), await store.versions.of(row.uuid));
}
