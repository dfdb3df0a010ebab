import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const FAILED = 'github-actions-failed';
const line = (status: string, workflow = 'Deploy production', branch = 'main') =>
  `:x: *${workflow}* ${status} in <https://github.com/acme/checkout-api|acme/checkout-api@refs/heads/${branch}> on <https://github.com/acme/checkout-api/commit/4be1f2c9|4be1f2c>`;

describe('a run of GitHub Actions', () => {
  it.each([
    ['failed', 'firing'],
    ['passed', 'not_an_alert'],
    ['passed with warnings', 'not_an_alert'],
    ['cancelled', 'not_an_alert'],
    ['skipped', 'not_an_alert'],
  ])('that %s is %s', (status, kind) => {
    expect(
      says(variant(FAILED, { text: line(status) }), 'kind', 'title', 'service', 'version'),
    ).toStrictEqual({
      kind,
      title: `Deploy production ${status}`,
      service: 'acme/checkout-api',
      version: '4be1f2c',
    });
  });

  it('is one alert a workflow and branch, whatever the run', () => {
    const one = says(messageOf(FAILED), 'fingerprint');
    const footer = '<https://github.com/acme/checkout-api/actions/runs/77|View Run>';
    const next = { footer, text: line('failed').replaceAll('4be1f2c', 'aaaa111') };
    expect(says(variant(FAILED, next), 'fingerprint')).toStrictEqual(one);
    const texts = [line('failed', 'Deploy production', 'dev'), line('failed', 'Deploy staging')];
    for (const text of texts) expect(says(variant(FAILED, { text }), 'fingerprint')).not.toStrictEqual(one);
  });

  it('is recognised by its link under another heading, and may name neither branch nor commit', () => {
    const text = ':x: *Nightly failed tests* failed in <https://ghe.acme.io/acme/shop|acme/shop>';
    const footer = '<https://ghe.acme.io/acme/shop/actions/runs/3|View Run>';
    const message = { ...variant(FAILED, { text, footer, pretext: 'CI', fallback: 'CI' }), username: 'x' };
    expect(says(message, 'format', 'kind', 'title', 'service', 'version', 'alertUrl')).toStrictEqual({
      format: 'github-actions',
      kind: 'firing',
      title: 'Nightly failed tests failed',
      service: 'acme/shop',
      version: null,
      alertUrl: 'https://ghe.acme.io/acme/shop/actions/runs/3',
    });
  });
});
