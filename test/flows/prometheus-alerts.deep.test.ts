import { describe, expect, it, onTestFinished } from 'vitest';
import type { Mode } from '../support/program.ts';
import { hasPrometheus, startPrometheus } from '../support/prometheus/prometheus.ts';
import { SCENARIOS } from '../support/prometheus/scenarios/index.ts';
import { listed, wholeProgramOn } from '../support/prometheus/whole-program.ts';

const MINUTE = 60_000;

/** The whole program on a system to which something happens right now. */
async function programOn(name: string, mode: Mode) {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`There is no "${name}".`);
  const { history } = scenario.make(Math.floor(Date.now() / MINUTE) * MINUTE);
  const prometheus = await startPrometheus(history);
  onTestFinished(prometheus.stop);
  const program = await wholeProgramOn(prometheus.url, mode);
  onTestFinished(program.close);
  return program;
}

describe.skipIf(!hasPrometheus())('from an alert of Alertmanager’s to the verdict in its thread', () => {
  it('with OpenTelemetry’s metrics and a service graph, over socket', async () => {
    const name = 'OpenTelemetry with a service graph: a slow database two calls away';
    const program = await programOn(name, 'socket');
    const thread = await program.alert({ title: 'HighLatency (lab/specimen-desk critical)' });
    expect(thread).toMatch(/Slow queries on pg-spectra: longest transaction up to/u);
    expect(thread).toContain('specimen-desk p95 latency rose from');
  });

  it('with Istio and Kubernetes, where the labels of a pod find the service, over http', async () => {
    const program = await programOn('Istio over Kubernetes: a new image fails', 'http');
    const labels = {
      alertname: 'Http5xx',
      namespace: 'ground',
      pod: 'pass-planner-7d9f8b6c5d-x2x4z',
      severity: 'critical',
    };
    const thread = await program.alert({ title: 'Http5xx', text: listed(labels) });
    expect(thread).toMatch(/Degradation of ephemeris after a deploy: 1\.5\.0 rolled out at \d\d:\d\d UTC/u);
    expect(thread).toContain('pass-planner error rate rose from');
  });
});
