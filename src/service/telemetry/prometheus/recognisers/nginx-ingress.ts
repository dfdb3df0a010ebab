import { type Place, type Recogniser, requestsErrorsLatency } from './recogniser.ts';

const PLACE: Place = {
  labels: ['exported_service', 'service', 'ingress'],
  namespace: ['exported_namespace', 'namespace'],
  kind: 'service',
};

/** The nginx ingress controller: the responses of each service behind it. */
export const nginxIngress: Recogniser = {
  name: 'nginx ingress',
  hint: 'ingress-nginx with `controller.metrics.enabled`',
  claims: ['nginx_ingress_*'],
  offers: (names) =>
    requestsErrorsLatency(names, {
      place: PLACE,
      what: 'ingress',
      counter: 'nginx_ingress_controller_requests',
      failed: 'status=~"5.."',
      duration: 'nginx_ingress_controller_request_duration_seconds',
    }),
};
