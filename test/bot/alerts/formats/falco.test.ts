import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const WARNING = 'falco-warning';
const fields = (values: Record<string, string>) =>
  Object.entries(values).map(([title, value]) => ({ title, value, short: true }));
const KNOWN = {
  rule: 'Write below etc',
  priority: 'Notice',
  source: 'syscall',
  time: '2027-01-02 03:04:05.6 +0000 UTC',
};

describe("an event of Falco's", () => {
  it.each([
    ['Emergency', 'high'],
    ['Alert', 'high'],
    ['Critical', 'high'],
    ['Error', 'medium'],
    ['Warning', 'medium'],
    ['Notice', 'low'],
    ['Informational', 'low'],
    ['Debug', 'low'],
  ])('of the priority %s is %s', (priority, severity) => {
    expect(
      says(variant(WARNING, { fields: fields({ ...KNOWN, priority }) }), 'kind', 'severity'),
    ).toStrictEqual({
      kind: 'firing',
      severity,
    });
  });

  it('leaves fields that it does not state empty, under any webhook name', () => {
    const message = { ...variant(WARNING, { fields: fields(KNOWN), footer: '' }), username: 'x' };
    expect(says(message, 'format', 'title', 'errorType', 'host', 'tags', 'triggeredAt')).toStrictEqual({
      format: 'falco',
      title: 'Write below etc',
      errorType: 'Write below etc',
      host: null,
      tags: [],
      triggeredAt: '2027-01-02T03:04:05Z',
    });
  });

  it('is one event of a rule, host and pod, whatever else it carries', () => {
    const extra = fc.dictionary(fc.stringMatching(/^(?:proc|fd)\.[a-z]{3,8}$/), fc.string());
    fc.assert(
      fc.property(extra, fc.string(), (more, text) => {
        const message = variant(WARNING, {
          text: `10:00:00.1: ${text}`,
          fields: fields({
            ...more,
            'k8s.pod.name': 'payments-api-5d7c9',
            hostname: 'node-eu-3',
            rule: 'Terminal shell in container',
          }),
        });
        expect(says(message, 'fingerprint')).toStrictEqual(says(messageOf(WARNING), 'fingerprint'));
      }),
    );
    const other = variant(WARNING, { fields: fields({ ...KNOWN, hostname: 'node-eu-3' }) });
    expect(says(other, 'fingerprint')).not.toStrictEqual(says(messageOf(WARNING), 'fingerprint'));
  });

  it('is not an alert when it is a test', () => {
    const message = variant(WARNING, { fields: fields({ ...KNOWN, rule: 'Test rule', priority: 'Debug' }) });
    expect(says(message, 'kind', 'title')).toStrictEqual({ kind: 'not_an_alert', title: 'Test rule' });
  });
});
