import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const ALERT = 'splunk-alert';
const link = (name: string) => `https://splunk.example.io/app/search/alert?s=%2Fsaved%2Fsearches%2F${name}`;

describe('an alert of Splunk', () => {
  it('is the same alert with any results, and another for another search', () => {
    const at = (fields: unknown, name: string) =>
      says(variant(ALERT, { fields, title_link: link(name), ts: 1794999999 }), 'kind', 'fingerprint');
    expect(at([{ title: 'count', value: '5' }], 'a')).toStrictEqual(at([], 'a'));
    expect(at([], 'a')).not.toStrictEqual(at([], 'b'));
    expect(at([], 'a').kind).toBe('firing');
  });

  it('takes the columns that it knows from the result', () => {
    const fields = Object.entries({
      env: 'qa',
      service: 'pay',
      severity: 'high',
      region: 'eu-west-1',
      clientip: '10.0.0.1',
    });
    const message = variant(ALERT, { fields: fields.map(([title, value]) => ({ title, value })) });
    expect(says(message, 'environment', 'service', 'severity', 'region', 'host', 'tags')).toStrictEqual({
      environment: 'qa',
      service: 'pay',
      severity: 'high',
      region: 'eu-west-1',
      host: null,
      tags: [],
    });
  });

  it.each([
    ['its footer', { footer: undefined }],
    ['its title’s link and its fallback', { title_link: undefined, fallback: undefined }],
    ['its footer and its title’s link', { footer: undefined, title_link: undefined }],
  ])('is recognised without %s', (_, parts) => {
    expect(says(variant(ALERT, parts), 'format', 'title')).toStrictEqual({
      format: 'splunk',
      title: 'Checkout payment declines',
    });
  });

  it('has its message in its attachment where its owner chose so, and else none but a link', () => {
    expect(
      says({ ...variant(ALERT, { text: '9 declines &gt; 5' }), text: '' }, 'errorMessage'),
    ).toStrictEqual({
      errorMessage: '9 declines > 5',
    });
    expect(says({ ...messageOf(ALERT), text: '' }, 'errorMessage')).toStrictEqual({ errorMessage: null });
  });
});
