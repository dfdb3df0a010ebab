import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const CREATED = 'opsgenie-created';

describe('an alert of Opsgenie', () => {
  it.each([
    ['New alert', 'firing'],
    ['Open', 'firing'],
    ['Closed', 'resolved'],
    ['Alert closed', 'resolved'],
    ['Acknowledged', 'not_an_alert'],
    ['Alert acknowledged', 'not_an_alert'],
    ['Snoozed', 'not_an_alert'],
  ])('with status %s is %s, and the same alert', (value, kind) => {
    const message = variant(CREATED, { fields: [{ title: 'Status', value }] });
    expect(says(message, 'kind', 'fingerprint')).toStrictEqual({
      kind,
      ...says(messageOf(CREATED), 'fingerprint'),
    });
  });

  it.each([
    ['New alert', 'firing'],
    ['Alert closed', 'resolved'],
    ['Dana acknowledged alert', 'not_an_alert'],
    ['Alert has been acknowledged', 'not_an_alert'],
  ])('below %s is %s where no status is stated', (pretext, kind) => {
    expect(says(variant(CREATED, { pretext, fields: [], fallback: '' }), 'kind')).toStrictEqual({ kind });
  });

  it.each([
    ['P1', 'high'],
    ['P3', 'medium'],
    ['P5', 'low'],
  ])('of %s is %s', (value, severity) => {
    expect(
      says(variant(CREATED, { fields: [{ title: 'Priority', value }] }), 'severity', 'tags'),
    ).toStrictEqual({
      severity,
      tags: [],
    });
  });

  it('is recognised by its name without its link, and by its link without its name', () => {
    expect(says(variant(CREATED, { title_link: undefined }), 'format', 'title')).toStrictEqual({
      format: 'opsgenie',
      title: '#4812: orders-db replication lag',
    });
    const { bot_profile: _, ...anonymous } = messageOf(CREATED);
    expect(says(anonymous, 'format')).toStrictEqual({ format: 'opsgenie' });
  });
});
