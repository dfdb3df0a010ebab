import type { IssueDetail, IssueSummary } from '../../contract/answers.ts';
import type { Organization } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import { explainServiceError } from '../../contract/client/explain-error.ts';
import { type Call, ToolError } from '../../lib/mcp.ts';
import { displayName } from '../../lib/text.ts';
import type { Deps } from '../deps.ts';
import { causeOf, shownStatus } from '../issues/cause.ts';
import { atService, type IssueNumber, issueNumber, parseIssueNumber } from '../shared/issue-number.ts';
import { belongingOf, belongingOfListed, type Reader } from '../slack/access/may-read.ts';
import { readablePage } from '../slack/access/readable-page.ts';
import type { Issue } from '../store/issues.ts';
import { type Caller, type Handles, readerOf } from './callers.ts';

export interface McpDeps extends Deps {
  handles: Handles;
}

/** An issue that the caller may read. */
export interface Readable {
  number: IssueNumber;
  organization: Organization;
  detail: IssueDetail;
  /** `null` if Gumshoe did not file it. */
  ours: Issue | null;
}

/** Words of the service's failures for the caller; what is no failure of the service's is thrown on. */
export async function asked<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ServiceError ? new ToolError(explainServiceError(error)) : error;
  });
}

/**
 * The issue with a number. One that is not there and one that the caller may not read are refused with the same words.
 *
 * @param asOf `now` where something follows from it: Slack is asked again
 */
export async function readable(
  written: string,
  { caller }: Pick<Call<Caller>, 'caller'>,
  deps: McpDeps,
  asOf: 'now' | 'remembered' = 'remembered',
): Promise<Readable> {
  const number = parseIssueNumber(written);
  if (number === null)
    throw new ToolError(`"${written.slice(0, 40)}" is not an issue number: write 12, or P12.`);
  const { organization, number: there } = atService(number);
  const unknown = new ToolError(
    `There is no issue #${number} that you may see. list_issues lists those you may.`,
  );
  if (!deps.services.has(organization)) throw unknown;
  const { issues } = deps.services.for(organization);
  const detail = await asked(
    issues.byNumber(there).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 404) throw unknown;
      throw error;
    }),
  );
  const belonging = await belongingOf(detail, organization, deps);
  if (!(await deps.mayRead(readerOf(caller), belonging, asOf))) throw unknown;
  return { number, organization, detail, ours: belonging.kind === 'ours' ? belonging.issue : null };
}

/** An issue of a list that the caller may read. */
export interface Listed {
  summary: IssueSummary;
  organization: Organization;
  ours: Issue | null;
}

/**
 * A page of the issues that the caller may read, newest first: of the first organization, then of that of private
 * channels. Others are left out without a trace.
 *
 * @param cursor of the page before
 */
export async function issuesPage(
  filter: { status?: string; environment?: string; search?: string },
  cursor: string | null,
  size: number,
  { caller, signal }: Pick<Call<Caller>, 'caller' | 'signal'>,
  deps: McpDeps,
): Promise<{ found: Listed[]; next: string | null }> {
  const organizations = (['default', 'private'] as const).filter(
    (one) => deps.services.has(one) && (one === 'default' || caller.kind === 'person'),
  );
  const reader = readerOf(caller);
  await lookUpRights(reader, organizations, deps);
  const all: Listed[] = [];
  const [at = 'default', startingAfter] = cursor?.split(':') ?? [];
  let after = startingAfter || undefined;
  for (const organization of organizations.slice(at === 'private' ? 1 : 0)) {
    const { issues } = deps.services.for(organization);
    const { found, isMore } = await readablePage(
      after === undefined ? {} : { startingAfter: after },
      size - all.length,
      (page) => asked(issues.page({ ...filter, ...page }, signal)),
      async (summary): Promise<Listed | null> => {
        const belonging = await belongingOfListed(summary, organization, deps);
        if (!(await deps.mayRead(reader, belonging))) return null;
        return { summary, organization, ours: belonging.kind === 'ours' ? belonging.issue : null };
      },
    );
    all.push(...found);
    if (isMore) return { found: all, next: `${organization}:${found.at(-1)?.summary.uuid ?? after ?? ''}` };
    after = undefined;
  }
  return { found: all, next: null };
}

/**
 * Asks Slack about all channels that have issues, before any issue is looked at: otherwise the time that it takes would
 * show that a search has found something in one of them. The answers are kept for a minute.
 */
async function lookUpRights(reader: Reader, organizations: readonly Organization[], deps: McpDeps) {
  const places = await Promise.all(organizations.map((one) => deps.store.issues.places(one)));
  const channels = new Set(places.flat().filter((channel) => !channel.startsWith('D')));
  await Promise.all([...channels].map((channel) => deps.mayRead(reader, { channel })));
}

/** The status to tell: where no cause was found, nothing is ready to fix. */
export async function statusToTell(status: string, ours: Issue | null, { store }: McpDeps): Promise<string> {
  return ours === null
    ? status
    : shownStatus(status, { issue: ours, cause: await causeOf(ours, store) }, store);
}

/** The fields of an issue that every tool returns. */
export async function brief({ summary, organization, ours }: Listed, deps: McpDeps) {
  return {
    number: String(issueNumber({ organization, number: summary.number })),
    title: displayName({ title: summary.title, service: ours?.service }),
    status: await statusToTell(ours?.status ?? summary.status, ours, deps),
    severity: ours?.raisedSeverity ?? summary.severity,
    environment: summary.environment,
    service: ours?.service ?? null,
    triggeredAt: summary.triggeredAt,
  };
}

/** The number of the issue that leads an incident, if the caller may read it; `null` for one that leads or is alone. */
export async function headOf(
  { symptomOf }: Issue,
  { caller }: Pick<Call<Caller>, 'caller'>,
  deps: McpDeps,
): Promise<string | null> {
  const head = symptomOf === null ? null : await deps.store.issues.get(symptomOf);
  const number = head === null ? null : issueNumber(head);
  if (head === null || number === null || !(await deps.mayRead(readerOf(caller), head))) return null;
  return String(number);
}

/** The numbers of an incident's symptoms that the caller may read. */
export async function symptomsOf(
  { id }: Issue,
  { caller }: Pick<Call<Caller>, 'caller'>,
  deps: McpDeps,
): Promise<string[]> {
  const numbers: string[] = [];
  for (const symptom of await deps.store.issues.symptomsOf(id)) {
    const number = issueNumber(symptom);
    if (number !== null && (await deps.mayRead(readerOf(caller), symptom))) numbers.push(String(number));
  }
  return numbers;
}

/** A list with one line for each incident: a symptom whose head has the same status is named there. A search finds it. */
export async function withoutSymptoms(
  found: readonly Listed[],
  { search }: { search?: string | undefined },
  call: Pick<Call<Caller>, 'caller'>,
  deps: McpDeps,
): Promise<Listed[]> {
  if (search) return [...found];
  const kept = await Promise.all(
    found.map(async (one) => {
      const { ours } = one;
      const head = ours?.symptomOf == null ? null : await deps.store.issues.get(ours.symptomOf);
      if (ours === null || head?.status !== ours.status) return [one];
      return (await headOf(ours, call, deps)) === null ? [one] : [];
    }),
  );
  return kept.flat();
}

/** The message in Slack under which an issue's card is; `null` where there is none. */
export function threadOf(ours: Issue | null, deps: McpDeps): string | null {
  return ours === null || ours.threadTs === null ? null : deps.permalink(ours.channel, ours.threadTs);
}
