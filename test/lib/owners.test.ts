import { describe, expect, it } from 'vitest';
import { ownerOf } from '../../src/bot/owners/index.ts';
import { readOwners } from '../../src/lib/owners.ts';

const lines = `
# service        owner and where to ask
*                @acme/platform
checkout*        payments         C0PAYMENTS  oncall:PABC123   # since May
/services/search @ana @bo         #search
orders
`;

const catalog = `---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata:
  name: payments
  links: [{ url: 'https://acme.slack.com/archives/C0PAYMENTS', title: Slack }]
  annotations: { gumshoe/on-call: Payments_schedule }
spec: { type: team, profile: { displayName: Payments } }
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: { name: checkout }
spec: { type: service, owner: 'group:default/payments' }
---
kind: Component
metadata: [broken
---
spec: { owner: nobody }
`;

describe('the file of owners', () => {
  it('is lines as in CODEOWNERS; what is not understood is named with its line, and the rest counts', () => {
    const { entries, problems } = readOwners(lines);
    expect(entries).toEqual([
      { services: 'services/search', name: '@ana, @bo', channel: null, schedule: null, page: null },
      { services: 'checkout*', name: 'payments', channel: 'C0PAYMENTS', schedule: 'PABC123', page: null },
      { services: '*', name: 'platform', channel: null, schedule: null, page: null },
    ]);
    expect(problems).toEqual([
      "line 5: #search is a channel's name; write its ID, which is at the end of its details in Slack",
      'line 6: no owner follows orders',
    ]);
  });

  it('or a catalog of Backstage’s', () => {
    const { entries, problems } = readOwners(catalog);
    expect(entries).toEqual([
      {
        services: 'checkout',
        name: 'Payments',
        channel: 'C0PAYMENTS',
        schedule: 'Payments_schedule',
        page: null,
      },
    ]);
    expect(problems).toEqual([
      expect.stringMatching(/^line 1[5-9]: /u),
      'line 17: an entity without kind or metadata.name',
    ]);
  });
});

describe('the owner of a service', () => {
  const { entries } = readOwners(lines);
  const ownerNamed = (service: string | null, ...tags: string[]) =>
    ownerOf({ service, tags }, entries.slice(0, 2))?.name ?? null;

  it('is that of the last line that matches, or the team that the alert’s labels name', () => {
    expect(ownerOf({ service: 'anything', tags: [] }, entries)?.name).toBe('platform');
    expect(ownerNamed('checkout-api')).toBe('payments');
    expect(ownerNamed('Search')).toBe('@ana, @bo');
    expect(ownerNamed('pre-checkout')).toBeNull();
    expect(ownerNamed('cart', 'env:prod', 'app.kubernetes.io/part-of:shop')).toBe('shop');
    expect(ownerNamed(null, 'owner:bo', 'team:infra')).toBe('infra');
    expect(ownerNamed('cart', 'team:')).toBeNull();
  });

  it('a team of a label is asked and on call as the file says', () => {
    expect(ownerOf({ service: 'cart', tags: ['team:Payments'] }, entries.slice(0, 2))).toMatchObject({
      channel: 'C0PAYMENTS',
      schedule: 'PABC123',
      page: null,
    });
  });
});
