import {
  firstOf,
  grouping,
  type Recogniser,
  requestsErrorsLatency,
  SCRAPED,
  selector,
} from './recogniser.ts';

const COUNTERS = [
  'http_requests_total',
  'http_request_total',
  'requests_total',
  'http_server_requests_total',
];
const DURATIONS = [
  'http_request_duration_seconds',
  'http_requests_duration_seconds',
  'request_duration_seconds',
  'http_request_duration_milliseconds',
  'http_request_duration_ms',
  'http_response_time_seconds',
];
/** Clients of many languages name the status by one of these labels. */
const STATUS = ['code', 'status', 'status_code'];

/** The names that Prometheus' own documentation uses, and most hand-made instrumentation. */
export const plainHttp: Recogniser = {
  name: 'plain HTTP',
  hint: 'a counter `http_requests_total` with a label `code`, and a histogram `http_request_duration_seconds`',
  claims: [...COUNTERS, ...DURATIONS.map((name) => `${name}*`)],
  offers: (names) => {
    const duration = DURATIONS.find((name) => names.has(`${name}_count`) || names.has(name));
    const counter = firstOf(names, COUNTERS) ?? (duration === undefined ? undefined : `${duration}_count`);
    const place = SCRAPED;
    const by = grouping(place);
    return requestsErrorsLatency(names, { place, counter, duration, failed: 'code=~"5.."' }).map((offer) =>
      offer.measure === 'errors' && counter !== undefined
        ? {
            ...offer,
            query: (rate) => {
              const all = `sum ${by} (rate(${counter}[${rate}]))`;
              const failed = STATUS.map(
                (label) => `sum ${by} (rate(${selector(counter, `${label}=~"5.."`)}[${rate}]))`,
              ).join(' or ');
              return `(${failed} or 0 * ${all}) / (${all} > 0)`;
            },
          }
        : offer,
    );
  },
};
