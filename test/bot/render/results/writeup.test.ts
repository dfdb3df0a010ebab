import { expect, it } from 'vitest';
import { readMetric } from '../../../../src/bot/render/charts/metric.ts';
import { type WriteupIssue, writeupComes, writeupFile } from '../../../../src/bot/render/results/writeup.ts';
import { issueNumber } from '../../../../src/bot/shared/issue-number.ts';

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

const samples = (values: Record<string, number>) => ({
  type: 'metric',
  data: {
    name: 'payments requests',
    description: 'throughput',
    unit: '{request}/s',
    dataPoints: Object.entries(values).map(([time, asDouble]) => ({
      attributes: [{ key: 'service.name', value: { stringValue: 'payments' } }],
      timeUnixNano: `${at(time)}000000`,
      asDouble,
    })),
  },
});

const ISSUE: WriteupIssue = {
  number: 12,
  title: 'Checkout answers <502>',
  severity: 'high',
  environment: 'production',
  service: 'checkout',
  channel: '#alerts',
  url: 'https://acme.slack.com/archives/C1/p1',
  filedAt: at('08:05'),
  resolvedAt: at('08:40'),
  recoveredAt: at('08:30'),
  repeats: 2,
  isAttached: false,
  steps: [
    {
      action: { title: 'Roll back payments', category: 'immediate' },
      step: { title: 'Roll back' },
      done: { by: '@Alice', at: at('08:20') },
    },
    { action: { title: 'Fix it', category: 'follow_up' }, step: { title: 'Add a canary' }, done: null },
  ],
  acts: [
    { at: at('08:20'), who: '@Alice', what: 'did step 1 of version 1' },
    { at: at('08:25'), who: '@Bob', what: 'wrote note 1' },
    { at: at('08:40'), who: '@Bob', what: 'resolved it' },
    { at: at('08:45'), who: '@Bob', what: 'asked for the write-up' },
  ],
  notes: [{ who: '@Bob', text: 'Pods were *slow*', at: at('08:25'), editedAt: null }],
  otherVerdicts: [],
};

it('a write-up is made of what is stored, names the artifact of each figure, and leaves the rest to people', () => {
  const throughput = readMetric(samples({ '07:59': 50, '08:01': 48, '08:02': 3, '08:35': 0 }));
  const { name, title, text } = writeupFile({
    issues: [
      ISSUE,
      {
        ...ISSUE,
        number: 13,
        title: 'Cart is slow',
        service: 'cart',
        severity: 'medium',
        url: null,
        filedAt: at('08:07'),
        recoveredAt: at('08:32'),
        repeats: 0,
        steps: [],
        acts: [],
        notes: [],
      },
    ],
    results: {
      rootCause: {
        rootCauseSummary: 'Deploy 2.41 of payments broke it.',
        incidentOverview: 'Checkout answered 24 % of requests with 502.',
        relevantEvidence: [{ title: 'Errors rose', artifacts: [{ documentId: 'art-1' }] }],
        irrelevantEvidence: [{ title: 'Database', description: 'Unchanged.' }],
      },
      causalTreeV2: { nodes: [{ nodeType: 'cause', evidence: [{ documentId: 'art-3' }] }] },
      timeline: [
        { timestamp: '2026-11-20T07:58:00Z', title: 'Deploy 2.41', type: 'change' },
        {
          timestamp: '2026-11-20T08:00:00Z',
          title: 'Bad deploy hits payments',
          type: 'onset',
          evidence: [{ artifactId: 'art-1' }],
        },
      ],
    },
    verdictAt: at('08:06'),
    peaks: [
      ...(metric === null ? [] : [{ id: 'art-1', metric }]),
      ...(throughput === null ? [] : [{ id: 'art-2', metric: throughput }]),
    ],
    simulated: false,
  });
  expect([name, title]).toEqual(['write-up-12.md', 'Write-up of #12 and #13']);
  expect(text).toBe(`# Write-up of #12 and #13: Checkout answers \\<502\\>

A draft from what Gumshoe has stored. All times are UTC. It is about systems, not people.

## Summary

As of 2026-11-20 08:06: Checkout answered 24 % of requests with 502.

## Issues

- [#12](https://acme.slack.com/archives/C1/p1) Checkout answers \\<502\\> (high, production, in #alerts): filed 2026-11-20 08:05, recovered 2026-11-20 08:30, resolved 2026-11-20 08:40
- #13 Cart is slow (medium, production, in #alerts): filed 2026-11-20 08:07, recovered 2026-11-20 08:32, resolved 2026-11-20 08:40

## Impact

- How long: 32 min, from 2026-11-20 08:00 to 2026-11-20 08:32 (the alert recovered)
- Services with alerts: checkout, cart
- Services in the evidence: payments
- Severity: high, medium
- Alerts fired again 2 times
- Error rate · payments: 24% at the peak, 2026-11-20 08:02
- Throughput · payments: 3 at the lowest, 50 before, 2026-11-20 08:02

## Timeline

- 2026-11-20 07:58 – Deploy 2.41
- 2026-11-20 08:00 – Bad deploy hits payments
- 2026-11-20 08:05 – Filed as #12: Checkout answers \\<502\\>
- 2026-11-20 08:06 – Verdict: Deploy 2.41 of payments broke it.
- 2026-11-20 08:07 – Filed as #13: Cart is slow
- 2026-11-20 08:20 – @Alice did: Roll back
- 2026-11-20 08:30 – The alert recovered (#12)
- 2026-11-20 08:32 – The alert recovered (#13)
- 2026-11-20 08:40 – @Bob resolved it (#12)
- 2026-11-20 08:40 – Resolved (#13)

## Cause

Deploy 2.41 of payments broke it.

### Evidence

- Errors rose (artifact \`art-1\`)

### Ruled out

- Database: Unchanged.

## What helped

- Roll back payments: Roll back (@Alice, 2026-11-20 08:20)

## Notes

- 2026-11-20 08:25, @Bob on #12: Pods were *slow*

## Follow-ups

- [ ] Fix it: Add a canary

## What went well

## What did not go well

## Where we were lucky

## What we learned
`);
});

