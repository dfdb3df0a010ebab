import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/service/store/store.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { createReportedChanges } from '../../../src/service/telemetry/changes/reported.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { START, temporaryFolder, testService } from '../support.ts';

const TOKEN = 'a-token-of-a-pipeline';
const SECRETS = {
  launchdarkly: 'secret-of-launchdarkly',
  flagsmith: 'secret-of-flagsmith',
  flipt: 'secret-of-flipt',
  statsig: 'secret-of-statsig',
};
const AT = START - 60_000;
const ISO = new Date(AT).toISOString();

/** As each tool documents it. */
const WEBHOOKS = {
  launchdarkly: {
    _links: {
      canonical: { href: '/api/v2/flags/shop/new-cart' },
      site: { href: '/shop/production/features/new-cart' },
    },
    date: AT,
    kind: 'flag',
    name: 'New cart',
    titleVerb: 'turned on the flag',
    member: { email: 'ada@example.com' },
    target: { resources: ['proj/shop:env/production:flag/new-cart;beta,payments'] },
  },
  unleash: {
    id: 42,
    type: 'feature-environment-enabled',
    createdBy: 'ada',
    createdAt: ISO,
    project: 'payments',
    environment: 'production',
    featureName: 'new-cart',
    tags: [],
  },
  flagsmith: {
    event_type: 'FLAG_UPDATED',
    data: {
      changed_by: 'Ada',
      timestamp: ISO,
      new_state: {
        enabled: false,
        environment: { id: 1, name: 'Production' },
        feature: { id: 2, name: 'payments_v2', project: { id: 3, name: 'Shop' } },
      },
      previous_state: {
        enabled: true,
        environment: { id: 1, name: 'Production' },
        feature: { id: 2, name: 'payments_v2', project: { id: 3, name: 'Shop' } },
      },
    },
  },
  flipt: {
    version: '0.2',
    type: 'flag',
    action: 'updated',
    timestamp: ISO,
    metadata: { actor: { authentication: 'oidc', email: 'ada@example.com' } },
    payload: { key: 'new-cart', name: 'New cart', namespace_key: 'payments', enabled: true },
  },
  statsig: {
    data: [
      {
        eventName: 'statsig::config_change',
        timestamp: AT,
        user: { name: 'Ada', email: 'ada@example.com' },
        metadata: {
          type: 'Gate',
          name: 'new_cart',
          projectID: 'p1',
          projectName: 'Shop',
          description: '- Gate enabled',
          tags: ['service:payments'],
        },
      },
      { eventName: 'statsig::log_event', timestamp: AT, metadata: null },
    ],
  },
};
type Tool = keyof typeof WEBHOOKS;

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

function signatureOf(tool: Tool, body: string, { secret, at }: { secret?: string; at?: number }) {
  const own = secret ?? (tool === 'unleash' ? '' : SECRETS[tool]);
  const seconds = String(at ?? START);
  const headers: Record<Tool, Record<string, string>> = {
    launchdarkly: { 'x-ld-signature': hmac(own, body) },
    unleash: { authorization: `Bearer ${secret ?? TOKEN}` },
    flagsmith: { 'x-flagsmith-signature': hmac(own, body) },
    flipt: { 'x-flipt-webhook-signature': hmac(own, body) },
    statsig: {
      'x-statsig-request-timestamp': seconds,
      'x-statsig-signature': `v0=${hmac(own, `v0:${seconds}:${body}`)}`,
    },
  };
  return headers[tool];
}

