import { type Place, type Recogniser, requestsErrorsLatency } from './recogniser.ts';

const PROTOCOLS = [
  'http',
  'postgres',
  'mysql',
  'mongo',
  'redis',
  'kafka',
  'rabbitmq',
  'cassandra',
  'memcached',
];
const PLACE: Place = { labels: ['app_id', 'container_id'], namespace: [], kind: 'service' };

/** Containers' connections as seen by Coroot's node agent, without instrumentation. */
export const coroot: Recogniser = {
  name: 'Coroot agent',
  hint: 'coroot-node-agent on every node',
  claims: PROTOCOLS.flatMap((name) => [`container_${name}_requests_*`, `container_${name}_queries_*`]),
  offers: (names) =>
    PROTOCOLS.flatMap((protocol) => {
      const noun = names.has(`container_${protocol}_queries_total`) ? 'queries' : 'requests';
      return requestsErrorsLatency(names, {
        place: PLACE,
        what: protocol === 'http' ? 'outgoing' : protocol,
        counter: `container_${protocol}_${noun}_total`,
        failed: 'status=~"5..|failed"',
        duration: `container_${protocol}_${noun}_duration_seconds_total`,
        edge: { caller: PLACE.labels, callee: ['actual_destination', 'destination'], side: 'caller' },
      });
    }),
};
