import { expect, it } from 'vitest';
import { writtenFor } from '../../../../src/service/telemetry/prometheus/among.ts';
import {
  POD_SUFFIX,
  reported,
  SCRAPED,
  WORKLOAD,
  withWorkload,
} from '../../../../src/service/telemetry/prometheus/promql.ts';

const KNOWN = new Set(['job', 'app', 'namespace', 'pod']);
const written = (rows: Record<string, string>[], expression: string, place = SCRAPED, known = KNOWN) =>
  writtenFor(rows, expression, { place }, known);

it('reads some services by the label that names them, quoted as it is', () => {
  const rows = [{ job: 'cart' }, { job: 'pay.ments"' }];
  expect(written(rows, 'sum by (job) (rate(requests_total{code="500"}[2m]))')).toBe(
    String.raw`sum by (job) (rate(requests_total{code="500",job=~"cart|pay\\.ments\""}[2m]))`,
  );
});

it('takes a label that all of their series have', () => {
  const rows = [
    { app: 'cart', job: 'pods' },
    { app: '', job: 'cart' },
  ];
  expect(written(rows, 'up')).toBe('up{job=~"pods|cart"}');
});

it('reads everything where no label is common to them', () => {
  expect(written([{ app: 'cart' }, { job: 'payments' }], 'up')).toBe('up');
});

it('reads workloads by the names of their pods', () => {
  const rows = [{ workload: 'cart', namespace: 'shop' }];
  expect(written(rows, withWorkload('cpu'), WORKLOAD)).toBe(
    withWorkload(`cpu{pod=~${JSON.stringify(`(?:cart)(?:${POD_SUFFIX})?`)}}`),
  );
});

it('does not ask for a value that only the expression gives a label', () => {
  const own = 'label_replace(cert, "app", "$1", "app", "(.+)-tls")';
  expect(written([{ app: 'cart' }], own)).toBe(own);
  const pods = withWorkload(reported('ready'));
  const rows = [{ workload: 'cart', namespace: '' }];
  expect(written(rows, pods, WORKLOAD, new Set([...KNOWN, 'exported_pod']))).toBe(pods);
  expect(written(rows, pods, WORKLOAD)).toContain('ready{pod=~');
});

it('reads the calls among some services', () => {
  const edge = { caller: ['client'], callee: ['server'], side: 'callee' as const };
  const rows = [
    { client: 'web', server: 'cart' },
    { client: 'cart', server: 'payments' },
  ];
  expect(writtenFor(rows, 'rate(calls[2m])', { place: SCRAPED, edge }, KNOWN)).toBe(
    'rate(calls{client=~"web|cart",server=~"cart|payments"}[2m])',
  );
});
