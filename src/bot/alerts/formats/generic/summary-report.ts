import { type Fact, normalizedName } from '../../facts.ts';
import type { MessageContent } from '../../message-content.ts';
import { plainText, withoutMarkup } from '../../slack-text.ts';
import { sentenceState } from './sentence-state.ts';
import {
  ANALYSIS,
  FINDING,
  FIRST_PERSON,
  GUESS,
  MEASURED,
  PART,
  PERIOD,
  REPORT,
  ROW,
  SUBSCRIPTION,
} from './vocabulary/report.ts';
import { ALERT_FIELDS } from './vocabulary/values.ts';

const LINES = 60;
const LONGEST = 300;
/** Three counts in a row: a summary. */
const SUM =
  /\b\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,3}(?:\([^)]{0,80}\))?(?:, | and | · | \| |; )(?:and )?\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,3}(?:\([^)]{0,80}\))?(?:, | and | · | \| |; )(?:and )?\d[\d,.]{0,12} [a-z-]{2,20}/iu;

/** What reports count, although it sounds like a problem. */
const MANY =
  /\b(?:vulnerabilities|errors|exceptions|failures|incidents|outages|alerts|list) (?:per|by|in the last|of the|for|today|yesterday)\b|^\W{0,4}(?:daily|weekly|monthly|top)\b/u;
/** A table in a line: `shop 12, infra 3, docs 0`. */
const LISTED =
  /(?:[\p{L}][\w./-]{1,40} [$€£]?\d[\d,.]{0,12}%?(?: \([^)]{0,60}\))?, ){2}[\p{L}][\w./-]{1,40} [$€£]?\d/u;

/** A text about one alert or many: a bot's follow-up or guess, a report, a table. */
export type SummaryKind = 'follow-up' | 'report' | 'table' | 'guess' | null;

/**
 * Whether a message is only about alerts. A follow-up is about its author or about causes, a report about days and several
 * things; an alert names one problem and its measurements.
 */
export function summaryKind(
  content: MessageContent,
  heads: readonly string[],
  facts: readonly Fact[],
): SummaryKind {
  const lines = plainText(content.body)
    .split('\n', LINES)
    .map((line) => line.slice(0, LONGEST))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const first = heads.slice(0, 2);
  if (first.some((line) => FIRST_PERSON.test(line) || ANALYSIS.test(line))) return 'follow-up';
  const findings = lines.filter((line) => FINDING.test(line)).length;
  if (findings > 1 || (findings === 1 && lines.some((line) => PART.test(line)))) return 'follow-up';
  if (SUBSCRIPTION.test(lines.slice(0, 6).join('\n'))) return 'follow-up';
  const report = reportIn(first, lines, facts);
  if (report !== null) return report;
  return lines.slice(0, 8).some((line) => GUESS.test(line.toLowerCase())) ? 'guess' : null;
}

/** A report names its period and itself; a table may also belong to an alert, which says what is wrong. */
function reportIn(
  heads: readonly string[],
  lines: readonly string[],
  facts: readonly Fact[],
): 'report' | 'table' | null {
  const title = heads.join('\n').toLowerCase();
  const period = PERIOD.test(title);
  const named = REPORT.test(title);
  if (!period && !named) return null;
  if (period && SUM.test(lines.slice(0, 6).join('\n'))) return 'report';
  const rows = rowsIn(lines, facts);
  if (period && named && rows > 1) return 'report';
  if (sentenceState(heads[0] ?? '')?.state === 'firing' && !MANY.test(title)) return null;
  if (named && LISTED.test(title)) return 'table';
  return rows > 2 && (named || MEASURED.test(title)) ? 'table' : null;
}

/** Lines and fields with a name and numbers, other than the fields of an alert. */
function rowsIn(lines: readonly string[], facts: readonly Fact[]): number {
  const rows = lines
    .slice(1)
    .filter((line) => ROW.test(withoutMarkup(line)) && !isField(line.split(/[:|]/u, 1)[0] ?? ''));
  const fields = new Set(
    facts
      .filter(({ name, value }) => /^\W{0,3}\d/u.test(value) && !isField(name))
      .map(({ name }) => normalizedName(name)),
  );
  return Math.max(rows.length, fields.size);
}

function isField(label: string): boolean {
  const name = normalizedName(withoutMarkup(label));
  return ALERT_FIELDS.test(name) || OWN.test(name);
}

/** Fields of a single alert. */
const OWN =
  /^(?:host|service|server|severity|time|date|started|since|duration|usage|used|free|available|size|total|status|state|region|environment|version|count|age|uptime|downtime|expires?|port|id|pid|exit code|code|url|link|runbook)(?: .{0,20})?$/u;
