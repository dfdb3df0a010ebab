import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { issueIdOf, referenceOf } from '../../../src/bot/filing/reference.ts';
import { type RequestDefaults, requestForAlert } from '../../../src/bot/filing/request.ts';
import { IssueCreate } from '../../../src/contract/schema.ts';
import { anAlert } from '../../support/an-alert.ts';

const PERMALINK = 'https://acme.slack.com/archives/C1/p1773748800000100';
const origin = { issueId: 'abc', channel: 'C1', ts: '1773748800.000100', permalink: PERMALINK };
const defaultsOf = (environment: string): RequestDefaults => ({
  environment,
  severity: 'medium',
  earlier: null,
});

describe('the create request for an alert', () => {
  it('says nothing that the message does not say, but where it stands and when', () => {
    expect(requestForAlert(anAlert(), origin, defaultsOf('prod'))).toEqual({
      title: 'CPU is high',
      description: `CPU is high\n\n- State: firing\n\n---\nSlack: ${PERMALINK}\nReference: gumshoe-abc`,
      environment: 'production',
      severity: 'medium',
      triggeredAt: '2026-03-17T12:00:00.000Z',
      context: {
        metadata: { source: 'alertmanager', fingerprint: 'cpu', channel: 'C1', slackTs: '1773748800.000100' },
      },
    });
  });

  it('carries everything that the message says', () => {
    const stated = {
      alertUrl: 'https://alerts.example/1',
      service: 'checkout',
      traceId: 't',
      spanId: 's',
      errorType: 'Timeout',
      errorMessage: 'no answer',
      host: 'web-1',
      region: 'eu-west-1',
      version: '1.2.3',
      tags: ['team:shop'],
    };
    const alert = anAlert({
      ...stated,
      description: '  The CPU of web-1\nis at 97 %  ',
      severity: 'high',
      environment: 'stg',
      triggeredAt: '2026-03-17T11:58:30Z',
    });
    expect(requestForAlert(alert, { ...origin, permalink: null }, defaultsOf('production'))).toEqual({
      title: 'CPU is high',
      description: `The CPU of web-1
is at 97 %

- State: firing
- Severity: high
- Environment: stg
- Service: checkout
- Host: web-1
- Region: eu-west-1
- Version: 1.2.3
- Trace: t
- Span: s
- Error: Timeout: no answer
- Alert: https://alerts.example/1

---
Reference: gumshoe-abc`,
      environment: 'staging',
      severity: 'high',
      triggeredAt: '2026-03-17T11:58:30Z',
      context: {
        ...stated,
        metadata: { source: 'alertmanager', fingerprint: 'cpu', channel: 'C1', slackTs: origin.ts },
      },
    });
  });

  it('has a title of one line and at most 500 characters, cut at a word; the whole is in the description', () => {
    const long = `${'disk full '.repeat(60)}\non web-1`;
    const { title, description } = requestForAlert(
      anAlert({ title: long, description: long }),
      origin,
      defaultsOf('prod'),
    );
    expect(title).toBe(`${'disk full '.repeat(49)}disk…`);
    expect(description).toContain('on web-1');
  });

  it('finds a title where the message has none', () => {
    const titleOf = (title: string | null, errorMessage: string | null) =>
      requestForAlert(anAlert({ title, errorMessage }), origin, defaultsOf('prod')).title;
    expect([
      titleOf(null, 'no answer'),
      titleOf(' \n', 'no answer'),
      titleOf(null, null),
      titleOf('', ' '),
    ]).toEqual(['no answer', 'no answer', 'Alert without a title', 'Alert without a title']);
  });

  it('takes the severity of the channel where the message states none', () => {
    const severityOf = (severity: Alert['severity']) =>
      requestForAlert(anAlert({ severity }), origin, { ...defaultsOf('prod'), severity: 'low' }).severity;
    expect([severityOf(null), severityOf('high')]).toEqual(['low', 'high']);
  });

  it('names the earlier issue of the same alert, with its root cause cut at 500 characters', () => {
    const describe = (rootCause: string | null) =>
      requestForAlert(anAlert(), origin, {
        ...defaultsOf('prod'),
        earlier: { number: 12, resolvedAt: Date.UTC(2026, 2, 16, 8, 30), rootCause },
      }).description.split('\n\n')[2];
    const earlier = 'Earlier: #12, resolved 2026-03-16T08:30:00.000Z';
    expect(describe('the pool\nwas empty')).toBe(`${earlier}: the pool was empty`);
    expect(describe('pool '.repeat(200))).toBe(`${earlier}: ${'pool '.repeat(98)}pool…`);
    expect(describe(null)).toBe(earlier);
  });

  it('keeps a description that people can read, however long the message', () => {
    const long = anAlert({ description: 'disk full '.repeat(10_000), errorMessage: 'x '.repeat(1_000) });
    const { description } = requestForAlert(long, origin, defaultsOf('prod'));
    expect(description.length).toBeLessThan(21_000);
    expect(description).toMatch(/disk…\n\n- State: firing\n- Error: (?:x ){248}x…\n\n---\nSlack: /);
  });

  it('is one that the contract takes, whatever the message says', () => {
    const words = fc.option(fc.string({ unit: 'binary', maxLength: 700 }));
    fc.assert(
      fc.property(words, words, words, words, (title, description, environment, errorMessage) => {
        const alert = anAlert({ title, description, environment, errorMessage });
        const request = requestForAlert(alert, origin, defaultsOf('production'));
        expect(IssueCreate.safeParse(request).error).toBeUndefined();
        expect(request.description.endsWith('Reference: gumshoe-abc')).toBe(true);
      }),
    );
  });
});

describe('references', () => {
  it('come from the cause alone, so that the same cause is found again', () => {
    expect(referenceOf(issueIdOf('C1', '1.0'))).toBe(referenceOf(issueIdOf('C1', '1.0')));
    expect(referenceOf(issueIdOf('C1', '1.0'))).toMatch(/^gumshoe-[0-9a-f]{20}$/u);
  });

  it('do not mix up causes that look alike when written together', () => {
    expect(issueIdOf('C1', '11.0')).not.toBe(issueIdOf('C11', '1.0'));
  });
});
