import { describe, expect, it } from 'vitest';
import { personsMessage, says } from '../fixtures.ts';

const kindOf = (text: string, parts = {}) => says(personsMessage(text, parts), 'kind').kind;

describe("a person's message", () => {
  it.each([
    'checkout is down',
    'P1: login broken for EU',
    'anyone else seeing 500s on checkout?',
    'users are getting errors on checkout',
    'payments latency is really high in prod',
    'everything is down!!',
    "we're seeing elevated latency on search in staging",
    'image uploads time out for everyone',
    "the admin page doesn't load",
    'nightly backup failed again',
    'SEV2 - image uploads time out',
    '<!channel> search keeps crashing since the deploy :fire:',
    'still failing: checkout returns 502',
  ])('is a report: %s', (text) => {
    expect(kindOf(text)).toBe('firing');
  });

  it.each([
    'checkout recovered',
    'search is back to normal',
    'payments is healthy again',
    'all clear',
    'checkout is back',
  ])('is an all-clear: %s', (text) => {
    expect(kindOf(text)).toBe('resolved');
  });

  it.each([
    'good morning',
    'remember when prod went down because of that cert? good times',
    'the site was down last week',
    'is prod down?',
    'will restart the prod db tonight, it is slow',
    'still not resolved',
    'let me know when it is fixed',
    "it isn't back yet",
    'coming back in 5',
    'lunch is down the street',
    'planned maintenance: checkout will be down at 22:00',
    'the postmortem of the checkout outage is up',
    'Looking at the checkout regressions now',
    'deploying checkout 1.2.3 to production',
    '',
  ])('is neither: %s', (text) => {
    expect(kindOf(text)).toBe('not_an_alert');
  });

  it('in a thread is an answer, in the channel as well or not', () => {
    const reply = { thread_ts: '1794990000.000100' };
    expect(kindOf('checkout is down', reply)).toBe('not_an_alert');
    expect(kindOf('checkout is down', { ...reply, subtype: 'thread_broadcast' })).toBe('not_an_alert');
  });

  it('that began a thread is still a report', () => {
    expect(kindOf('checkout is down', { thread_ts: '1794993262.000100' })).toBe('firing');
  });

  it('names service, environment and region', () => {
    const message = personsMessage(
      'staging orders-api in eu-west-1 is returning 500s, upstream connection refused',
    );
    expect(
      says(message, 'title', 'service', 'environment', 'region', 'severity', 'errorMessage'),
    ).toStrictEqual({
      title: 'staging orders-api in eu-west-1 is returning 500s, upstream connection refused',
      service: 'orders-api',
      environment: 'staging',
      region: 'eu-west-1',
      severity: null,
      errorMessage: 'upstream connection refused',
    });
  });

  it('ends the report of the same service', () => {
    expect(says(personsMessage('checkout recovered'), 'fingerprint')).toStrictEqual(
      says(personsMessage('prod Checkout is down'), 'fingerprint'),
    );
  });

  it('is not read from an alert that it links to', () => {
    const attachments = [
      { title: '[FIRING:1] HighErrorRate', from_url: 'https://x.example.io', color: 'a30200' },
    ];
    expect(kindOf('have a look <https://x.example.io>', { attachments })).toBe('not_an_alert');
  });

  it('is read from its blocks where it has no text', () => {
    const section = {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'checkout is down ' },
        { type: 'emoji', name: 'fire' },
      ],
    };
    const blocks = [{ type: 'rich_text', elements: [section] }];
    expect(says(personsMessage('', { blocks }), 'kind', 'title')).toStrictEqual({
      kind: 'firing',
      title: 'checkout is down',
    });
  });
});