it('the write-up of one open issue without results says no more than that', () => {
  const { text } = writeupFile({
    issues: [
      {
        ...ISSUE,
        resolvedAt: null,
        recoveredAt: null,
        repeats: 0,
        steps: [],
        acts: [],
        notes: [],
        service: null,
        channel: null,
      },
    ],
    results: {},
    verdictAt: null,
    peaks: [],
    simulated: true,
  });
  expect(text).toContain('**Simulated: not your systems**');
  expect(text).toContain('- How long: Since 2026-11-20 08:05, not over yet\n- Severity: high\n');
  expect(text).toContain(
    '## Timeline\n\n- 2026-11-20 08:05 – Filed as #12\n\n## Cause\n\nThe investigation found no cause.',
  );
  expect(text).toContain('## Follow-ups\n\n- [ ] \n');
});

it('says how many other write-ups come first', () => {
  const number = issueNumber({ number: 12, organization: 'default' });
  expect(writeupComes(number).text).toBe('The write-up of #12 will be posted in its thread as a file.');
  expect(writeupComes(number, 19).text).toBe(
    'The write-up of #12 will be posted in its thread as a file. 19 others are before it: it takes up to a minute.',
  );
});

it('what was changed between verdict and recovery helped, though nobody ticked a step', () => {
  const change = (time: string, title: string) => ({
    ...{ type: 'change', timestamp: `2026-11-20T${time}:00Z`, title },
  });
  const timeline = [
    change('07:58', 'payments 2.41 (was 2.40)'),
    change('08:25', 'payments 2.40 (was 2.41)'),
    change('08:35', 'cart 7'),
  ];
  const view = { results: { timeline }, verdictAt: at('08:06'), peaks: [], simulated: false };
  const { text } = writeupFile({ ...view, issues: [{ ...ISSUE, steps: [] }] });
  expect(text).toContain(
    '## What helped\n\n- payments 2.40 (was 2.41) (seen in telemetry, 2026-11-20 08:25, 5 min before the end)\n\n',
  );
  expect(text).toContain('- 2026-11-20 08:25 – payments 2.40 (was 2.41)\n');
});

it('keeps the verdicts that a later one took the place of, with what they had seen', () => {
  const rollback = { type: 'change', timestamp: '2026-11-20T08:15:00Z', title: 'payments 2.40 (was 2.41)' };
  const rootCause = { rootCauseSummary: 'Deploy 2.41 of payments broke it.' };
  const results = { rootCause: { rootCauseSummary: 'redis is down.' }, timeline: [rollback] };
  const first = { at: at('08:06'), results: { rootCause, timeline: [rollback] } };
  const view = { results, verdictAt: at('08:31'), peaks: [], simulated: false };
  const { text } = writeupFile({ ...view, issues: [{ ...ISSUE, otherVerdicts: [first] }] });
  const timeline = text.slice(text.indexOf('## Timeline'), text.indexOf('## Cause'));
  expect(timeline).toContain('08:06 – Verdict: Deploy 2.41 of payments broke it.\n');
  expect(timeline).toContain('08:31 – Verdict: redis is down.\n');
  expect(timeline.match(/2\.40 \(was 2\.41\)/gu)).toHaveLength(1);
});

it('a write-up of what is over calls nothing ongoing', () => {
  const results = {
    rootCause: {
      rootCauseSummary: 'Deploy 2.41 of payments broke it.',
      incidentOverview:
        'Errors rose at 08:00 UTC. Caused by payments. Ongoing. Of 12 services 3 were compared.',
      relevantEvidence: [{ title: 'Errors rose', description: 'Ongoing since 08:00 UTC.' }],
    },
  };
  const view = { results, verdictAt: at('08:06'), peaks: [], simulated: false };
  const { text } = writeupFile({ ...view, issues: [ISSUE] });
  expect(text).toContain(
    'As of 2026-11-20 08:06: Errors rose at 08:00 UTC. Caused by payments. Of 12 services 3 were compared.',
  );
  expect(text).toContain('- Errors rose: From 08:00 UTC on.');
  expect(text).not.toMatch(/ongoing/iu);
  const open = writeupFile({ ...view, issues: [{ ...ISSUE, recoveredAt: null, resolvedAt: null }] });
  expect(open.text).toContain('Caused by payments. Ongoing. Of 12 services');
});

it.each([
  ['`rate(errors_total[1m]) > 0.05` is high', '`rate(errors_total[1m]) > 0.05` is high'],
  ['`a` <b> `c', '\\`a\\` \\<b\\> \\`c'],
  ['``a`` <b>', '\\`\\`a\\`\\` \\<b\\>'],
])('leaves code as it is copied, and marks without a pair are none: %s', (title, shown) => {
  const { text } = writeupFile({
    issues: [{ ...ISSUE, title }],
    results: {},
    verdictAt: null,
    peaks: [],
    simulated: false,
  });
  expect(text.split('\n')[0]).toBe(`# Write-up of #12: ${shown}`);
});
