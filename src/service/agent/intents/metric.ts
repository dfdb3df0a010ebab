import { quantile } from '../../investigation/anomalies.ts';
import { amount, capitalize, duration, joinNames, timeOfDay } from '../../investigation/format.ts';
import type { Series, Signal } from '../../telemetry/model.ts';
import type { Point } from '../../telemetry/view.ts';
import { subjectOf } from '../subject.ts';
import type { Intent, Tools, Turn } from '../types.ts';

const MOST = 20;

/** The error rate of payments in the last 30 minutes? */
export const metric: Intent = {
  name: 'metric',
  example: 'Show the error rate of {service} in the last 30 minutes',
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
        return [
          ...levelsOf(series, points, turn, tools),
          ...percentileNote(turn.question, series.signal),
        ].join('\n');
      })
      .join('\n\n');
  },
};

/** The level of a series over the window in question, one line each. */
export function levelsOf(
  { service, signal: { label, unit } }: Series,
  points: readonly Point[],
  { window }: Turn,
  { now }: Tools,
): string[] {
  const values = points.map(({ value }) => value);
  const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
  return [
    `**${service} ${label}** in the ${duration(window.to - window.from)} before ${momentOf(window.to, now)}:`,
    '',
    `- last ${amount(values.at(-1) ?? Number.NaN, unit)}`,
    `- median ${amount(quantile(values, 0.5), unit)}`,
    `- max ${amount(highest.value, unit)} at ${timeOfDay(highest.at)}`,
    `- min ${amount(Math.min(...values), unit)}`,
  ];
}

/** `14:02 UTC`, with the date unless it is today. */
function momentOf(at: number, now: number): string {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return dayOf(at) === dayOf(now) ? timeOfDay(at) : `${timeOfDay(at)} on ${dayOf(at)}`;
}

/** A percentile other than the one asked for needs a note. */
function percentileNote(question: string, { measure, quantile: measured }: Signal): string[] {
  const asked = /\bp(\d\d(?:\.\d)?)\b/iu.exec(question)?.[1];
  if (asked === undefined || measure !== 'latency' || typeof measured !== 'number') return [];
  return Number(asked) === measured * 100
    ? []
    : ['', `The p${asked} is not read: this is the p${measured * 100}.`];
}

/** For a large system, only some are listed. */
function reportedBy(services: readonly string[], before: string): string {
  if (services.length === 0) return 'No service does.';
  const more = services.length > MOST ? ` and ${services.length - MOST} more` : '';
  return `${before}${more === '' ? joinNames(services) : services.slice(0, MOST).join(', ') + more}.`;
}
