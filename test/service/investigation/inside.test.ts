import { describe, expect, it } from 'vitest';
import type { Databases, LookedInside, NamedDatabase } from '../../../src/service/databases/databases.ts';
import { type DatabaseFact, proofOf } from '../../../src/service/databases/fact.ts';
import { createDatabasesSource } from '../../../src/service/databases/source.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { completeArtifact } from '../../../src/service/investigation/types.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { combine } from '../../../src/service/telemetry/combined.ts';
import { type MadeSystem, madeSource } from '../../support/made-source.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 29, 14, 10);
const ONSET = NOW - 8 * MINUTE;

const named = (name: string, system: NamedDatabase['system'], port: number): NamedDatabase => ({
  name,
  system,
  title: system,
  host: '10.0.3.7',
  port,
  database: system === 'postgres' ? 'shop' : null,
});
const ORDERS = named('orders-db', 'postgres', 5432);
const CACHE = named('cache', 'redis', 6379);

const BLOCKED: DatabaseFact = {
  database: 'orders-db',
  system: 'postgres',
  kind: 'blocked-sessions',
  object: 'orders',
  sentence:
    'Session 4711 (`psql`, user `report`) has held an exclusive lock on `orders` since 14:02 UTC; 12 sessions wait for it.',
  since: ONSET,
  weight: 0.9,
  steps: [
    { title: 'Check what it is', type: 'check', content: 'select * from pg_stat_activity where pid = 4711;' },
    {
      title: 'End the session',
      type: 'command',
      content: 'select pg_terminate_backend(4711);',
      note: 'It is rolled back.',
    },
  ],
  proof: proofOf('pg_stat_activity', [{ pid: 4711, state: 'idle in transaction' }]),
};

const WELL: Omit<LookedInside, 'database' | 'system'> = {
  facts: [],
  comparedWith: null,
  unread: [],
  read: ['20 of 40 connections', 'locks'],
  connected: [],
  changes: [],
};

const wave = (at: number, level: number, size: number) => level + size * Math.sin(at / 600_000);
/** The shop fails since the onset. */
const FAILING: MadeSystem = {
  services: [{ name: 'storefront', kind: 'web' }],
  metrics: [
    { service: 'storefront', measure: 'requests', unit: '{request}/s', at: (at) => wave(at, 50, 1) },
    {
      service: 'storefront',
      measure: 'errors',
      unit: '1',
      at: (at) => (at >= ONSET ? 0.3 : wave(at, 0.002, 0.0005)),
    },
  ],
};

interface Asked {
  system?: MadeSystem;
  all?: readonly NamedDatabase[];
  facts?: readonly DatabaseFact[];
  inside?: Partial<LookedInside>;
  issue?: {
    title?: string;
    description?: string;
    service?: string | null;
    context?: Record<string, unknown>;
  };
  now?: number;
}

async function investigated({
  system = FAILING,
  all = [ORDERS, CACHE],
  facts = [BLOCKED],
  inside: more = {},
  issue = {},
  now = NOW,
}: Asked) {
  const looks: string[] = [];
  const databases: Databases = {
    all,
    look: async (name, reason) => {
      looks.push(`${name} ${reason}`);
      const { system: kind = 'postgres' } = all.find((one) => one.name === name) ?? {};
      return {
        ...WELL,
        ...more,
        database: name,
        system: kind,
        facts: facts.filter(({ database }) => database === name),
      };
    },
    changes: async () => [],
    takeFingerprints: async () => undefined,
  };
  let id = 0;
  const { results, artifacts } = await investigate(
    {
      title: 'StorefrontErrorRateHigh',
      description: 'More than 5% fail',
      environment: 'production',
      triggeredAt: NOW,
      service: 'storefront',
      context: {},
      ...issue,
    },
    combine([madeSource(system), createDatabasesSource(databases)]),
    { id: () => `id-${++id}`, now, budget: UNLIMITED },
  );
  return { results, artifacts, looks };
}

