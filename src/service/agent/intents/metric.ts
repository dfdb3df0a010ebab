import { quantile } from '../../investigation/anomalies.ts';
import { amount, capitalize, duration, joinNames, timeOfDay } from '../../investigation/format.ts';
import { subjectOf } from '../subject.ts';
import type { Intent } from '../types.ts';

/** The error rate of payments in the last 30 minutes? */
export const metric: Intent = {
  name: 'metric',
  example: 'Show the error rate of payments in the last 30 minutes',
  matches: ({ metricNamed }) => metricNamed !== null,
  answer(turn, tools) {
    const signal = turn.metric;
    if (!signal) return 'Which metric?';
    const { telemetry, evidenceStore } = tools;
    const reporting = telemetry
      .services()
      .map(({ name }) => name)
      .filter((name) => telemetry.metricNames(name).some((info) => info.name === signal.metric));
    const subject = subjectOf(turn, tools);
    const asked = turn.services.length > 0 ? turn.services : subject === null ? [] : [subject];
    if (asked.length === 0)
      return `${capitalize(signal.label)} of which service? These report it: ${joinNames(reporting)}.`;
    const { window } = turn;
    return asked
      .map((service) => {
        const info = telemetry.metricNames(service).find(({ name }) => name === signal.metric);
        const points = info ? telemetry.metric(service, info.name, window) : [];
        const last = points.at(-1);
        if (!info || !last) return `${service} does not report ${signal.label}; ${joinNames(reporting)} do.`;
        evidenceStore.metric(service, info.name, window);
        const values = points.map(({ value }) => value);
        const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
        return [
          `**${service} ${signal.label}** in the ${duration(window.to - window.from)} before ${timeOfDay(window.to)}:`,
          '',
          `- last ${amount(last.value, info.unit)}`,
          `- median ${amount(quantile(values, 0.5), info.unit)}`,
          `- max ${amount(highest.value, info.unit)} at ${timeOfDay(highest.at)}`,
          `- min ${amount(Math.min(...values), info.unit)}`,
        ].join('\n');
      })
      .join('\n\n');
  },
};
