import type { LogLine } from '../../telemetry/model.ts';

/** Messages new to a service. */
export interface NewMessages {
  service: string;
  /** One per pattern, its first line verbatim. */
  message: string;
  /** Number of occurrences since then. */
  count: number;
  /** Whether it reports a problem. */
  complaint: boolean;
  /** Its first occurrence, in milliseconds since the epoch. */
  onset: number;
}

/** How far back a message counts as new: a disk fills slowly. */
export const RECENT = 30 * 60_000;
/** This many lines of a new pattern are a change of behaviour even if they are not complaints. */
const MANY = 5;
/** A known message counts if it is this many times as frequent now. */
const MORE_OFTEN = 5;

/**
 * Messages that services have recently begun to log, the most frequent first: complaints, and anything entirely new.
 */
export function newMessages(logs: readonly LogLine[], trigger: number): NewMessages[] {
  const patterns = new Map<string, { first: LogLine | null; recent: number; before: number }>();
  const began = logs[0]?.at ?? trigger;
  for (const line of logs) {
    if (line.at > trigger) continue;
    const key = `${line.service}\n${patternOf(line.message)}`;
    const pattern = patterns.get(key) ?? { first: null, recent: 0, before: 0 };
    if (line.at >= trigger - RECENT) {
      pattern.recent++;
      pattern.first ??= line;
    } else pattern.before++;
    patterns.set(key, pattern);
  }
  const past = Math.max(1, (trigger - RECENT - began) / RECENT);
  return [...patterns.values()]
    .flatMap(({ first, recent, before }) => {
      if (first === null) return [];
      const complaint = isComplaint(first);
      const isNew = complaint ? recent >= (MORE_OFTEN * before) / past : before === 0 && recent >= MANY;
      if (!isNew) return [];
      return [{ service: first.service, message: first.message, count: recent, onset: first.at, complaint }];
    })
    .sort((a, b) => b.count - a.count);
}

function isComplaint({ level, message }: LogLine): boolean {
  if (level !== null && /^(error|err|fatal|critical|crit|alert|emerg|panic|severe|warn|warning)/.test(level))
    return true;
  return /\b(error|exception|panic|fatal|failed|timed out)\b/i.test(message);
}

/** The message without the parts that vary: numbers, ids, quoted values. */
function patternOf(message: string): string {
  return message
    .slice(0, 200)
    .replaceAll(/[0-9a-f]{8}[0-9a-f-]*|\d+/gi, '#')
    .replaceAll(/"[^"]*"|'[^']*'/g, '""');
}
