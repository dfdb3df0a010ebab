import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { alertCases, readStep } from './cases.ts';

function problemOf(alert: Alert | undefined): string | null {
  if (alert?.fingerprint == null) return null;
  return `${alert.fingerprint}@${(alert.environment ?? '').toLowerCase()}`;
}

function expression(written: string): RegExp {
  return written.startsWith('(?i)') ? new RegExp(written.slice(4), 'iu') : new RegExp(written, 'u');
}

/** Cases that are read wrongly at first sight, by what is wrong: they are to become fewer, and none may be added. */
const OPEN: readonly string[] = [
  'litellm report',
  'spanish-argocd-monitor other',
  'spanish-argocd-monitor problem',
  'spanish-argocd-monitor problem-again',
  'trivy-rich-text many',
];

describe.each(alertCases.map((one) => [one.name, one] as const))('%s', (name, { steps }) => {
  const read = new Map(steps.map((step) => [step.step, readStep(step)]));
  it.each(steps.map((step) => [step.step, step] as const))('%s', (at, { expected }) => {
    const alerts = read.get(at) ?? [];
    const [alert] = alerts;
    const wrong: string[] = [];
    const kind = alert?.kind ?? 'not_an_alert';
    if (expected.kind !== undefined && kind !== expected.kind) wrong.push(`${kind}, not ${expected.kind}`);
    if (expected.kindIn !== undefined && !expected.kindIn.includes(kind)) wrong.push(kind);
    for (const key of ['severity', 'environment', 'host'] as const)
      if (expected[key] !== undefined && (alert?.[key] ?? null) !== expected[key])
        wrong.push(`${key} ${alert?.[key]}`);
    for (const key of ['title', 'host', 'service'] as const) {
      const wanted = expected[`${key}Matches`];
      if (wanted !== undefined && !expression(wanted).test(alert?.[key] ?? ''))
        wrong.push(`${key} “${alert?.[key]}”`);
    }
    for (const other of [expected.fingerprintSameAs ?? []].flat())
      if (problemOf(alert) === null || problemOf(alert) !== problemOf(read.get(other)?.[0]))
        wrong.push(`another problem than ${other}`);
    for (const other of [expected.fingerprintDiffersFrom ?? []].flat())
      if (problemOf(alert) === problemOf(read.get(other)?.[0])) wrong.push(`the same problem as ${other}`);
    if (expected.count !== undefined && alerts.length !== expected.count)
      wrong.push(`${alerts.length} alerts`);
    expect(wrong.length > 0 ? `${name} ${at}` : null, wrong.join('; ')).toBe(
      OPEN.includes(`${name} ${at}`) ? `${name} ${at}` : null,
    );
  });
});
