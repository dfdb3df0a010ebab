import { amount, duration, timeOfDay } from '../../investigation/format.ts';
import { gravityOf, patternOf } from '../../investigation/log-patterns.ts';
import type { LogLine } from '../../telemetry/model.ts';
import { subjectOf } from '../subject.ts';
import type { Intent } from '../types.ts';

const MOST = 8;

/** What does payments log? */
export const logs: Intent = {
  name: 'logs',
  example: 'Show the {service} logs of the last 15 minutes',
  matches: ({ question }) => /\blogs?\b|\blogged\b|log lines?|stack ?trace/iu.test(question),
  async answer(turn, tools) {
    const service = subjectOf(turn, tools);
    if (service === null) return 'Logs of which service?';
    const { window } = turn;
    const view = await tools.look(window, [service]);
    const lines = view.logs(service, window).filter((line) => gravityOf(line) !== 'info');
    const span = `in the ${duration(window.to - window.from)} before ${timeOfDay(window.to)}`;
    if (lines.length === 0) return `${service} logged no warnings or errors ${span}.`;
    const patterns = [...Map.groupBy(lines, ({ message }) => patternOf(message)).values()].sort(
      (a, b) => b.length - a.length,
    );
    for (const pattern of patterns.slice(0, MOST)) tools.evidenceStore.logs(service, pattern);
    return [
      `${service} warnings and errors ${span}, most frequent first:`,
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
  return `- ${gravityOf(first)}, ${amount(lines.length, '{time}')} ${when}: \`${first.message}\``;
}
