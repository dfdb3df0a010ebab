import type { IssueDetail } from '../../schema/issue.ts';
import type { IssueRow, VersionRow } from '../../store/entities.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../errors.ts';
import { detailOf } from '../responses.ts';

/** The organisation's issue, or a 404. */
export function issueOf(store: Store, organisation: string, uuid: string): IssueRow {
  const row = store.issues.byId(organisation, uuid);
  if (!row) throw notFound(`The issue ${uuid}`);
  return row;
}

/** The issue's version of that number (without one, the newest), or a 404. */
export function versionOf(store: Store, issue: IssueRow, number: number | undefined): VersionRow {
  const version = store.versions.find(issue.uuid, number);
  if (!version) throw notFound(`Version ${number ?? 1} of issue ${issue.number}`);
  return version;
}

/** Contract 2.2, of what the store holds now. */
export function detail(store: Store, row: IssueRow): IssueDetail {
  return detailOf(row, store.issues.seeds(row.uuid), store.versions.of(row.uuid));
}
