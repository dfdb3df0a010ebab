import { z } from 'zod';

/** The organisation of the service that an issue belongs to, each with an API key of its own. */
export type Organization = 'default' | 'private';

/**
 * An issue's number as people read and write it, since the service counts in each organisation from 1: `12`, and `P12`
 * for the private organisation's.
 */
export type IssueNumber = number | `P${number}`;

/** What the service counts, and where. */
interface Numbered {
  organization: Organization;
  number: number;
}

const WRITTEN = /^#?(p)?(\d{1,15})$/iu;

/** How people read the number of an issue; `null` while it has none. */
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

/** What somebody wrote: `12`, `#12`, `P12`, `#p12`; `null` for what is no issue's number. */
export function parseIssueNumber(text: string): IssueNumber | null {
  const [, mark, digits] = WRITTEN.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  return issueNumber({ organization: mark === undefined ? 'default' : 'private', number: Number(digits) });
}

/** Where the service has the issue, and its number there. */
export function atService(number: IssueNumber): Numbered {
  return typeof number === 'number'
    ? { organization: 'default', number }
    : { organization: 'private', number: Number(number.slice(1)) };
}

/** The lower number first; of two that are the same, the default organisation's. */
export function byIssueNumber(a: IssueNumber, b: IssueNumber): number {
  const [one, other] = [atService(a), atService(b)];
  return one.number - other.number || one.organization.localeCompare(other.organization);
}

/** A number that was stored, or that a window remembers. */
export const StoredIssueNumber: z.ZodType<IssueNumber> = z.union([
  z.number(),
  z.templateLiteral(['P', z.number().int().nonnegative()]),
]);

/** Whether what one organisation knows may be told to another: nothing of the private one leaves it. */
export function mayBeToldTo(from: Organization, to: Organization): boolean {
  return from === to || from === 'default';
}
