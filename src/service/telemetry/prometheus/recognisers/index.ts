import { blackbox } from './blackbox.ts';
import { cadvisor } from './cadvisor.ts';
import { coroot } from './coroot.ts';
import { envoy } from './envoy.ts';
import { grpc } from './grpc.ts';
import { hikari } from './hikari.ts';
import { istio } from './istio.ts';
import { kafka } from './kafka.ts';
import { kubeState } from './kube-state.ts';
import { linkerd } from './linkerd.ts';
import { nginxIngress } from './nginx-ingress.ts';
import { node } from './node.ts';
import { otelDatabase } from './otel-database.ts';
import { otelHttp } from './otel-http.ts';
import { otelMessaging } from './otel-messaging.ts';
import { otelRpc } from './otel-rpc.ts';
import { plainHttp } from './plain-http.ts';
import { postgres } from './postgres.ts';
import { processes } from './processes.ts';
import { rabbitmq } from './rabbitmq.ts';
import type { Recogniser } from './recogniser.ts';
import { redis } from './redis.ts';
import { serviceGraph } from './service-graph.ts';
import { spanMetrics } from './span-metrics.ts';
import { spring } from './spring.ts';
import { traefik } from './traefik.ts';
import { volumes } from './volumes.ts';

/** In order of trust: if two measure the same thing for a service, the earlier one wins. */
export const RECOGNISERS: readonly Recogniser[] = [
  istio,
  linkerd,
  spanMetrics,
  otelHttp,
  otelRpc,
  spring,
  grpc,
  plainHttp,
  envoy,
  nginxIngress,
  traefik,
  serviceGraph,
  otelDatabase,
  otelMessaging,
  coroot,
  kubeState,
  cadvisor,
  volumes,
  node,
  blackbox,
  postgres,
  redis,
  kafka,
  rabbitmq,
  hikari,
  processes,
];
