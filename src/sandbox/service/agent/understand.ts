import { namedIn } from '../investigator/match.ts';
import { SIGNALS } from '../investigator/signals.ts';
import type { Turn } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EVERYTHING = /\b(?:everything|everyone|anything|overall|all services|the shop|the system)\b/iu;
/** How a question begins that asks the same of something else, or of another time. */
export const GOES_ON = /^\W*(?:and|what about|how about)\b/iu;
const UNITS: readonly [RegExp, number][] = [
  [/^m/iu, MINUTE],
  [/^h/iu, HOUR],
  [/^d/iu, 24 * HOUR],
];
const LONGEST = 24 * HOUR;

/** Reads a question in the light of the turn before it: what it does not name stays as it was. */
export function understand(
  text: string,
  before: Turn | null,
  services: readonly string[],
  now: number,
): Turn {
  const { question, lines } = split(text);
  const told = toldIn(lines);
  const numberNamed = numberIn(question);
  const named = strongest(question, services);
  const metricNamed = SIGNALS.find(({ words }) => words.test(question)) ?? null;
  const time = timeIn(question, now);
  // Whoever names a service, an issue or everything begins a new subject; who goes on with "and" keeps the time.
  const anew = named.length > 0 || numberNamed !== null || told !== null || EVERYTHING.test(question);
  const from = anew ? null : before;
  const number = numberNamed ?? told?.number ?? from?.number ?? null;
  const toldServices = told
    ? strongest(told.service ?? `${told.title} ${told.rootCause ?? ''}`, services)
    : [];
  const last = { window: { from: now - HOUR, to: now }, at: now };
  const { window, at } = time ?? (before && GOES_ON.test(question) ? before : last);
  return {
    question,
    named,
    services: named.length > 0 ? named : numberNamed === null ? (from?.services ?? toldServices) : [],
    numberNamed,
    number,
    told: told ?? (number === before?.number ? before.told : null),
    metricNamed,
    metric: metricNamed ?? before?.metric ?? null,
    timed: time !== null,
    window,
    at,
  };
}

/** The question is the last paragraph; lines before it count only where they tell of an issue. */
function split(text: string): { question: string; lines: string[] } {
  const paragraphs = text.trim().split(/\n\s*\n/u);
  const last = paragraphs.at(-1) ?? '';
  const before = paragraphs.slice(0, -1).join('\n');
  return /issue #\d+/iu.test(before)
    ? { question: last.trim(), lines: before.split('\n') }
    : { question: text.trim(), lines: [] };
}

function toldIn(lines: readonly string[]) {
  const about = lines.map((line) => /issue #(\d+)[:\s]*(.*)$/iu.exec(line)).find((found) => found !== null);
  if (!about) return null;
  const all = lines.join('\n');
  return {
    number: Number(about[1]),
    title: about[2] ?? '',
    service: /\bservice:\s*([\w.-]+\w)/iu.exec(all)?.[1] ?? null,
    rootCause: /^root cause:\s*(.+)$/imu.exec(all)?.[1] ?? null,
  };
}

function numberIn(question: string): number | null {
  const found = /(?:#|\bissue\s+(?:number\s+)?#?)(\d{1,9})\b/iu.exec(question);
  return found ? Number(found[1]) : null;
}

/** The services named best; one of which only a part is named gives way to one that is named whole. */
function strongest(text: string, services: readonly string[]): string[] {
  const found = namedIn(text, services);
  const best = found[0]?.score ?? 0;
  const chosen = found.filter(({ score }) => score === best).map(({ service }) => service);
  return best === 1 ? chosen : chosen.slice(0, 1);
}

/** `now`, `last 30 minutes`, `between 13:40 and 14:05`, `before 14:05`, `since 13:40`, `at 14:00`; `null` where it names no time. */
function timeIn(question: string, now: number): Pick<Turn, 'window' | 'at'> | null {
  const span = /\b(?:between|from)\s+(\d{1,2}):(\d\d)\s+(?:and|to|until)\s+(\d{1,2}):(\d\d)\b/iu.exec(
    question,
  );
  if (span) {
    const to = timeToday(Number(span[3]), Number(span[4]), now);
    const from = timeToday(Number(span[1]), Number(span[2]), to);
    return { window: { from, to }, at: to };
  }
  const clock = /\b(before|until|since|after|at|around)\s+(\d{1,2}):(\d\d)\b/iu.exec(question);
  if (clock) {
    const at = timeToday(Number(clock[2]), Number(clock[3]), now);
    const word = clock[1]?.toLowerCase() ?? '';
    if (['since', 'after'].includes(word)) return { window: { from: at, to: now }, at: now };
    if (['before', 'until'].includes(word)) return { window: { from: at - HOUR, to: at }, at };
    return { window: { from: at - HOUR, to: Math.min(now, at + HOUR / 2) }, at };
  }
  if (/\b(?:now|currently|at the moment)\b/iu.test(question))
    return { window: { from: now - HOUR, to: now }, at: now };
  const length = /\b(?:last|past)\s+(\d+)?\s*(m(?:in(?:ute)?s?)?|h(?:ours?)?|days?|d)\b/iu.exec(question);
  if (!length) return null;
  const unit = UNITS.find(([pattern]) => pattern.test(length[2] ?? ''))?.[1] ?? HOUR;
  const spoken = Math.min(LONGEST, Math.max(5 * MINUTE, Number(length[1] ?? 1) * unit));
  return { window: { from: now - spoken, to: now }, at: now };
}

/** That time of day in UTC, the last one that is over. */
function timeToday(hours: number, minutes: number, now: number): number {
  const midnight = Math.floor(now / (24 * HOUR)) * 24 * HOUR;
  const at = midnight + (hours * 60 + minutes) * MINUTE;
  return at > now ? at - 24 * HOUR : at;
}
