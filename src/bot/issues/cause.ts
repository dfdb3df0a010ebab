import { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';

const MAX_CAUSE = 110;

/** An issue whose cause may be known. */
type Investigated = Pick<Issue, 'id' | 'version' | 'endedVersion' | 'status'>;

/**
 * What an issue's last investigation found, in one line of untrusted text; `null` if it found no cause, `undefined` if
 * none has ended.
 */
export async function causeOf(
  { id, version, endedVersion }: Investigated,
  { results }: Pick<Aggregates, 'results'>,
): Promise<string | null | undefined> {
  if (endedVersion < 1) return undefined;
  const latest = await results.latest(id);
  const found = latest === null ? null : decodeStored(InvestigationResults, latest.body);
  const cause = oneLine(found?.rootCause?.rootCauseSummary ?? '');
  if (cause !== '') return cutAtWord(cause, MAX_CAUSE);
  return endedVersion < version ? undefined : null;
}

/** A status that the service does not have: it says *ready to fix* of an issue whose investigation found nothing too. */
const NO_CAUSE = 'no_cause';

/** The status to show, given the cause. */
export function shownStatus(status: string, cause: string | null | undefined): string {
  return status === 'ready_to_fix' && cause === null ? NO_CAUSE : status;
}
