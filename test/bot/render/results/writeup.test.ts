import { expect, it } from 'vitest';
import { readMetric } from '../../../../src/bot/render/pictures/metric.ts';
import { writeupFile } from '../../../../src/bot/render/results/writeup.ts';

const at = (time: string) => Date.parse(`2026-11-20T${time}:00Z`);

const metric = readMetric({
  type: 'metric',
  data: {
    name: 'payments errors.ratio',
    description: 'error rate',
    unit: '1',
    dataPoints: ['08:01', '08:02'].map((time, index) => ({
      attributes: [{ key: 'service.name', value: { stringValue: 'payments' } }],
      timeUnixNano: `${at(time)}000000`,
      asDouble: index === 0 ? 0.01 : 0.24,
    })),
  },
});

it('a write-up is made of what is stored, names the artifact of each figure, and leaves the rest to people', () => {
  const { name, text } = writeupFile({
    number: 12,
    title: 'Checkout answers <502>',
    severity: 'high',
    environment: 'production',
    service: 'checkout',
    status: 'resolved',
    filedAt: at('08:05'),
    resolvedAt: at('08:40'),
    recoveredAt: at('08:30'),
    repeats: 2,
    attached: [13],
    results: {
      rootCause: {
        rootCauseSummary: 'Deploy 2.41 of payments broke it.',
        incidentOverview: 'Checkout answered 24 % of requests with 502.',
        relevantEvidence: [{ title: 'Errors rose', artifacts: [{ documentId: 'art-1' }] }],
        irrelevantEvidence: [{ title: 'Database', description: 'Unchanged.' }],
      },
      timeline: [{ timestamp: '2026-11-20T08:00:00Z', title: 'Deploy 2.41', type: 'change' }],
    },
    peaks: metric === null ? [] : [{ id: 'art-1', metric }],
    steps: [
      {
        action: { title: 'Roll back payments', category: 'immediate' },
        step: { title: 'Roll back' },
        done: { by: 'U0ALICE', at: at('08:20') },
      },
      { action: { title: 'Fix it', category: 'follow_up' }, step: { title: 'Add a canary' }, done: null },
    ],
    acts: [
      { at: at('08:20'), who: 'U0ALICE', what: 'did the step “Roll back”' },
      { at: at('08:40'), who: 'U0BOB', what: 'resolved it' },
    ],
    notes: [{ number: 1, who: 'U0BOB', text: 'Pods were *slow*', at: at('08:25'), editedAt: null }],
    simulated: false,
  });
  expect(name).toBe('write-up-12.md');
  expect(text).toBe(`# Write-up of #12: Checkout answers \\<502\\>

A draft from what Gumshoe has stored. All times are UTC. It is about systems and not about people.

## Summary

Checkout answered 24 % of requests with 502.

## Impact

- How long: 30 min, from 2026-11-20 08:00 to 2026-11-20 08:30 (the alert recovered)
- Service of the alert: checkout (production)
- Severity: high
- The alert fired again 2 times
- Of the same cause: #13
- Error rate · payments: 24% at the peak, 2026-11-20 08:02 (artifact \`art-1\`)

## Timeline

- 2026-11-20 08:00 – Deploy 2.41
- 2026-11-20 08:05 – Filed as #12
- 2026-11-20 08:20 – @U0ALICE did: Roll back
- 2026-11-20 08:30 – The alert recovered
- 2026-11-20 08:40 – @U0BOB resolved it

## Cause

Deploy 2.41 of payments broke it.

### Evidence

- Errors rose (artifact \`art-1\`)

### Ruled out

- Database: Unchanged.

## What helped

- Roll back payments: Roll back (@U0ALICE, 2026-11-20 08:20)

## Notes

- 2026-11-20 08:25, @U0BOB: Pods were *slow*

## Follow-ups

- [ ] Fix it: Add a canary

## What went well

## What did not go well

## Where we were lucky

## What we learned
`);
});