describe('where it is looked', () => {
  it('at what the failing service calls, where nothing else explains it', async () => {
    const system = {
      ...FAILING,
      services: [...FAILING.services, { name: 'shop', kind: 'database' as const }],
      edges: [{ caller: 'storefront', callee: 'shop' }],
    };
    expect((await investigated({ system })).looks).toEqual(['orders-db verdict']);
  });

  it('at each where the failing service says that it waits for a connection, and only other calls are known', async () => {
    const system = (message: string): MadeSystem => ({
      ...FAILING,
      services: [{ name: 'gateway', kind: 'web' }, ...FAILING.services],
      edges: [{ caller: 'gateway', callee: 'storefront' }],
      logs: [1, 2, 3, 4].map((minute) => ({
        at: ONSET + minute * MINUTE,
        service: 'storefront',
        instance: null,
        level: 'error',
        message,
        traceId: null,
      })),
    });
    const { looks, results } = await investigated({
      system: system('pg-pool: timeout exceeded when trying to connect'),
    });
    expect(looks).toEqual(['orders-db verdict', 'cache verdict']);
    expect(results.rootCause.rootCauseSummary).toContain(BLOCKED.sentence);
    const { looks: none } = await investigated({ system: system('cannot read properties of undefined') });
    expect(none).toEqual([]);
  });

  it('at what the alert names, by name, by address, or as the only one of its product', async () => {
    const well: MadeSystem = {
      ...FAILING,
      metrics: FAILING.metrics.slice(0, 1),
      edges: [{ caller: 'storefront', callee: 'payments' }],
      services: [...FAILING.services, { name: 'payments' }],
    };
    const of = async (issue: Asked['issue']) =>
      (await investigated({ system: well, ...(issue && { issue: { service: null, ...issue } }) })).looks;
    expect(await of({ title: 'Slow', context: { tags: ['server:10.0.3.7:5432'] } })).toEqual([
      'orders-db verdict',
    ]);
    expect(await of({ title: 'Slow', context: { tags: ['datname:shop'] } })).toEqual(['orders-db verdict']);
    expect(await of({ title: 'RedisOutOfMemory', description: 'Redis is out of memory' })).toEqual([
      'cache verdict',
    ]);
    expect(
      await of({ title: 'Disk of build-agent-7 is full', description: 'no space left for orders' }),
    ).toEqual([]);
  });

  it('at each of a few, where who calls whom is not known; at none where something else explains it', async () => {
    expect((await investigated({})).looks).toEqual(['orders-db verdict', 'cache verdict']);
    const explained: MadeSystem = {
      ...FAILING,
      metrics: [
        ...FAILING.metrics,
        {
          service: 'storefront',
          measure: 'memory',
          unit: 'By',
          limit: 1e9,
          at: (at) => (at >= ONSET - 10 * MINUTE ? 0.99e9 : wave(at, 0.4e9, 1e6)),
        },
        { service: 'storefront', measure: 'oom-kills', unit: '{kill}', at: (at) => (at >= ONSET ? 2 : 0) },
        { service: 'storefront', measure: 'restarts', unit: '{restart}', at: (at) => (at >= ONSET ? 2 : 0) },
      ],
    };
    expect((await investigated({ system: explained })).looks).toEqual([]);
  });

  it('at nothing that was over long ago', async () => {
    expect((await investigated({ now: NOW + 3 * 60 * MINUTE })).looks).toEqual([]);
  });
});

