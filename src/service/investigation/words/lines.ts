import { redactor } from '../../../lib/redact.ts';
import { oneLine } from '../../../lib/text.ts';
import type { StateFinding } from '../../telemetry/model.ts';
import type { FailingLines } from '../failing-lines.ts';
import { timeOfDay } from '../format.ts';
import type { LogPattern } from '../log-patterns.ts';

/** The code of a fact that lines tell. */
export const FAILING_LINES = 'failing_lines';

const MOST = 3;
const LONGEST = 240;

/** Failing lines of one service as what is wrong with it; `null` if none go on. */
export function findingOfLines(all: readonly FailingLines[]): StateFinding | null {
  const going = all.filter(({ isOngoing }) => isOngoing);
  const [most] = going;
  if (most === undefined) return null;
  // Of lines that come together the last is the error, and those before it are the way there.
  const told = going
    .filter(({ count }) => count >= most.count / 2)
    .toSorted((a, b) => b.last - a.last)
    .slice(0, MOST);
  const examples = told.map(({ example }) => `\`${quoted(example)}\``);
  const first = Math.min(...told.map((one) => one.first));
  return {
    object: `app/${most.service}`,
    cause: FAILING_LINES,
    namespace: null,
    sentence: `${most.service} logs errors: ${examples.join(', ')} (${howOften({ ...most, first })}). The reason is unknown.`,
    evidence: going
      .slice(0, MOST)
      .map(
        ({ example, count, first: from }) =>
          `${times(count)} since ${timeOfDay(from)}: \`${quoted(example)}\``,
      ),
    show: null,
    mend: null,
    confidence: 0.4,
  };
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** `12 times since 10:01 UTC, and not before`; the second half only where lines from before were read. */
export function howOften(pattern: Pick<LogPattern, 'count' | 'first' | 'before'>): string {
  return `${times(pattern.count)} since ${timeOfDay(pattern.first)}${usually(pattern)}`;
}

function usually({ before }: Pick<LogPattern, 'before'>): string {
  if (before === null) return '';
  return before === 0 ? ', and not before' : `, ${times(before)} in the hours before`;
}

/** ` checkout logged errors from 10:01 UTC to 10:08 UTC (12 times), and none since: …`; empty if it did not. */
export function endedLines(all: readonly FailingLines[]): string {
  if (all.some(({ isOngoing }) => isOngoing)) return '';
  const [most] = all;
  if (most === undefined) return '';
  const { service, count, first, last, example } = most;
  return ` ${service} logged errors from ${timeOfDay(first)} to ${timeOfDay(last)} (${times(count)}), and none since: \`${quoted(example)}\`.`;
}

/** A line may hold the credentials that it complains of. */
const redact = redactor();

/** A line for use in a sentence. */
export function quoted(line: string): string {
  const whole = oneLine(redact(line)).replaceAll('`', "'");
  return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST - 1)}…`;
}
