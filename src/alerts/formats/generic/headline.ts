import { statedValue } from '../../labels.ts';
import type { Reading } from '../../reading.ts';
import { bare, plain } from '../../slack-text.ts';
import { bracketed } from '../../state.ts';
import { titleOf } from '../../words.ts';

const NAMED = [
  'alarm name',
  'alert name',
  'alert rule',
  'rule name',
  'rule',
  'monitor name',
  'check name',
  'policy',
];
const ANNOUNCEMENT =
  /^(?:new (?:alert|incident|issue|notification)\b.{0,60}|additional info ?:?|alert|notification)$/iu;
const PREFIX =
  /^(?:re-?triggered|triggered|resolved|recovered|critical|warning|problem|alarm|alert|firing|fired|error|ok|open|closed|new alert|acknowledged|updated problem)(?: in [\dhms ]{2,20})?\s?(?::|-|–|\||!)\s*/iu;
const LOUD = /^(?:OPEN|RESOLVED|MERGED|Triggered|Resolved|FIRING|CLOSED)\s+/u;
const SUFFIX = /\s?(?::|-|is)\s?(?:fired|resolved|firing|activated|closed)\.?$/iu;

/** The alert's name: what a field calls it, else the title of an attachment, else the first line that is no formula. */
export function headlineOf(reading: Reading, heads: readonly string[]): string | null {
  const named = statedValue(reading.facts, ...NAMED);
  if (named) return titleOf(bare(named));
  const titles = reading.attachments.map(({ title }) => title);
  const lines = [...titles, ...heads]
    .map((line) => withoutState(bare(plain(line))))
    .filter((line) => line !== '');
  return titleOf(lines.find((line) => !ANNOUNCEMENT.test(line)) ?? lines[0] ?? '');
}

/** A title without the state before or behind it. */
function withoutState(line: string): string {
  const name = bracketed(line)?.name ?? line;
  return name.replace(PREFIX, '').replace(LOUD, '').replace(SUFFIX, '').trim();
}
