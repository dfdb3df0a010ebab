import type { LogLine } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import { gravityOf, type LogPattern, patternOf } from './log-patterns.ts';

/** Failing lines of one kind, of one service: new ones, or many more than before. Its example is the newest. */
export interface FailingLines extends LogPattern {
  service: string;
  last: number;
  /** Whether they go on at the moment of the view. */
  isOngoing: boolean;
}

const MINUTE = 60_000;
/** What came within this time is recent; the time before it tells what is usual. */
const RECENT = 60 * MINUTE;
/** So much more often than before that it is another thing. */
const MORE = 3;
/** Once or twice is an accident. */
const FEWEST = 3;
/** Lines that come as rarely as this have ended when one is overdue. */
const LEAST_PAUSE = 5 * MINUTE;
const PAUSES = 3;

/** The rate of failing lines is a series like any other, and lines that were never there before depart from it. */
export function failingLines(view: View, service: string): FailingLines[] {
  const { trigger, window } = view;
  const lines = view.logs(service, { from: window.from, to: trigger + 1 });
  const failing = lines.filter((line) => gravityOf(line) === 'error');
  const patterns = Map.groupBy(failing, ({ message }) => patternOf(message));
  const from = trigger - RECENT;
  /** How many times as long the time before is; where nothing was read of it, nothing is known to be usual. */
  const share = Math.max(0, from - Math.max(window.from, lines[0]?.at ?? from)) / RECENT;
  const found = [...patterns.values()].flatMap((all) => linesOf(service, all, { from, share, trigger }));
  if (found.reduce((sum, { count }) => sum + count, 0) < FEWEST) return [];
  return found.sort(
    (a, b) => Number(b.isOngoing) - Number(a.isOngoing) || b.count - a.count || b.first - a.first,
  );
}

function linesOf(
  service: string,
  all: readonly LogLine[],
  { from, share, trigger }: { from: number; share: number; trigger: number },
): FailingLines[] {
  const recent = all.filter(({ at }) => at >= from);
  const before = all.length - recent.length;
  const [first, last] = [recent[0], recent.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (before > 0 && recent.length * share < MORE * before) return [];
  const pause = (last.at - first.at) / Math.max(1, recent.length - 1);
  const longest = Math.max(LEAST_PAUSE, PAUSES * pause);
  const begin = recent.findLastIndex(({ at }, i) => at - (recent[i - 1]?.at ?? -Infinity) > longest);
  // Once or twice at its start, an hour ago, is another time.
  const episode = recent.length - begin < FEWEST ? recent : recent.slice(begin);
  const earlier = all.length - episode.length;
  return [
    {
      service,
      key: patternOf(last.message),
      level: 'error',
      example: last.message,
      count: episode.length,
      before: share === 0 && earlier === 0 ? null : earlier,
      first: (episode[0] ?? first).at,
      last: last.at,
      isOngoing: trigger - last.at <= longest,
    },
  ];
}
