import { z } from 'zod';
import type { Organization } from '../../contract/client/client.ts';

/**
 * An issue's number as people read and write it, since the service counts in each organization from 1: `12`, and `P12`
 * for the private organization's.
 */
export type IssueNumber = number | `P${number}`;

interface Numbered {
  organization: Organization;
  number: number;
}

const WRITTEN = /^#?(p)?(\d{1,15})$/iu;

/** An issue's number as people read it; `null` while it has none. */
export function issueNumber(issue: Numbered): IssueNumber;
export function issueNumber(issue: { organization: Organization; number: number | null }): IssueNumber | null;
export function issueNumber({
  organization,
  number,
}: {
  organization: Organization;
  number: number | null;
}): IssueNumber | null {
  return number === null || organization === 'default' ? number : `P${number}`;
}

/** Parses `12`, `#12`, `P12`, `#p12`; `null` for anything else. */
export function parseIssueNumber(text: string): IssueNumber | null {
  const [, mark, digits] = WRITTEN.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  return issueNumber({ organization: mark === undefined ? 'default' : 'private', number: Number(digits) });
}

export function atService(number: IssueNumber): Numbered {
  return typeof number === 'number'
    ? { organization: 'default', number }
    : { organization: 'private', number: Number(number.slice(1)) };
}

/** Sorts by number; of two equal ones, the default organization's comes first. */
export function byIssueNumber(a: IssueNumber, b: IssueNumber): number {
  const [one, other] = [atService(a), atService(b)];
  return one.number - other.number || one.organization.localeCompare(other.organization);
}

/** A number from the database or from a modal's metadata. */
export const StoredIssueNumber: z.ZodType<IssueNumber> = z.union([
  z.number(),
  z.templateLiteral(['P', z.number().int().nonnegative()]),
]);

/** Whether data of one organization may be shown to another: nothing leaves the private one. */
export function mayBeNamedIn(from: Organization, to: Organization): boolean {
  return from === to || from === 'default';
}
