import { quantile } from '../../investigation/anomalies.ts';
import { amount, duration, listed, sentence, timeOfDay } from '../../investigation/words.ts';
import { subjectOf } from '../diagnosis.ts';
import type { Intent } from '../types.ts';

/** The error ratio of payments in the last 30 minutes? */
export const metric: Intent = {
  name: 'metric',
  example: 'Show the error ratio of payments in the last 30 minutes',
  matches: ({ metricNamed }) => metricNamed !== null,
  answer(turn, tools) {
    const signal = turn.metric;
    if (!signal) return 'Which metric?';
    const { telemetry, cabinet } = tools;
    const reporting = telemetry
      .services()
      .map(({ name }) => name)
      .filter((name) => telemetry.metricNames(name).some((info) => info.name === signal.metric));
    const subject = subjectOf(turn, tools);
    const asked = turn.services.length > 0 ? turn.services : subject === null ? [] : [subject];
    if (asked.length === 0)
      return `The ${signal.label} of which service? It is reported by ${listed(reporting)}.`;
    const { window } = turn;
    return asked
      .map((service) => {
        const info = telemetry.metricNames(service).find(({ name }) => name === signal.metric);
        const points = info ? telemetry.metric(service, info.name, window) : [];
        const last = points.at(-1);
        if (!info || !last) return `${service} does not report its ${signal.label}; ${listed(reporting)} do.`;
        cabinet.metric(service, info.name, window);
        const values = points.map(({ value }) => value);
        const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
        return [
          `**${sentence(signal.label)} of ${service}** in the ${duration(window.to - window.from)} before ${timeOfDay(window.to)}:`,
          '',
          `- last ${amount(last.value, info.unit)}`,
          `- usual ${amount(quantile(values, 0.5), info.unit)} (median)`,
          `- highest ${amount(highest.value, info.unit)} at ${timeOfDay(highest.at)}`,
          `- lowest ${amount(Math.min(...values), info.unit)}`,
        ].join('\n');
      })
      .join('\n\n');
  },
};
