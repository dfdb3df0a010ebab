import type { ServiceClient } from '../../contract/client/client.ts';
import { bearsReference, referenceOf } from './reference.ts';

/** What the create call would have returned. */
export interface FoundIssue {
  uuid: string;
  number: number;
  status: string;
  latestVersion?: number | undefined;
}

/** Looks for an issue that may have been created, by the reference in its description, with one request. */
export async function findByReference(
  service: ServiceClient,
  issueId: string,
  signal: AbortSignal,
): Promise<FoundIssue | null> {
  const reference = referenceOf(issueId);
  const page = await service.issues.page({ search: reference, limit: 10 }, signal);
  return page.data.find((issue) => bearsReference(issue.description, issueId)) ?? null;
}
