import { firstOf, type Place, type Recogniser, requestsErrorsLatency } from './recogniser.ts';

const PLACE: Place = {
  labels: ['service_name', 'service', 'exported_service'],
  namespace: ['service_namespace', 'namespace'],
  kind: 'service',
};
const COUNTERS = ['traces_spanmetrics_calls_total', 'traces_span_metrics_calls_total', 'calls_total'];
const DURATIONS = [
  'traces_spanmetrics_latency',
  'traces_span_metrics_duration_seconds',
  'traces_span_metrics_duration_milliseconds',
  'duration_milliseconds',
  'duration_seconds',
  'latency',
];

/** Metrics derived from spans by Tempo's generator and both generations of the collector's connector. */
export const spanMetrics: Recogniser = {
  name: 'span metrics',
  hint: 'the metrics-generator of Tempo with `span-metrics`, or the `spanmetrics` connector of the OpenTelemetry Collector',
  claims: [
    'traces_spanmetrics_*',
    'traces_span_metrics_*',
    'calls_total',
    'duration_milliseconds*',
    'duration_seconds*',
  ],
  offers: (names) => {
    const counter = firstOf(names, COUNTERS);
    if (counter === undefined) return [];
    const duration = DURATIONS.find((name) => names.has(`${name}_bucket`) || names.has(`${name}_count`));
    return requestsErrorsLatency(names, {
      place: PLACE,
      counter,
      matchers: 'span_kind=~"SPAN_KIND_SERVER|SPAN_KIND_CONSUMER"',
      failed: 'status_code="STATUS_CODE_ERROR"',
      duration,
    }).map((offer) =>
      // Tempo's older name does not contain the unit; its documentation gives it.
      offer.measure === 'latency' && offer.unit === '' ? { ...offer, unit: 's' } : offer,
    );
  },
};
