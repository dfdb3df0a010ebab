import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const OPEN = 'gcp-incident-open';

describe('an incident of Google Cloud', () => {
  it.each([
    ['Incident #0.lxfiw61fsv7p is ongoing', 'firing'],
    ['Incident #0.lxfiw61fsv7p is resolved', 'resolved'],
    ['Incident #0.lxfiw61fsv7p has been closed.', 'resolved'],
    ['Incident #0.lxfiw61fsv7p is acknowledged', 'not_an_alert'],
  ])('%s: %s', (title, kind) => {
    const message = variant(OPEN, { title, fallback: undefined });
    expect(says(message, 'kind', 'fingerprint')).toStrictEqual({
      kind,
      ...says(messageOf(OPEN), 'fingerprint'),
    });
  });

  it.each([
    ['open', 'firing'],
    ['closed', 'resolved'],
  ])('in state %s is %s, whatever its title says', (value, kind) => {
    expect(says(variant(OPEN, { fields: [{ title: 'State', value }] }), 'kind')).toStrictEqual({ kind });
  });

  it('is named by its title where no policy is stated', () => {
    expect(says(variant(OPEN, { fields: [] }), 'title', 'severity')).toStrictEqual({
      title: 'Incident #0.lxfiw61fsv7p is ongoing',
      severity: null,
    });
  });

  it('is another one in another project, and under another number', () => {
    const at = (page: string) =>
      says(
        variant(OPEN, {
          title_link: `https://console.cloud.google.com/monitoring/alerting/incidents/${page}`,
        }),
        'fingerprint',
      );
    expect(at('0.a?project=x')).not.toStrictEqual(at('0.a?project=y'));
    expect(at('0.a?project=x')).not.toStrictEqual(at('0.b?project=x'));
    expect(at('0.a?project=x')).toStrictEqual(at('0.a?authuser=1&project=x'));
  });
});
