import { type Recogniser, SCRAPED, single } from './recogniser.ts';

/** Prometheus repeats the last sample of a vanished service for five minutes, unless told otherwise. */
function newest(metric: string, rate: string): string {
  return `last_over_time(${metric}[${rate}])`;
}

/** What every client library reports about its process, and Prometheus about its targets. */
export const processes: Recogniser = {
  name: 'process metrics',
  hint: 'the default metrics of a Prometheus client library',
  claims: [
    'process_*',
    'up',
    'go_*',
    'jvm_*',
    'nodejs_*',
    'python_*',
    'promhttp_*',
    'scrape_*',
    'prometheus_*',
    'target_info',
    'ALERTS*',
  ],
  offers: (names) => [
    ...single(names, {
      metric: 'up',
      label: 'instances up',
      measure: 'up',
      unit: '{instance}',
      bad: 'low',
      place: SCRAPED,
      how: (metric, by, rate) => `sum ${by} (${newest(metric, rate)})`,
    }),
    ...single(names, {
      metric: 'process_start_time_seconds',
      label: 'restarts',
      measure: 'restarts',
      unit: '{restart}',
      place: SCRAPED,
      how: (metric, by, rate) => `sum ${by} (changes(${metric}[${rate}]))`,
    }),
    ...single(names, {
      metric: 'process_cpu_seconds_total',
      label: 'CPU usage',
      measure: 'cpu',
      unit: '{core}',
      place: SCRAPED,
      how: (metric, by, rate) => `sum ${by} (rate(${metric}[${rate}]))`,
    }),
    ...single(names, {
      metric: 'process_resident_memory_bytes',
      label: 'resident memory',
      measure: 'memory',
      unit: 'By',
      place: SCRAPED,
      how: (metric, by, rate) => `max ${by} (${newest(metric, rate)})`,
    }),
    ...single(names, {
      metric: 'process_open_fds',
      label: 'open files',
      measure: 'other',
      unit: '{file}',
      place: SCRAPED,
      how: (metric, by, rate) => `max ${by} (${newest(metric, rate)})`,
      limit: { metric: 'process_max_fds', how: (metric, by) => `max ${by} (${metric})` },
    }),
  ],
};
