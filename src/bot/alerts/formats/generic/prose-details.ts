import { type ErrorDetails, errorInSentence } from '../../error-text.ts';
import { hostIn } from '../../hosts-and-regions.ts';
import { quotableText } from '../../slack-text.ts';
import { toErrorMessage } from '../../text-fields.ts';

const LINES = 4;
/** `db-3 is down: connection refused`: the reason after the problem. */
const DOWN =
  /(?<!\b(?:monitor|site|website|host|check|service|server|url|status)) (?:is|are|went|has gone|have gone|gone|became|was marked|marked|reported|detected)(?: now| currently| as)? (?:down|offline|unreachable|unavailable|not responding|not reachable|failing|unhealthy)\b(?:[.,;:)!]+ |\s?[([]|\s?[-–—|·]+ | (?:because(?: of)?|due to|with|after)\s)\s*(\S.{1,400})$/iu;
/** `Reason: timeout`, in the middle of a line. */
const LABELLED =
  /(?:^|[\s(|·,;–—-])(?:reason|cause|error(?: message)?|failure reason|details?)(?: is)?: (\S.{1,400}?)(?=\s?[|·]|; |\)$|\. [A-Z]|$)/iu;
/** `New incident for checkout: timeout`, `Incident started: checkout – timeout`. */
const INCIDENT =
  /^(?:new )?(?:incident|outage)(?: started| opened| created| detected)?(?: for| on)?:? [^:\n]{1,120}?(?:: | [-–—] )(\S.{1,300})$/iu;
const STATUS =
  /\b(?:(?:http |HTTP )?(?:[Ss]tatus|[Rr]esponse)(?: [Cc]ode)?:? ?[45]\d\d\b(?: [A-Z][A-Za-z ]{2,40})?|HTTP(?: error| status| code)?:? [45]\d\d\b(?: [A-Z][A-Za-z ]{2,40})?)/u;
/** When and for how long; not part of a reason. */
const WHEN =
  /[\s(]*(?:\b(?:at|since|on|started|from|as of|for)\b[\s:]*(?:at )?)?(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\d{1,2}[-/. ](?:\d{2}|[A-Z][a-z]{2,8})[-/. ]\d{4}|[A-Z][a-z]{2,8} \d{1,2},? \d{4})[^\n]{0,40}$|[\s(]*\b(?:since|for|at) \d.{0,30}$/u;

/** The unlabelled details in the first lines: error, host, and why something is down. */
export function proseDetails(
  heads: readonly string[],
  down: boolean,
): ErrorDetails & { host: string | null } {
  const lines = heads.slice(0, LINES).map(quotableText);
  const host = lines.map(hostIn).find((found) => found !== null) ?? null;
  const thrown = lines.map(errorInSentence).find(({ errorType }) => errorType !== null);
  const reason = (down ? lines.map(reasonIn) : []).find((found) => found !== null) ?? null;
  return { host, errorType: thrown?.errorType ?? null, errorMessage: thrown?.errorMessage ?? reason };
}

function reasonIn(line: string): string | null {
  const said = LABELLED.exec(line)?.[1] ?? DOWN.exec(line)?.[1] ?? INCIDENT.exec(line)?.[1];
  const reason = (said ?? STATUS.exec(line)?.[0] ?? '')
    .replace(WHEN, '')
    .replace(/^[\s("'–—-]+|[\s)"',.;–—-]+$/gu, '');
  return /[\p{L}\d]{3}/u.test(reason) ? toErrorMessage(reason) : null;
}
