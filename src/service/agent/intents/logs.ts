import { patternOf } from '../../investigation/log-patterns.ts';
import { amount, duration, timeOfDay } from '../../investigation/words.ts';
import type { LogLine } from '../../telemetry/telemetry.ts';
import { subjectOf } from '../diagnosis.ts';
import type { Intent } from '../types.ts';

const MOST = 8;

/** What does payments log? */
export const logs: Intent = {
  name: 'logs',
  example: 'Show the logs of payments in the last 15 minutes',
  matches: ({ question }) => /\blogs?\b|\blogged\b|log lines?|stack ?trace/iu.test(question),
  answer(turn, tools) {
    const service = subjectOf(turn, tools);
    if (service === null) return 'The logs of which service?';
    const { window } = turn;
    const lines = tools.telemetry.logs(service, window).filter(({ level }) => level !== 'info');
    const span = `in the ${duration(window.to - window.from)} before ${timeOfDay(window.to)}`;
    if (lines.length === 0) return `${service} logged no warning and no error ${span}.`;
    const patterns = [...Map.groupBy(lines, ({ message }) => patternOf(message)).values()].sort(
      (a, b) => b.length - a.length,
    );
    for (const pattern of patterns.slice(0, MOST)) tools.cabinet.logs(service, pattern);
    return [
      `Warnings and errors of ${service} ${span}, the most frequent first:`,
      '',
      ...patterns.slice(0, MOST).map(describe),
    ].join('\n');
  },
};

function describe(lines: readonly LogLine[]): string {
  const first = lines[0];
  const last = lines.at(-1);
  if (!first || !last) return '';
  const when =
    first === last ? `at ${timeOfDay(first.at)}` : `from ${timeOfDay(first.at)} to ${timeOfDay(last.at)}`;
  return `- ${first.level}, ${amount(lines.length, '{time}')} ${when}: \`${first.message}\``;
}
