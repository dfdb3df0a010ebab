import { describe, expect, it } from 'vitest';
import { messageOf, says } from '../fixtures.ts';

const DEPLOY = 'rollbar-deploy';
const text = '[shop] kim deployed revision 0a1b2c3 to staging';

describe('a deploy notice of Rollbar', () => {
  it('is not an alert, and names its environment', () => {
    const message = { ...messageOf(DEPLOY), text: `${text} <https://rollbar.com/deploy/1/>` };
    expect(says(message, 'format', 'kind', 'environment', 'fingerprint')).toStrictEqual({
      format: 'rollbar',
      kind: 'not_an_alert',
      environment: 'staging',
      fingerprint: null,
    });
  });

  it('is recognised by its name without its link, and by its link without its name', () => {
    const { bot_profile: _, ...anonymous } = messageOf(DEPLOY);
    expect(says({ ...messageOf(DEPLOY), text }, 'format')).toStrictEqual({ format: 'rollbar' });
    expect(says(anonymous, 'format')).toStrictEqual({ format: 'rollbar' });
    expect(says({ ...anonymous, text }, 'format')).toStrictEqual({ format: 'generic' });
  });
});
