import { History } from './history.ts';

const MINUTE = 60_000;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Noise that is the same each time, between -1 and 1. */
function noise(seed: number, at: number): number {
  const x = Math.sin(seed * 12.9898 + (at / 1000) * 78.233) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

/** A level with some noise, and another from a moment on. */
function level(seed: number, usual: number, then = usual, since = Number.POSITIVE_INFINITY) {
  return (at: number) => (at >= since ? then : usual) * (1 + 0.04 * noise(seed, at));
}

export interface Made {
  history: History;
  /** When the alert comes. */
  triggeredAt: number;
  onset: number;
}

/**
 * `storefront` calls `quotes`, which calls `ledger`, by Prometheus' plain names, with OpenTelemetry's client metrics for
 * the edges and Kubernetes' state. The ledger fails and slows down after a rollout.
 */
export function plainSystem(triggeredAt: number, { broken = true } = {}): Made {
  const onset = triggeredAt - 6 * MINUTE;
  const since = broken ? onset : Number.POSITIVE_INFINITY;
  const history = new History({ from: triggeredAt - 200 * MINUTE, to: triggeredAt });
  const services = [
    { name: 'storefront', calls: ['quotes'], latency: [0.12, 0.4], errors: [0.001, 0.05], rate: 40 },
    { name: 'quotes', calls: ['ledger'], latency: [0.06, 0.32], errors: [0.001, 0.09], rate: 30 },
    { name: 'ledger', calls: [], latency: [0.02, 0.26], errors: [0.001, 0.11], rate: 25 },
    { name: 'mailer', calls: [], latency: [0.03, 0.03], errors: [0.001, 0.001], rate: 5 },
  ];
  for (const [i, { name, calls, latency, errors, rate }] of services.entries()) {
    const labels = {
      job: name,
      namespace: 'trading',
      pod: `${name}-7d9f8b6c5d-x2x4z`,
      instance: `10.0.0.${i + 2}:8080`,
    };
    const rates = level(i, rate);
    const failing = level(i + 10, errors[0] ?? 0, errors[1], since);
    history
      .gauge('up', labels, () => 1)
      .counter('http_requests_total', { ...labels, code: '200' }, (at) => rates(at) * (1 - failing(at)))
      .counter('http_requests_total', { ...labels, code: '500' }, (at) => rates(at) * failing(at))
      .histogram(
        'http_request_duration_seconds',
        labels,
        rates,
        level(i + 20, latency[0] ?? 0, latency[1], since),
        SECONDS,
      )
      .gauge('process_resident_memory_bytes', labels, level(i + 30, 200e6))
      .gauge('kube_deployment_spec_replicas', { namespace: 'trading', deployment: name }, () => 1);
    for (const callee of calls)
      history.histogram(
        'http_client_request_duration_seconds',
        { ...labels, server_address: `${callee}.trading.svc.cluster.local` },
        rates,
        level(i + 40, latency[0] ?? 0, latency[1], since),
        SECONDS,
      );
  }
  const build = (version: string) => ({ job: 'ledger', namespace: 'trading', version });
  const rollout = onset - MINUTE;
  const old = new History({ from: triggeredAt - 200 * MINUTE, to: broken ? rollout : triggeredAt });
  old.gauge('ledger_build_info', build('4.1.0'), () => 1);
  history.add(old);
  if (broken)
    history.add(
      new History({ from: rollout, to: triggeredAt }).gauge('ledger_build_info', build('4.2.0'), () => 1),
    );
  return { history, triggeredAt, onset };
}
