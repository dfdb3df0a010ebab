import { type Fact, nameOf } from '../../facts.ts';
import type { Reading } from '../../message-content.ts';
import { bare, plain } from '../../slack-text.ts';
import { sentenceOf } from './sentence-state.ts';
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
/** Of three counts beside each other one at least is of what went well: somebody sums up. */
const SUM =
  /\b\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,3}(?:\([^)]{0,80}\))?(?:, | and | · | \| |; )(?:and )?\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,3}(?:\([^)]{0,80}\))?(?:, | and | · | \| |; )(?:and )?\d[\d,.]{0,12} [a-z-]{2,20}/iu;

/** What reports count, though its name tells of a problem. */
const MANY =
  /\b(?:vulnerabilities|errors|exceptions|failures|incidents|outages|alerts|list) (?:per|by|in the last|of the|for|today|yesterday)\b|^\W{0,4}(?:daily|weekly|monthly|top)\b/u;
/** A table in a line: `shop 12, infra 3, docs 0`. */
const LISTED =
  /(?:[\p{L}][\w./-]{1,40} [$€£]?\d[\d,.]{0,12}%?(?: \([^)]{0,60}\))?, ){2}[\p{L}][\w./-]{1,40} [$€£]?\d/u;

/** Words about an alert, or about many: a bot's follow-up, what it found out, a report with its table. */
export type Retelling = 'follow-up' | 'report' | 'table' | 'guess' | null;

/**
 * Whether a message only tells of alerts. A follow-up speaks of its author or of causes, a report of days and of many
 * things beside each other; an alert names one problem and its readings.
 */
export function retellingOf(reading: Reading, heads: readonly string[], facts: readonly Fact[]): Retelling {
  const lines = plain(reading.body)
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

/** A report names its period and itself; a table may stand below an alert as well, which says what is wrong. */
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
  if (sentenceOf(heads[0] ?? '')?.state === 'firing' && !MANY.test(title)) return null;
  if (named && LISTED.test(title)) return 'table';
  return rows > 2 && (named || MEASURED.test(title)) ? 'table' : null;
}

/** Lines and fields that hold a name and numbers, and are no field that an alert has. */
function rowsIn(lines: readonly string[], facts: readonly Fact[]): number {
  const rows = lines
    .slice(1)
    .filter((line) => ROW.test(bare(line)) && !isField(line.split(/[:|]/u, 1)[0] ?? ''));
  const fields = new Set(
    facts
      .filter(({ name, value }) => /^\W{0,3}\d/u.test(value) && !isField(name))
      .map(({ name }) => nameOf(name)),
  );
  return Math.max(rows.length, fields.size);
}

function isField(label: string): boolean {
  const name = nameOf(bare(label));
  return ALERT_FIELDS.test(name) || OWN.test(name);
}

/** Readings that stand below one alert. */
const OWN =
  /^(?:host|service|server|severity|time|date|started|since|duration|usage|used|free|available|size|total|status|state|region|environment|version|count|age|uptime|downtime|expires?|port|id|pid|exit code|code|url|link|runbook)(?: .{0,20})?$/u;
