import type { Route } from './scripted-source.ts';

/** A service that reports `http_requests_total`, with a share of failures. */
export interface ReportingService {
  job: string;
  errors: (at: number) => number;
}

/** Several expressions in one request, each with its number. */
const TOGETHER = /label_replace\(((?:(?!, "part_of_query").)*), "part_of_query", "(\d+)", "", ""\)/gu;

/** Enough of Prometheus for services that report `http_requests_total`: it recognizes our own queries by their metrics. */
export function prometheusServer(
  services: readonly ReportingService[],
  labels: Readonly<Record<string, string>> = {},
): Readonly<Record<string, Route>> {
  const success = (data: unknown) => ({ status: 'success', data });
  const seriesOf = (job: string) => ({ job, namespace: 'shop', ...labels });
  const vector = (at: string, value: string, metrics: readonly object[]) =>
    success({
      resultType: 'vector',
      result: metrics.map((metric) => ({ metric, value: [Number(at), value] })),
    });
  return {
    '/api/v1/label/__name__/values': {
      parameters: ['start', 'end', 'match[]'],
      answer: ({ parameters: { 'match[]': match } }) => {
        const [, name = '', value = ''] = /^\{(\w+)="(.*)"\}$/u.exec(match ?? '') ?? [];
        const isKnown =
          match === undefined ||
          services.some(({ job }) =>
            Object.entries(seriesOf(job)).some((one) => one.join() === `${name},${value}`),
          );
        return success(isKnown ? ['http_requests_total', 'up'] : []);
      },
    },
    '/api/v1/query': {
      method: '*',
      parameters: ['query', 'time'],
      answer: ({ parameters: { query = '', time = '' } }) => {
        if (query.startsWith('max(max_over_time(timestamp(')) return vector(time, time, [{}]);
        if (query.startsWith('quantile(')) return vector(time, '40', [{}]);
        if (query.startsWith('count by ('))
          return vector(
            time,
            '1',
            services.map(({ job }) => seriesOf(job)),
          );
        return vector(time, '1', []);
      },
    },
    '/api/v1/query_range': {
      method: '*',
      parameters: ['query', 'start', 'end', 'step'],
      answer: ({ parameters: { query = '', start, end, step } }) => {
        const times: number[] = [];
        for (let at = Number(start); at <= Number(end); at += Number(step)) times.push(at);
        const answerTo = (expression: string, more: Readonly<Record<string, string>> = {}) => {
          const measured = !expression.includes('http_requests_total')
            ? null
            : expression.includes(' / ')
              ? ({ errors }: ReportingService, at: number) => errors(at * 1000)
              : (_service: ReportingService, at: number) => 50 + Math.sin(at / 600);
          return (measured === null ? [] : services).map((service) => ({
            metric: { ...seriesOf(service.job), ...more },
            values: times.map((at) => [at, String(measured?.(service, at))]),
          }));
        };
        const parts = [...query.matchAll(TOGETHER)];
        const result =
          parts.length === 0
            ? answerTo(query)
            : parts.flatMap(([, expression = '', part = '']) =>
                answerTo(expression, { part_of_query: part }),
              );
        return success({ resultType: 'matrix', result });
      },
    },
    '/api/v1/rules': { parameters: ['type'], answer: () => success({ groups: [] }) },
    '/api/v1/status/buildinfo': { answer: () => success({ version: '3.5.0', revision: '8be3a9560fbd' }) },
  };
}
