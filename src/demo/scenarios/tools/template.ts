import { type Problem, ruleOf } from './problem.ts';

/**
 * Fills in a template of a fixture's `playable`: `{service}`, `{symptom}` and `{number}` are the problem's, `{rule}` is the
 * symptom as rules are named, and `{now:%H:%M}` is the time as date(1) writes it, in UTC.
 * @param now in milliseconds
 * @throws if the template has any other placeholder
 */
export function fill(template: string, problem: Problem, now: number): string {
  return template.replaceAll(/\{(\w+)(?::([^}]*))?\}/gu, (placeholder, name: string, format?: string) => {
    switch (name) {
      case 'service':
        return problem.service;
      case 'symptom':
        return problem.symptom;
      case 'number':
        return String(problem.number);
      case 'rule':
        return ruleOf(problem);
      case 'now':
        if (format !== undefined) return formatTime(format, now);
    }
    throw new Error(`unknown placeholder ${placeholder}`);
  });
}

function formatTime(format: string, ms: number): string {
  const iso = new Date(ms).toISOString();
  const [weekday, , month] = new Date(ms).toUTCString().split(/,? /u);
  const parts: Record<string, string | undefined> = {
    '%s': String(Math.floor(ms / 1000)),
    '%Y': iso.slice(0, 4),
    '%y': iso.slice(2, 4),
    '%m': iso.slice(5, 7),
    '%d': iso.slice(8, 10),
    '%H': iso.slice(11, 13),
    '%M': iso.slice(14, 16),
    '%S': iso.slice(17, 19),
    '%a': weekday,
    '%b': month,
  };
  return format.replaceAll(/%\w/gu, (part) => {
    const written = parts[part];
    if (written === undefined) throw new Error(`unknown time format ${part} in {now:${format}}`);
    return written;
  });
}