describe('what is told of it', () => {
  it('names a database that cannot be reached once', async () => {
    const sentence =
      'PostgreSQL orders-db at 10.0.0.5:5432 could not be reached: the connection was refused.';
    const down = { ...BLOCKED, kind: 'unreachable', object: 'orders-db', sentence } as const;
    const { results } = await investigated({ all: [ORDERS], facts: [down] });
    expect(results.rootCause.rootCauseSummary?.startsWith(sentence)).toBe(true);
    expect(results.causalTreeV2.nodes[0]).toMatchObject({
      title: 'No connection to orders-db',
    });
    expect(results.remediation.actions[0]).toMatchObject({ title: 'Fix orders-db' });
  });

  it('the cause, with its rows as proof, its steps first, and a fact of a store', async () => {
    const { results, artifacts } = await investigated({ all: [ORDERS] });
    const { rootCause, remediation, causalTreeV2, facts = [] } = results;
    expect(rootCause.rootCauseSummary).toMatch(
      /^PostgreSQL orders-db: Session 4711 \(`psql`, user `report`\) has held an exclusive lock on `orders` since 14:02 UTC; 12 sessions wait for it\./u,
    );
    const [evidence] = rootCause.relevantEvidence;
    expect(evidence).toMatchObject({ title: 'Inside orders-db: orders', confidence: 'high' });
    const shown = artifacts.find(({ id }) => id === evidence?.artifacts?.[0]?.documentId);
    expect(shown).toMatchObject({
      type: 'table',
      provider: 'postgres',
      data: { from: 'pg_stat_activity', rows: [{ pid: 4711, state: 'idle in transaction' }] },
    });
    // What is stored and served is held to the contract's form.
    for (const one of artifacts) expect(completeArtifact(one, NOW)).toMatchObject({ id: one.id });
    expect(remediation.actions?.[0]?.steps?.map(({ content, label }) => [label, content])).toEqual([
      ['Check first', 'select * from pg_stat_activity where pid = 4711;'],
      ['Run (optional)', 'select pg_terminate_backend(4711);'],
    ]);
    expect(causalTreeV2.nodes[0]).toMatchObject({ title: 'Inside orders-db: orders', nodeType: 'cause' });
    expect(facts.filter(({ what }) => what === 'store')).toMatchObject([
      {
        code: 'blocked-sessions',
        of: { service: 'orders-db', object: 'orders' },
        from: { source: 'postgres', query: 'pg_stat_activity' },
      },
    ]);
  });

  it('what is wrong and explains no failing call, beside what was found', async () => {
    const { results } = await investigated({
      all: [ORDERS],
      facts: [
        {
          ...BLOCKED,
          kind: 'log-kept-by-slot',
          object: 'slot standby_2',
          weight: 0.75,
          sentence: 'Nobody reads the slot.',
        },
      ],
    });
    expect(results.rootCause.rootCauseSummary ?? '').not.toContain('slot');
    expect(results.rootCause.relevantEvidence.map(({ title }) => title)).toContain(
      'Inside orders-db: slot standby_2',
    );
  });

  it('what was looked at and is well, and what could not be read', async () => {
    const { results } = await investigated({
      all: [ORDERS],
      facts: [],
      inside: {
        unread: ['Heavy statements of orders-db were not read: create extension pg_stat_statements;'],
      },
    });
    expect(results.rootCause.irrelevantEvidence).toContainEqual({
      title: 'Inside orders-db: no session blocks another',
      status: 'irrelevant',
      description: 'Looked at: 20 of 40 connections and locks.',
      confidence: 'high',
      artifacts: [],
    });
    expect(results.rootCause.incidentOverview).toContain('Heavy statements of orders-db were not read');
  });

  it('what changed inside as a suspect, and by whose deploy an index went', async () => {
    const change = {
      database: 'orders-db',
      part: 'index',
      name: 'reviews_product on reviews',
      was: 'x',
      is: null,
      after: ONSET - 10 * MINUTE,
      before: ONSET,
    };
    const deploy = {
      at: ONSET - 5 * MINUTE,
      service: 'storefront',
      kind: 'deploy',
      title: 'Deploy storefront 42',
      version: '42',
      ref: null,
      url: null,
      details: null,
    };
    const system = { ...FAILING, changes: [deploy] };
    const suspect = await investigated({ all: [ORDERS], facts: [], inside: { changes: [change] }, system });
    expect(suspect.results.rootCause.relevantEvidence).toContainEqual(
      expect.objectContaining({
        title: 'Changed inside orders-db: index `reviews_product on reviews` was dropped',
        confidence: 'low',
      }),
    );
    const dropped: DatabaseFact = {
      ...BLOCKED,
      kind: 'statement-slower',
      object: 'reviews_product',
      since: change.after,
      sentence: 'The index `reviews_product on reviews` was dropped, and what used it is slow.',
    };
    const { results } = await investigated({
      all: [ORDERS],
      facts: [dropped],
      inside: { changes: [change] },
      system,
    });
    expect(results.rootCause.rootCauseSummary).toContain(
      'what used it is slow. storefront 42 was deployed within that time, at 13:57 UTC.',
    );
  });
});
