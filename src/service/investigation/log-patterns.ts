import type { LogLine, Window } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';

/** Lines that differ only in numbers and ids. */
export interface LogPattern {
  /** One of its lines, verbatim. */
  example: string;
  level: 'warn' | 'error';
  count: number;
  first: number;
  /** How many came before; `null` where no line of the service was read from then. */
  before: number | null;
  /** What its lines have in common (`patternOf`). */
  key: string;
}

/** A service's warnings and errors in the window that did not occur in the period before, most frequent first. */
export function newPatterns(view: View, service: string, window: Window, before: Window): LogPattern[] {
  const old = new Set(view.logs(service, before).map((line) => patternOf(line.message)));
  const found = new Map<string, LogPattern>();
  for (const line of view.logs(service, window)) {
    const { at, message } = line;
    const key = patternOf(message);
    const level = gravityOf(line);
    if (level === 'info' || old.has(key)) continue;
    const known = found.get(key);
    if (known) known.count++;
    else
      found.set(key, { example: message, level, count: 1, first: at, before: old.size > 0 ? 0 : null, key });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

const ERROR_LEVEL = /^(?:err|fatal|crit|alert|emerg|panic|severe)/iu;
const WARNING_LEVEL = /^warn/iu;
const ERROR_WORDS =
  /\b(?:error|fatal|panic|exception|traceback|fail(?:ed|ure)?|refused|killed|oom)\b|\w(?:Error|Exception)\b/iu;

/** A line's severity by its level, or by its words if it has none. */
export function gravityOf({ level, message }: Pick<LogLine, 'level' | 'message'>): 'error' | 'warn' | 'info' {
  if (level === null) return ERROR_WORDS.test(message) ? 'error' : 'info';
  if (ERROR_LEVEL.test(level)) return 'error';
  return WARNING_LEVEL.test(level) ? 'warn' : 'info';
}

export function patternOf(message: string): string {
  return message.replaceAll(/\b[0-9a-f]{6,}\b|\d+(?:\.\d+)?/giu, '#');
}
