import { type Place, type Recogniser, requestsErrorsLatency } from './recogniser.ts';

/** Traefik's label contains the provider and the port: `default-cart-80@kubernetes`. */
const PLACE: Place = { labels: ['exported_service', 'service'], namespace: [], kind: 'service' };

/** Traefik's metrics of the services behind it. */
export const traefik: Recogniser = {
  name: 'Traefik',
  hint: 'Traefik with `--metrics.prometheus`',
  claims: ['traefik_*'],
  offers: (names) =>
    requestsErrorsLatency(names, {
      place: PLACE,
      what: 'ingress',
      counter: 'traefik_service_requests_total',
      failed: 'code=~"5.."',
      duration: 'traefik_service_request_duration_seconds',
    }),
};
