import { quantile } from '../../investigation/anomalies.ts';
import { amount, capitalize, duration, joinNames, timeOfDay } from '../../investigation/format.ts';
import { subjectOf } from '../subject.ts';
import type { Intent } from '../types.ts';

const MOST = 20;

/** The error rate of payments in the last 30 minutes? */
export const metric: Intent = {
  name: 'metric',
  example: 'Show the error rate of payments in the last 30 minutes',
  matches: ({ metricNamed }) => metricNamed !== null,
  async answer(turn, tools) {
    const profile = turn.metric;
    if (!profile) return 'Which metric?';
    const { measure, label } = profile;
    const reporting = tools.view
      .services()
      .map(({ name }) => name)
      .filter((name) => tools.view.seriesOf(name, measure) !== undefined);
    const subject = subjectOf(turn, tools);
    const asked = turn.services.length > 0 ? turn.services : subject === null ? [] : [subject];
    if (asked.length === 0)
      return `${capitalize(label)} of which service? ${reportedBy(reporting, 'These report it: ')}`;
    const { window } = turn;
    const view = await tools.look(window, asked);
    return asked
      .map((service) => {
        const series = view.seriesOf(service, measure);
        const points = series ? view.points(series, window) : [];
        const last = points.at(-1);
        if (!series || !last)
          return `${service} does not report ${label}. ${reportedBy(reporting, 'These do: ')}`;
        tools.evidenceStore.metric(series, window);
        const { unit } = series.signal;
        const values = points.map(({ value }) => value);
        const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
        return [
          `**${service} ${series.signal.label}** in the ${duration(window.to - window.from)} before ${timeOfDay(window.to)}:`,
          '',
          `- last ${amount(last.value, unit)}`,
          `- median ${amount(quantile(values, 0.5), unit)}`,
          `- max ${amount(highest.value, unit)} at ${timeOfDay(highest.at)}`,
          `- min ${amount(Math.min(...values), unit)}`,
        ].join('\n');
      })
      .join('\n\n');
  },
};

/** Of a large system some are named. */
function reportedBy(services: readonly string[], before: string): string {
  if (services.length === 0) return 'No service does.';
  const more = services.length > MOST ? ` and ${services.length - MOST} more` : '';
  return `${before}${more === '' ? joinNames(services) : services.slice(0, MOST).join(', ') + more}.`;
}
