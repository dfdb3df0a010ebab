import { describe, expect, it } from 'vitest';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { known, type StateFinding, unknown } from '../../../src/service/telemetry/model.ts';
import { deploy, found, level, MINUTE, ONSET, system } from './freight.ts';

const finding = (name: string, more: Partial<StateFinding> = {}): StateFinding => ({
  object: `app/${name}`,
  cause: 'service_selector_mismatch',
  namespace: 'freight',
  workload: { namespace: 'freight', kind: 'Deployment', name },
  sentence: `Service \`${name}\` selects \`app=x\`; the pods have \`app=${name}\`.`,
  evidence: [`the selector of Service \`${name}\` is \`app=x\``],
  ruledOut: ['no node is short of memory'],
  show: `kubectl describe service ${name} -n freight`,
  mend: `kubectl edit service ${name} -n freight`,
  confidence: 0.96,
  ...more,
});
const cluster = (...state: StateFinding[]) =>
  partialSource({
    name: 'kubernetes',
    check: async () => ({ name: 'kubernetes', ok: true, summary: '', details: [] }),
    state: async () => known(state),
  });

describe('the state of the cluster, in an investigation', () => {
  it('explains an alert about the front by what it calls', async () => {
    const { summary, causes, commands, evidence, actions } = await found(system({}), {}, [
      cluster(finding('tariffs')),
    ]);
    expect(summary).toMatch(
      /^Service `tariffs` selects `app=x`; the pods have `app=tariffs`\. In the metrics: /u,
    );
    expect(causes).toEqual(['State of tariffs']);
    expect(commands.slice(0, 2)).toEqual([
      'kubectl describe service tariffs -n freight',
      'kubectl edit service tariffs -n freight',
    ]);
    expect(actions[0]).toBe('Fix tariffs');
    expect(evidence[0]).toEqual({
      title: 'State of tariffs',
      status: 'relevant',
      description:
        'Service `tariffs` selects `app=x`; the pods have `app=tariffs`. The selector of Service `tariffs` is `app=x`.',
      confidence: 'high',
      artifacts: [],
    });
  });

  it('elsewhere needs no change that merely came before it', async () => {
    const { summary, actions, investigation } = await found(
      system({
        tariffs: { errors: level(0.002, 0.2) },
        changes: [deploy('portal', ONSET - 2 * MINUTE), deploy('tariffs', ONSET - 3 * MINUTE)],
      }),
      {},
      [cluster(finding('printer', { explains: ['app/tariffs'] }))],
    );
    expect(summary).not.toContain('after a deploy');
    expect(actions[0]).toBe('Fix printer');
    expect(actions).not.toContain('Look at 7.3.0 of tariffs');
    expect(investigation.results.causalTreeV2.nodes?.map(({ nodeType }) => nodeType)).not.toContain(
      'trigger',
    );
  });

  it('is the cause where no metric shows anything, with a tree of its own', async () => {
    const calm = system({ felt: false, tariffs: {} });
    const { summary, overview, investigation } = await found(calm, {}, [cluster(finding('tariffs'))]);
    expect(summary).toBe('Service `tariffs` selects `app=x`; the pods have `app=tariffs`.');
    expect(overview).toMatch(/^The cluster itself shows what is wrong: /u);
    expect(investigation.results.causalTreeV2).toEqual({
      nodes: [
        expect.objectContaining({ id: 'state of app/tariffs', nodeType: 'cause' }),
        expect.objectContaining({ id: 'portal', nodeType: 'outcome' }),
      ],
      edges: [{ from: 'state of app/tariffs', to: 'portal', confidence: 0.96 }],
    });
    expect(investigation.results.rootCause.irrelevantEvidence).toContainEqual(
      expect.objectContaining({ description: 'No node is short of memory.' }),
    );
  });

  it('counts for what it explains: a node for the pods on it', async () => {
    const node = finding('tariffs', {
      object: 'node/worker-1',
      workload: { namespace: '', kind: 'Node', name: 'worker-1' },
      sentence: 'Node `worker-1` does not report any more.',
      explains: ['app/tariffs'],
    });
    const { summary } = await found(system({}), {}, [cluster(node)]);
    expect(summary).toMatch(/^Node `worker-1` does not report any more\./u);
  });

  it('elsewhere is mentioned, and blamed for nothing', async () => {
    const made = system({});
    const alone = await found(made, {});
    const { cause, summary, investigation } = await found(made, {}, [cluster(finding('printer'))]);
    expect([cause, summary]).toEqual([alone.cause, alone.summary]);
    expect(investigation.results.rootCause.irrelevantEvidence).toContainEqual(
      expect.objectContaining({ title: 'Also wrong, elsewhere: printer', status: 'irrelevant' }),
    );
  });

  it('that is not certain is evidence, and no cause', async () => {
    const { summary, evidence } = await found(system({}), {}, [
      cluster(finding('tariffs', { confidence: 0.65 })),
    ]);
    expect(summary).not.toContain('selects');
    expect(evidence.map(({ title }) => title)).toContain('State of tariffs');
  });

  it('was otherwise lately: what Kubernetes reported is told, and that nothing is wrong any more, or what is left', async () => {
    const reported = partialSource({
      name: 'kubernetes',
      check: async () => ({ name: 'kubernetes', ok: true, summary: '', details: [] }),
      logs: async (service, window) =>
        known(
          [
            {
              at: ONSET - 20 * MINUTE,
              message: 'FailedScheduling: 0/2 nodes are available',
              reporter: 'kubernetes',
            },
            { at: ONSET, message: 'listening on :8080' },
          ]
            .map((line) => ({ ...line, service: 'portal', instance: null, level: 'warn', traceId: null }))
            .filter((line) => line.service === service || service === null)
            .filter(({ at }) => at >= window.from),
        ),
    });
    const calm = { services: [{ name: 'portal' }], metrics: [] };
    const { overview } = await found(calm, {}, [reported]);
    expect(overview).toContain(
      'Kubernetes reported of portal at 10:02 UTC: `FailedScheduling: 0/2 nodes are available`; no check finds anything wrong with it now.',
    );
    expect(overview).toContain('Of 1 line of its logs');
    const left = finding('portal', {
      cause: 'pod_terminating',
      isLeftover: true,
      confidence: 0.5,
      sentence: 'A pod of `portal` does not end.',
    });
    expect((await found(calm, {}, [reported, cluster(left)])).overview).toContain(
      '`FailedScheduling: 0/2 nodes are available`; now: A pod of `portal` does not end.',
    );
  });

  it('of something else comes before one that says only that the service of the issue is down', async () => {
    const gone = system({
      edges: [],
      metrics: [{ service: 'portal', measure: 'up', unit: '{instance}', at: level(1, 0), bad: 'low' }],
    });
    const down = finding('portal', {
      cause: 'down',
      sentence: 'portal is down since 10:22 UTC.',
      source: 'prometheus',
      since: ONSET,
      show: null,
      mend: null,
      confidence: 0.8,
    });
    const crash = finding('printer', {
      cause: 'crash_loop',
      sentence: '`printer` crashes.',
      confidence: 0.4,
    });
    const { summary, causes, actions } = await found(gone, {}, [cluster(down, crash)]);
    expect(summary).toMatch(/^`printer` crashes\. portal is down since 10:22 UTC\. In the metrics: /u);
    expect(causes).toEqual(['State of printer']);
    expect(actions[0]).toBe('Fix printer');
  });

  it('of a node short of memory names who uses more of it than they asked for, and no leak of the machine', async () => {
    const GIB = 2 ** 30;
    const memory = (service: string, most: number) => ({
      service,
      measure: 'memory' as const,
      unit: 'By',
      at: level(0.5 * GIB, most * GIB),
    });
    const made = system({
      felt: false,
      tariffs: {},
      services: ['portal', 'booking', 'tariffs', 'printer', 'worker-1'].map((name) => ({ name })),
      metrics: [
        memory('tariffs', 7.5),
        memory('booking', 0.5),
        { service: 'worker-1', measure: 'memory', unit: '1', at: level(0.5, 0.99), shared: true },
      ],
    });
    const node = finding('worker-1', {
      object: 'node/worker-1',
      cause: 'node_memory_pressure',
      workload: { namespace: '', kind: 'Node', name: 'worker-1' },
      sentence: 'Node `worker-1` is short of memory.',
      explains: ['app/tariffs', 'app/booking'],
      asked: [
        { app: 'tariffs', bytes: 0.25 * GIB },
        { app: 'booking', bytes: GIB },
      ],
    });
    const { summary, actions } = await found(
      made,
      { title: 'worker-1 is out of memory', service: 'worker-1' },
      [cluster(node)],
    );
    expect(summary).toMatch(
      /^Node `worker-1` is short of memory\. `tariffs` uses \d,\d+ MiB where it asked for 256 MiB\./u,
    );
    expect(`${summary} ${actions.join(' ')}`).not.toMatch(/leak|[Rr]estart worker/u);
  });

  it('that begins with what the alert measures counts, although its service was slow before', async () => {
    const expression = 'sum by (app) (rate(lost_total[1m]))';
    const threshold = { comparison: '>', value: 10 };
    const about = { labels: {}, annotations: {}, heldFor: 0 } as const;
    const slow = { service: 'portal', measure: 'latency', unit: 's', bad: 'high' } as const;
    const gone = system({
      edges: [],
      metrics: [{ ...slow, at: level(0.02, 4, ONSET - 5 * MINUTE) }],
      rule: {
        rule: { name: 'Lost', expression, threshold, ...about },
        series: [{ service: '', labels: { app: 'portal' }, at: level(1, 40) }],
      },
    });
    const locked = finding('vault', {
      ...{
        cause: 'departs',
        sentence: 'vault is locked.',
        source: 'prometheus',
        since: ONSET,
        confidence: 0.6,
      },
      ...{ show: null, mend: null },
    });
    const { summary } = await found(gone, { title: 'Lost', service: 'portal' }, [cluster(locked)]);
    expect(summary).toMatch(/^vault is locked\. In the metrics: /u);
  });

  it('that explains what waits is looked at, and what waits is not scaled', async () => {
    const waiting = system({
      felt: false,
      tariffs: {},
      services: [{ name: 'orders', kind: 'queue' }, { name: 'packer' }],
      edges: [],
      metrics: [{ service: 'orders', measure: 'queue', unit: '{message}', at: level(2, 400) }],
    });
    const down = finding('packer', {
      ...{ cause: 'down', source: 'prometheus', since: ONSET, confidence: 0.8, show: null, mend: null },
      sentence: 'packer is down since 10:22 UTC.',
      query: 'up{job="packer"}',
    });
    const about = { title: 'Too many messages in orders', service: 'orders' };
    const { investigation } = await found(waiting, about, [cluster(down)]);
    const actions = investigation.results.remediation.actions ?? [];
    expect(actions.map(({ title, steps }) => [title, steps.map(({ content }) => content)])).toEqual([
      ['Look at packer', ['up{job="packer"}']],
    ]);
    // A pool whose kind is known has the steps of its kind.
    expect(investigation.results.rootCause.incidentOverview).not.toContain('problem is in');
    const up = { service: 'packer', measure: 'up', unit: '{instance}', bad: 'low', at: level(1, 0) } as const;
    const gone = await found(
      system({ felt: false, tariffs: {}, services: [{ name: 'packer' }], edges: [], metrics: [up] }),
      { title: 'packer is down', service: 'packer' },
      [cluster(down)],
    );
    expect(gone.actions[0]).toBe('Get packer running again');
    const pool = { service: 'tariffs', measure: 'waiting', unit: '{request}', at: level(0.1, 6) } as const;
    const full = {
      ...down,
      object: 'app/tariffs',
      cause: 'used-up',
      sentence: 'The pool of tariffs is full.',
    };
    const known = await found(system({ metrics: [pool] }), {}, [cluster(full)]);
    expect(known.summary).toMatch(
      /^The pool of tariffs is full\. In the metrics: Connection-pool exhaustion/u,
    );
    expect(known.actions[0]).toBe('Free up connections in tariffs');
  });

  it('that cannot be read changes nothing', async () => {
    const made = system({});
    const alone = await found(made, {});
    const broken = { ...cluster(), state: async () => unknown('Kubernetes is away.') };
    const { summary, overview, investigation } = await found(made, {}, [broken]);
    expect([summary, overview]).toEqual([alone.summary, alone.overview]);
    expect(investigation.gaps).toContainEqual(
      expect.objectContaining({ what: 'state', reason: 'Kubernetes is away.' }),
    );
  });
});
