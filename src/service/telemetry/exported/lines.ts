import { redactor } from '../../../lib/redact.ts';
import { oneLine } from '../../../lib/text.ts';
import type { LogLine, StateFinding, Window } from '../model.ts';
import { departureOf } from './departing.ts';
import { rounded, timeOfDay } from './words.ts';

const MINUTE = 60_000;
const SEEN = 0.6;
/** Fewer failing lines may be chance. */
const FEWEST = 5;
/** From so many minutes of lines on it is known how many are usual. */
const FEWEST_MINUTES = 8;
const LATELY = 10 * MINUTE;
/** Without a past, so large a share of lines fails. */
const MOST_FAIL = 0.3;
const FAR = 2;
const LONGEST = 200;
const FAILING_LEVEL = /^(?:err|fatal|crit|alert|emerg|panic|severe)/iu;
const FAILING =
  /\b(?:error|fatal|panic|exception|traceback|fail(?:ed|ure|s)?|refused|timed? ?out|unreachable|denied)\b|\w(?:Error|Exception)\b/iu;
/** A line may hold the credentials that it complains of. */
const redact = redactor();

function isFailing({ level, message }: LogLine): boolean {
  return level === null ? FAILING.test(message) : FAILING_LEVEL.test(level);
}

/** Failing lines a minute are a series like any other: services that write many more of them, with the most frequent one. */
export function linesIn(logs: readonly LogLine[], { to }: Window): StateFinding[] {
  return [...Map.groupBy(logs, ({ service }) => service)].flatMap(([service, lines]): StateFinding[] => {
    const failing = lines.filter(isFailing);
    const lately = failing.filter(({ at }) => at >= to - LATELY);
    const found = lately.length < FEWEST ? null : burstOf(lines, failing, to);
    if (found === null) return [];
    const since = failing.filter(({ at }) => at >= found.since);
    const [often = []] = [...Map.groupBy(since, ({ message }) => patternOf(message)).values()].sort(
      (a, b) => b.length - a.length,
    );
    const said = quote(often.at(-1)?.message ?? '');
    return [
      {
        object: `app/${service}`,
        cause: 'lines',
        namespace: null,
        sentence: `${service} writes ${rounded(found.now)} failing lines a minute since ${timeOfDay(found.since)} (${found.before === null ? 'what is usual is not known' : `before ${rounded(found.before)}`}), most often “${said}”.`,
        evidence: [],
        show: null,
        mend: null,
        confidence: SEEN,
        source: 'logs',
        since: found.since,
      },
    ];
  });
}

/** How many fail a minute now and before, and since when; `null` where that is as ever. */
function burstOf(
  lines: readonly LogLine[],
  failing: readonly LogLine[],
  to: number,
): { now: number; before: number | null; since: number } | null {
  const first = lines.reduce((least, { at }) => Math.min(least, at), to);
  const minutes = Math.ceil((to - first) / MINUTE);
  if (minutes < FEWEST_MINUTES) {
    const since = failing.reduce((least, { at }) => Math.min(least, at), to);
    const share = failing.length / lines.length;
    return share < MOST_FAIL ? null : { now: failing.length / Math.max(1, minutes), before: null, since };
  }
  const counts = new Float64Array(minutes);
  for (const { at } of failing) {
    const minute = Math.max(0, minutes - 1 - Math.floor((to - 1 - at) / MINUTE));
    counts[minute] = (counts[minute] ?? 0) + 1;
  }
  const times = Float64Array.from(counts, (_, i) => to - (minutes - i) * MINUTE);
  const series = { name: '', service: '', type: 'gauge', help: '', unit: '', labels: {} } as const;
  const departed = departureOf({ ...series, points: { times, values: counts } });
  if (departed === null || departed.far < FAR || departed.now < departed.before) return null;
  const begin = failing.find(({ at }) => at >= departed.since)?.at ?? departed.since;
  return { now: departed.now, before: departed.before, since: begin };
}

function patternOf(message: string): string {
  return message.replaceAll(/\b[0-9a-f]{6,}\b|\d+(?:\.\d+)?/giu, '#');
}

function quote(message: string): string {
  const line = oneLine(redact(message.slice(0, 10 * LONGEST)).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' '));
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
