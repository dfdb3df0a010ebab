import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const ACTIVATED = 'newrelic-activated';

describe('an issue of New Relic', () => {
  it.each([
    ['CREATED', 'firing'],
    ['ACTIVATED', 'firing'],
    ['ACKNOWLEDGED', 'not_an_alert'],
    ['CLOSED', 'resolved'],
  ])('in state %s is %s, by its field and by its text', (word, kind) => {
    const same = { kind, ...says(messageOf(ACTIVATED), 'fingerprint', 'title') };
    const keys = ['kind', 'fingerprint', 'title'] as const;
    expect(says(variant(ACTIVATED, { fields: [{ title: 'State', value: word }] }), ...keys)).toStrictEqual(
      same,
    );
    expect(says(variant(ACTIVATED, { fields: [], text: `Issue ${word}` }), ...keys)).toStrictEqual(same);
  });

  it('of several entities is no single service’s', () => {
    const fields = [
      { title: 'Priority', value: 'HIGH' },
      { title: 'Condition', value: 'High memory' },
    ];
    expect(says(variant(ACTIVATED, { fields }), 'severity', 'service', 'host')).toStrictEqual({
      severity: 'high',
      service: null,
      host: null,
    });
  });

  it('is another one with another id, and the same in the other data centre’s address', () => {
    const at = (url: string) => says(variant(ACTIVATED, { title_link: url }), 'fingerprint');
    const id = '0ea2df1c-adab-45d2-aae0-042b609d2322';
    const eu = `https://radar-api.service.eu.newrelic.com/accounts/1234567/issues/${id}`;
    expect(at(eu)).toStrictEqual(says(messageOf(ACTIVATED), 'fingerprint'));
    expect(at(eu.replace('0ea2', '1ea2'))).not.toStrictEqual(at(eu));
  });
});