async function taking(over: Parameters<typeof testService>[0] = {}) {
  const file = join(temporaryFolder(), 'service.db');
  const clock = manualClock(START);
  const { service, close } = await testService({
    file,
    clock,
    changesToken: TOKEN,
    changesSecrets: SECRETS,
    ...over,
  });
  const send = async (tool: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(`/changes/${tool}`, service().url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const answer: unknown = await response.json();
    return { status: response.status, answer };
  };
  const report = (
    tool: Tool,
    { body = WEBHOOKS[tool], ...how }: { body?: unknown; secret?: string; at?: number } = {},
  ) => {
    const text = JSON.stringify(body);
    return send(tool, text, signatureOf(tool, text, how));
  };
  /** What an investigation reads of it. */
  const read = async () => {
    await close();
    const store = await openStore({ file });
    const changes = await createReportedChanges(store.changes).changes({ from: 0, to: START + 1 }, UNLIMITED);
    await store.close();
    return changes.known ? changes.value : [];
  };
  return { send, report, read };
}

describe('POST /changes/<tool>', () => {
  it('takes a changed flag of every tool, with its service, and the page on which it is set back', async () => {
    const { report, read } = await taking();
    for (const tool of ['launchdarkly', 'unleash', 'flagsmith', 'flipt', 'statsig'] as const)
      expect([tool, (await report(tool)).status]).toEqual([tool, 201]);
    const changes = (await read()).map(({ at, service, kind, title, undo, authors }) => [
      [at, service, kind],
      title,
      undo?.content ?? null,
      authors?.[0],
    ]);
    const common = [AT, 'payments', 'flag'];
    expect(changes.sort()).toEqual(
      [
        [
          common,
          'Flag new-cart: turned on the flag in production',
          'On https://app.launchdarkly.com/shop/production/features/new-cart set the flag back to what it was.',
          'ada@example.com',
        ],
        [common, 'Flag new-cart: feature environment enabled in production', null, 'ada'],
        [common, 'Flag payments_v2: turned off in Production', null, 'Ada'],
        [common, 'Flag new-cart: updated in payments, which is on', null, 'ada@example.com'],
        [
          common,
          'Flag new_cart: - Gate enabled',
          'On https://console.statsig.com/p1/gates/new_cart set the flag back to what it was.',
          'ada@example.com',
        ],
      ].sort(),
    );
  });

  it('stores one that is sent again once', async () => {
    const { report, read } = await taking();
    await report('launchdarkly');
    await report('launchdarkly');
    expect(await read()).toHaveLength(1);
  });

  it.each(['launchdarkly', 'unleash', 'flagsmith', 'flipt', 'statsig'] as const)(
    'refuses %s with a wrong secret, or without any proof',
    async (tool) => {
      const { report, send, read } = await taking();
      expect((await report(tool, { secret: 'guessed' })).status).toBe(401);
      expect((await send(tool, JSON.stringify(WEBHOOKS[tool]))).status).toBe(401);
      expect(await read()).toEqual([]);
    },
  );

  it('refuses a signature over another body, and one whose time is more than five minutes off', async () => {
    const { send, report } = await taking();
    const headers = signatureOf('flagsmith', JSON.stringify(WEBHOOKS.flagsmith), {});
    expect((await send('flagsmith', '{"event_type":"FLAG_UPDATED"}', headers)).status).toBe(401);
    expect((await report('statsig', { at: START - 301_000 })).status).toBe(401);
    expect((await report('statsig', { at: START + 299_000 })).status).toBe(201);
  });

  it('names no service where none is named, nor where two are', async () => {
    const { report, read } = await taking();
    const { unleash } = WEBHOOKS;
    for (const [n, over] of [
      { project: 'default', featureName: 'dark-mode' },
      { project: 'default', featureName: 'Payments.newCart' },
      { project: 'default', featureName: 'new-payments' },
      { tags: [{ value: 'web' }, { value: 'payments' }] },
      { project: 'payments', tags: [{ value: 'service:web' }] },
    ].entries())
      await report('unleash', { body: { ...unleash, ...over, createdAt: new Date(AT + n).toISOString() } });
    expect((await read()).map(({ service }) => service)).toEqual([null, 'payments', null, null, 'web']);
  });

  it('has the page below the address of the webhook, and believes no address beside a signature', async () => {
    const { send, read } = await taking();
    const page = 'page=https://unleash.example.com/ui/';
    const unleash = JSON.stringify(WEBHOOKS.unleash);
    await send(`unleash?${page}`, unleash, signatureOf('unleash', unleash, {}));
    const flagsmith = JSON.stringify(WEBHOOKS.flagsmith);
    await send(`flagsmith?${page}`, flagsmith, signatureOf('flagsmith', flagsmith, {}));
    const other = JSON.stringify({
      ...WEBHOOKS.unleash,
      featureName: 'b',
      createdAt: new Date(AT + 1).toISOString(),
    });
    await send('unleash?page=javascript:alert(1)', other, signatureOf('unleash', other, {}));
    expect((await read()).map(({ url }) => url).sort()).toEqual([
      'https://unleash.example.com/ui/projects/payments/features/new-cart',
      null,
      null,
    ]);
  });

  it('takes what changes no flag for nothing, and says what it cannot read', async () => {
    const { report, send, read } = await taking();
    expect(await report('launchdarkly', { body: { ...WEBHOOKS.launchdarkly, kind: 'project' } })).toEqual({
      status: 200,
      answer: { changes: [] },
    });
    expect(await report('unleash', { body: { ...WEBHOOKS.unleash, type: 'feature-tagged' } })).toMatchObject({
      status: 200,
    });
    expect(await report('flagsmith', { body: { hello: 1 } })).toMatchObject({
      status: 400,
      answer: { message: 'The body is not a webhook of flagsmith' },
    });
    expect(await send('toggles', '{}')).toMatchObject({
      status: 404,
      answer: {
        message:
          'There is no such source of changes: use POST /changes, or /changes/ with one of launchdarkly, unleash, flagsmith, flipt, statsig',
      },
    });
    expect((await send('flipt', 'x'.repeat(1_100_000))).status).toBe(413);
    expect(await read()).toEqual([]);
  });

  it('is off for a tool without a secret where no token is set', async () => {
    const { report } = await taking({ changesToken: null, changesSecrets: { flipt: SECRETS.flipt } });
    expect((await report('flipt')).status).toBe(201);
    expect((await report('unleash')).status).toBe(404);
    expect((await report('flagsmith')).status).toBe(404);
  });
});
