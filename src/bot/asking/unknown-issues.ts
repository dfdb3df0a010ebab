import { RejectedError } from '../../contract/client/errors.ts';
import { type IssueNumber, issueNumber, type Organization } from '../../lib/issue-number.ts';
import type { ConfidentialOptions, Readers } from './readers.ts';

const REFERENCE = /gumshoe-([0-9a-f]{16,})/giu;
const REMEMBERED_MS = 60_000;
const FAILED_MS = 10_000;
const LOOKUP_TIMEOUT_MS = 5_000;
const MOST = 2_000;

interface Numbered {
  organization: Organization;
  number: number;
}

/** Issues named in an answer that, as far as is known, were not filed from here. */
export interface UnknownIssues {
  /** Whether the readers may not see an issue; also if that cannot be found out. Never rejects. */
  hides(named: Numbered, readers: Readers): Promise<boolean>;
}

/**
 * Asks the service for what is not known here. What bears a reference of ours was filed from Slack: where the channel is
 * not known any more, it is private.
 */
export function createUnknownIssues({
  store,
  services,
  clock,
  log,
  maySee,
}: ConfidentialOptions): UnknownIssues {
  /** Our ids by number, as the descriptions name them. */
  const known = new Map<IssueNumber, { ids: string[]; until: number }>();
  let failedUntil = 0;

  async function idsOf(named: Numbered): Promise<string[] | null> {
    const name = issueNumber(named);
    const before = known.get(name);
    if (before !== undefined && before.until > clock.now()) return before.ids;
    if (failedUntil > clock.now()) return null;
    const ids = await lookUp(named);
    if (ids === null) failedUntil = clock.now() + FAILED_MS;
    else {
      if (known.size >= MOST) known.clear();
      known.set(name, { ids, until: clock.now() + REMEMBERED_MS });
    }
    return ids;
  }

  async function lookUp({ organization, number }: Numbered): Promise<string[] | null> {
    if (number < 1) return [];
    try {
      const { description = '' } = await services
        .for(organization)
        .issues.byNumber(number, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
      return [...(description ?? '').matchAll(REFERENCE)].map(([, id = '']) => id.toLowerCase());
    } catch (error) {
      if (error instanceof RejectedError && error.status === 404) return [];
      log.warn({ err: error, organization, number }, 'could not look up an issue mentioned in an answer');
      return null;
    }
  }

  return {
    hides: async (named, readers) => {
      try {
        const ours = await store.issues.byNumber(issueNumber(named));
        if (ours !== null) return !(await maySee(readers, ours.channel));
        const ids = await idsOf(named);
        if (ids === null) return true;
        for (const id of ids) {
          const issue = await store.issues.get(id);
          if (issue === null || !(await maySee(readers, issue.channel))) return true;
        }
        return false;
      } catch (error) {
        log.warn({ err: error, ...named }, 'could not check whether an answer may mention an issue');
        return true;
      }
    },
  };
}
