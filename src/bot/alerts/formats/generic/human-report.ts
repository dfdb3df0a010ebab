import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { isRegion } from '../../hosts-and-regions.ts';
import type { MessageContent } from '../../message-content.ts';
import { highestSeverity, severityOf } from '../../severity.ts';
import { linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import type { Alert } from '../../types.ts';
import {
  ALARM,
  ANYBODY,
  BETWEEN,
  CHATTER,
  ENVIRONMENT,
  NO_SERVICE,
  NOT_OVER,
  OVER,
  PROBLEM,
  TELLING,
} from './human-phrases.ts';

/** A longer message is a discussion, not a report. */
const MAX_REPORT = 2_000;

/** A person's top-level message that reads like a report or an all-clear; never a reply. */
export function extractHumanReport(content: MessageContent): Alert {
  const words = plainText(content.body).trim();
  const text = words.length > MAX_REPORT ? '' : withoutMarkup(words);
  const over = OVER.exec(text);
  const problem = PROBLEM.exec(text) ?? ALARM.exec(text);
  const resolved = over !== null && !NOT_OVER.test(text) && (problem === null || over.index < problem.index);
  const said = resolved ? over : problem;
  if (said === null || content.reply || isChatter(text)) return emptyAlert('generic');

  const title = toTitle(text.split('\n', 1)[0] ?? '');
  const service = serviceIn(text.slice(0, said.index), text.slice(said.index));
  return {
    ...emptyAlert('generic'),
    kind: resolved ? 'resolved' : 'firing',
    title,
    description: toDescription(content.body, title),
    severity: highestSeverity((text.match(/\b(?:sev ?[0-4]|p[0-4]|critical)\b/giu) ?? []).map(severityOf)),
    environment: ENVIRONMENT.exec(text)?.[1]?.toLowerCase() ?? null,
    service,
    region: text.split(/[\s,:;()]+/u).find(isRegion) ?? null,
    alertUrl: linksOf(content.body)[0]?.url ?? null,
    errorMessage: resolved ? null : toErrorMessage(tellingClause(words)),
    // All that an all-clear has in common with its report is what both are about.
    fingerprint: fingerprintOf('generic', 'person', (service ?? title ?? '').toLowerCase()),
  };
}

function isChatter(text: string): boolean {
  return CHATTER.test(text) || (text.endsWith('?') && !ANYBODY.test(text));
}

/** The service of a report: the last word before the problem, otherwise the one after `on` or `in`. */
function serviceIn(before: string, after: string): string | null {
  const words =
    before.replace(/\s(?:in|on|for) [\w-]+(?=[\s\w]{0,30}$)/u, '').match(/[\w'-]+|[,;:.!]/gu) ?? [];
  while (BETWEEN.has((words.at(-1) ?? '').toLowerCase())) words.pop();
  const place = /\b(?:on|in|with|for|from) (?:the )?([A-Za-z][\w-]{1,60})/u.exec(after)?.[1] ?? '';
  return [words.at(-1) ?? '', place].find(isService) ?? null;
}

function isService(word: string): boolean {
  return /^[A-Za-z][\w-]{1,60}$/u.test(word) && !NO_SERVICE.has(word.toLowerCase()) && !isRegion(word);
}

/** The clause that names the error; a single clause as it was written. */
function tellingClause(words: string): string {
  const clauses = words.split(/[,;\n]\s?| [–—-] /u).map((clause) => clause.trim());
  return clauses.length < 2 ? words : (clauses.slice(1).find((clause) => TELLING.test(clause)) ?? words);
}
