import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const FAILED = 'argocd-sync-failed';
const saying = (text: string, changes: Record<string, unknown> = {}) => ({
  ...variant(FAILED, changes),
  text,
});

describe("a message of Argo CD's", () => {
  it.each([
    [
      ':exclamation: Application checkout-api-prod has degraded.\nApplication details: <https://a.io/x>.',
      'firing',
    ],
    [":exclamation: Application checkout-api-prod sync is 'Unknown'.", 'firing'],
    [
      ':white_check_mark: Application checkout-api-prod has been successfully synced at 2026-11-18T13:02:05Z.',
      'not_an_alert',
    ],
    [
      'The sync operation of application checkout-api-prod has started at 2026-11-18T13:02:05Z.',
      'not_an_alert',
    ],
    ['Application checkout-api-prod has been created.', 'not_an_alert'],
  ])('%s is %s', (text, kind) => {
    expect(says(saying(text), 'format', 'kind', 'title')).toStrictEqual({
      format: 'argocd',
      kind,
      title: 'checkout-api-prod',
    });
  });

  it('says when and why a sync failed', () => {
    const text =
      'The sync operation of application shop has failed at 2027-01-02T03:04:05Z with the following error: dial tcp: i/o &lt;timeout&gt;\nSync operation details are available at: <https://a.io/x>';
    expect(
      says(
        saying(text, { title: 'shop', fields: [] }),
        'service',
        'triggeredAt',
        'errorType',
        'errorMessage',
      ),
    ).toStrictEqual({
      service: 'shop',
      triggeredAt: '2027-01-02T03:04:05Z',
      errorType: null,
      errorMessage: 'dial tcp: i/o <timeout>',
    });
  });

  it('says the condition of an application that degraded', () => {
    const fields = [
      { title: 'ComparisonError', value: 'rpc error: code = Unknown', short: true },
      { title: 'Health Status', value: 'Degraded', short: true },
    ];
    expect(
      says(saying('Application shop has degraded.', { fields }), 'errorType', 'errorMessage', 'triggeredAt'),
    ).toStrictEqual({
      errorType: 'ComparisonError',
      errorMessage: 'rpc error: code = Unknown',
      triggeredAt: null,
    });
  });

  it("is one alert an application, and another's is another", () => {
    const one = says(messageOf(FAILED), 'fingerprint');
    expect(says(saying('Application checkout-api-prod has degraded.'), 'fingerprint')).toStrictEqual(one);
    const other = saying('Application search has degraded.', { title: 'search' });
    expect(says(other, 'fingerprint')).not.toStrictEqual(one);
  });

  it('is recognised by its name where the attachment is missing', () => {
    const message = { ...messageOf(FAILED), attachments: [] };
    expect(says(message, 'format', 'kind', 'title', 'alertUrl')).toStrictEqual({
      format: 'argocd',
      kind: 'firing',
      title: 'checkout-api-prod',
      alertUrl: null,
    });
  });
});
