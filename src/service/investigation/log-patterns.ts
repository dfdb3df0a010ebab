import type { LogLine, Telemetry, Window } from '../telemetry/telemetry.ts';

/** Lines that differ only in numbers and ids. */
export interface LogPattern {
  /** The first line of it, as it was written. */
  example: string;
  level: LogLine['level'];
  count: number;
  first: number;
  /** What its lines have in common (`patternOf`). */
  key: string;
}

/** The warnings and errors of a service in the window that it did not write in the time before it, most frequent first. */
export function newPatterns(
  telemetry: Telemetry,
  service: string,
  window: Window,
  before: Window,
): LogPattern[] {
  const old = new Set(telemetry.logs(service, before).map((line) => patternOf(line.message)));
  const found = new Map<string, LogPattern>();
  for (const { at, level, message } of telemetry.logs(service, window)) {
    const key = patternOf(message);
    if (level === 'info' || old.has(key)) continue;
    const known = found.get(key);
    if (known) known.count++;
    else found.set(key, { example: message, level, count: 1, first: at, key });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** A message without its numbers and ids. */
export function patternOf(message: string): string {
  return message.replaceAll(/\b[0-9a-f]{6,}\b|\d+(?:\.\d+)?/giu, '#');
}
