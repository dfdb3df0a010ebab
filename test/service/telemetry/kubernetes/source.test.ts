import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createKubernetesSource } from '../../../../src/service/telemetry/kubernetes.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { Refusal, type Route, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const minutesAgo = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();

const replicaSet = (name: string, revision: string, image: string, created: string) => ({
  metadata: {
    name,
    namespace: 'print',
    creationTimestamp: created,
    labels: { 'app.kubernetes.io/name': 'the-press' },
    annotations: { 'deployment.kubernetes.io/revision': revision },
    ownerReferences: [{ kind: 'Deployment', name: 'press', controller: true }],
  },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'press', image }] } } },
});
const pod = (name: string, owner: { kind: string; name: string }, status: object = {}) => ({
  metadata: { name, namespace: 'print', ownerReferences: [{ ...owner, controller: true }] },
  status,
});
const event = (kind: string, name: string, more: object) => ({
  metadata: { name: `${name}.1`, namespace: 'print' },
  involvedObject: { kind, name, namespace: 'print' },
  ...more,
});

const REPLICA_SETS = [
  replicaSet('press-old', '3', 'registry:5000/press:1.4.0', minutesAgo(3000)),
  replicaSet('press-new', '2', 'registry:5000/press:1.5.0@sha256:abc', minutesAgo(30)),
];
const PODS = [
  pod(
    'press-new-x',
    { kind: 'ReplicaSet', name: 'press-new' },
    {
      containerStatuses: [
        {
          name: 'press',
          restartCount: 4,
          lastState: { terminated: { reason: 'OOMKilled', exitCode: 137, finishedAt: minutesAgo(10) } },
        },
      ],
    },
  ),
  pod('archive-0', { kind: 'StatefulSet', name: 'archive' }),
];
const EVENTS = [
  event('Pod', 'press-new-x', {
    type: 'Warning',
    reason: 'Unhealthy',
    message: 'Readiness probe failed',
    lastTimestamp: minutesAgo(20),
  }),
  event('Deployment', 'press', {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: 'Scaled up replica set press-old to 1 from 0',
    lastTimestamp: minutesAgo(5),
  }),
];

const list = (items: unknown): Route => ({
  parameters: ['limit', 'continue', 'resourceVersion'],
  answer: () => ({ metadata: {}, items }),
});
const CLUSTER = {
  '/apis/apps/v1/replicasets': list(REPLICA_SETS),
  '/api/v1/pods': list(PODS),
  '/api/v1/events': list(EVENTS),
};

async function clusterWith(routes: Readonly<Record<string, Route>>, user: object = { token: 'hush-hush' }) {
  const { url, calls } = await scriptedSource({ ...CLUSTER, ...routes });
  const folder = await mkdtemp(join(tmpdir(), 'gumshoe-kubernetes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'kubeconfig');
  const config = {
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: url } }],
    users: [{ name: 'u', user }],
  };
  await writeFile(file, JSON.stringify(config));
  const source = createKubernetesSource(file, { clock: manualClock(NOON) });
  onTestFinished(() => source.close());
  return { source, calls };
}

describe('Kubernetes', () => {
  it('names workloads by what controls their pods, with where they run', async () => {
    const { source, calls } = await clusterWith({});
    expect(await answerOf(source.services(WINDOW, UNLIMITED))).toEqual([
      {
        name: 'press',
        kind: 'unknown',
        aliases: ['the-press'],
        workload: { namespace: 'print', kind: 'Deployment', name: 'press' },
      },
      {
        name: 'archive',
        kind: 'unknown',
        aliases: [],
        workload: { namespace: 'print', kind: 'StatefulSet', name: 'archive' },
      },
    ]);
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer hush-hush']));
  });

  it('adds what Helm released where no ReplicaSet shows it, and asks for names and labels alone', async () => {
    const secret = (name: string, created: string) => ({
      metadata: {
        name: `sh.helm.release.v1.${name}.v5`,
        namespace: 'print',
        creationTimestamp: created,
        labels: { owner: 'helm', name, status: 'deployed', version: '5' },
      },
    });
    const { source, calls } = await clusterWith({
      '/api/v1/secrets': list([secret('archive', minutesAgo(12)), secret('press', minutesAgo(31))]),
    });
    const changes = await answerOf(source.changes(WINDOW, UNLIMITED));
    expect(changes.map(({ service, title }) => [service, title])).toEqual([
      ['press', 'Deployed press 1.5.0'],
      ['archive', 'Helm released archive'],
      ['press', 'Rolled press back to 1.4.0'],
    ]);
    const asked = calls.find(({ path }) => path === '/api/v1/secrets');
    expect(asked?.headers.accept).toContain('PartialObjectMetadataList');
  });

  it('takes a new ReplicaSet for a deploy, and an old one that comes back for a rollback', async () => {
    const { source } = await clusterWith({});
    expect(await answerOf(source.changes(WINDOW, UNLIMITED))).toEqual([
      {
        at: NOON - 30 * 60_000,
        service: 'press',
        kind: 'deploy',
        title: 'Deployed press 1.5.0',
        version: '1.5.0',
        ref: 'revision 2',
        url: null,
        details: 'press: registry:5000/press:1.4.0 → registry:5000/press:1.5.0@sha256:abc',
      },
      {
        at: NOON - 5 * 60_000,
        service: 'press',
        kind: 'deploy',
        title: 'Rolled press back to 1.4.0',
        version: '1.4.0',
        ref: 'revision 3',
        url: null,
        details: null,
      },
    ]);
  });

  describe('of the newest deploy knows what ran before', () => {
    const changesWith = async (sets: unknown[]) => {
      const { source } = await clusterWith({ '/apis/apps/v1/replicasets': list(sets) });
      const changes = await answerOf(source.changes(WINDOW, UNLIMITED));
      return changes.map(({ version, before, undo }) => ({ version, before, undo }));
    };
    const command = (revision: number) => ({
      by: 'rollout',
      type: 'command',
      content: `kubectl -n print rollout undo deployment/press --to-revision=${revision}`,
    });

    it('by its revision, not by its age, and says who else deploys it', async () => {
      const helm = (annotations: object) => {
        const set = replicaSet('press-c', '7', 'press:1.6.0', minutesAgo(10));
        return {
          ...set,
          metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...annotations } },
        };
      };
      const sets = [
        // It was rolled back to, and has been running since.
        replicaSet('press-a', '6', 'press:1.4.0', minutesAgo(3000)),
        replicaSet('press-b', '5', 'press:1.5.0', minutesAgo(300)),
      ];
      expect(await changesWith([...sets, helm({})])).toEqual([
        { version: '1.6.0', before: '1.4.0', undo: command(6) },
      ]);
      expect(await changesWith([...sets, helm({ 'meta.helm.sh/release-name': 'press' })])).toMatchObject([
        {
          undo: {
            ...command(6),
            note: 'Helm deploys it: roll the release back as well (`helm -n print history press` lists what ran).',
          },
        },
      ]);
      expect(await changesWith([...sets, helm({ 'meta.helm.sh/release-name': '$(reboot)' })])).toMatchObject([
        { undo: command(6) },
      ]);
      expect(
        await changesWith([...sets, helm({ 'argocd.argoproj.io/tracking-id': 'press:apps' })]),
      ).toMatchObject([
        { undo: { note: 'Argo CD deploys it, and syncs the new version again while automatic sync is on.' } },
      ]);
    });

    it('only if it had time to run, and only of the newest', async () => {
      const hasty = [
        replicaSet('press-a', '5', 'press:1.4.0', minutesAgo(300)),
        replicaSet('press-b', '6', 'press:1.5.0', minutesAgo(12)),
        replicaSet('press-c', '7', 'press:1.5.1', minutesAgo(10)),
      ];
      const nothing = { before: undefined, undo: undefined };
      expect(await changesWith(hasty)).toEqual([
        { version: '1.5.0', ...nothing },
        { version: '1.5.1', ...nothing },
      ]);
      const unnumbered = [
        replicaSet('press-a', '1; reboot', 'press:1.4.0', minutesAgo(300)),
        replicaSet('press-b', '2', 'press:1.5.0', minutesAgo(10)),
      ];
      expect(await changesWith(unnumbered)).toEqual([{ version: '1.5.0', ...nothing }]);
    });
  });

  it('takes a changed template with the same image for a change of configuration', async () => {
    const sets = [
      replicaSet('press-a', '1', 'press:1', minutesAgo(90)),
      replicaSet('press-b', '2', 'press:1', minutesAgo(3)),
    ];
    const { source } = await clusterWith({ '/apis/apps/v1/replicasets': list(sets) });
    expect(await answerOf(source.changes(WINDOW, UNLIMITED))).toMatchObject([
      { kind: 'config', title: 'Changed the pod template of press', version: null },
    ]);
  });

  it('shows warnings and killed containers as lines of their workload', async () => {
    const { source } = await clusterWith({});
    const lines = await answerOf(source.logs('press', WINDOW, UNLIMITED));
    expect(lines.map(({ level, instance, message }) => [level, instance, message])).toEqual([
      ['warn', 'press-new-x', 'Unhealthy: Readiness probe failed'],
      ['error', 'press-new-x', 'Container press terminated: OOMKilled (exit code 137), restarted 4 times'],
    ]);
    expect(await answerOf(source.logs('archive', WINDOW, UNLIMITED))).toEqual([]);
  });

  it('reads on where a list has another page', async () => {
    const { source, calls } = await clusterWith({
      '/api/v1/pods': {
        parameters: ['limit', 'continue', 'resourceVersion'],
        answer: ({ parameters }) =>
          parameters.continue === undefined
            ? { metadata: { continue: 'next' }, items: [PODS[0]] }
            : { metadata: {}, items: [PODS[1]] },
      },
    });
    await answerOf(source.services(WINDOW, UNLIMITED));
    expect(
      calls
        .filter(({ path }) => path === '/api/v1/pods')
        .map(({ parameters }) => [parameters.resourceVersion, parameters.continue]),
    ).toEqual([
      ['0', undefined],
      [undefined, 'next'],
    ]);
  });

  it('begins a list again, once, that has changed too much since its first page', async () => {
    let expired = true;
    const { source } = await clusterWith({
      '/api/v1/pods': {
        parameters: ['limit', 'continue', 'resourceVersion'],
        answer: ({ parameters }) => {
          if (parameters.continue === undefined) return { metadata: { continue: 'next' }, items: [PODS[0]] };
          if (!expired) return { metadata: {}, items: [PODS[1]] };
          expired = false;
          return new Refusal(410);
        },
      },
    });
    const answer = await source.services(WINDOW, UNLIMITED);
    expect(answer).toMatchObject({ known: true, caveats: [] });
    expect(answer.known && answer.value.map(({ name }) => name)).toEqual(['press', 'archive']);
  });

  it('goes on without what it may not read, and says so', async () => {
    const { source } = await clusterWith({
      '/api/v1/events': { ...list([]), answer: () => new Refusal(403) },
    });
    const answer = await source.changes(WINDOW, UNLIMITED);
    expect(answer).toMatchObject({
      known: true,
      caveats: [expect.stringMatching(/does not allow to list events \(403\): grant `list` on events/u)],
    });
    expect(answer.known && answer.value).toHaveLength(1);
  });

  it.each([
    ['a kubeconfig that is not there', '/nowhere/kubeconfig', /cannot be read/u],
    ['a file that is no kubeconfig', import.meta.filename, /is no kubeconfig/u],
    ['in-cluster outside of one', 'in-cluster', /needs a pod with a service account/u],
  ])('%s is a sentence', async (_name, where, sentence) => {
    const source = createKubernetesSource(where, { clock: manualClock() });
    expect(await source.services(WINDOW, UNLIMITED)).toEqual({
      known: false,
      reason: expect.stringMatching(sentence),
    });
  });

  it('does not run a command that logs in', async () => {
    const { source } = await clusterWith({}, { exec: { command: 'login' } });
    expect(await source.check(UNLIMITED)).toMatchObject({
      ok: false,
      summary: expect.stringMatching(/logs in with a command, which is not run/u),
    });
  });

  describe('its state', () => {
    const everything = Object.fromEntries(
      [
        '/api/v1/services',
        '/api/v1/nodes',
        '/api/v1/persistentvolumes',
        '/api/v1/persistentvolumeclaims',
        '/api/v1/resourcequotas',
        '/api/v1/serviceaccounts',
        '/api/v1/configmaps',
        '/api/v1/secrets',
        '/apis/apps/v1/deployments',
        '/apis/apps/v1/statefulsets',
        '/apis/apps/v1/daemonsets',
        '/apis/batch/v1/jobs',
        '/apis/batch/v1/cronjobs',
        '/apis/discovery.k8s.io/v1/endpointslices',
        '/apis/networking.k8s.io/v1/ingresses',
        '/apis/networking.k8s.io/v1/ingressclasses',
        '/apis/networking.k8s.io/v1/networkpolicies',
        '/apis/storage.k8s.io/v1/storageclasses',
        '/apis/autoscaling/v2/horizontalpodautoscalers',
        '/apis/policy/v1/poddisruptionbudgets',
      ].map((path) => [path, list([])]),
    );
    const labels = { app: 'press' };
    const press = {
      metadata: { name: 'press', namespace: 'print', creationTimestamp: minutesAgo(90) },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels } } },
      status: { readyReplicas: 1 },
    };
    const served = {
      ...everything,
      '/api/v1/pods': list([]),
      '/api/v1/events': list([]),
      '/apis/apps/v1/deployments': list([press]),
      '/api/v1/services': list([
        {
          metadata: { name: 'press', namespace: 'print' },
          spec: { selector: { app: 'pres' }, ports: [{ port: 80 }] },
        },
      ]),
    };

    it('is judged like a recorded one', async () => {
      const { source, calls } = await clusterWith(served);
      const found = await answerOf(source.state?.(WINDOW, UNLIMITED, async () => []) ?? Promise.reject());
      expect(found.map(({ object, cause }) => [object, cause])).toEqual([
        ['app/press', 'service_selector_mismatch'],
      ]);
      // Of Secrets and ConfigMaps no value is asked for.
      for (const path of ['/api/v1/secrets', '/api/v1/configmaps'])
        expect(calls.find((call) => call.path === path)?.headers.accept).toMatch(
          /PartialObjectMetadataList/u,
        );
    });

    it('does without what may not be listed, and says so', async () => {
      const { source } = await clusterWith({
        ...served,
        '/api/v1/secrets': { ...list([]), answer: () => new Refusal(403) },
      });
      expect(await source.state?.(WINDOW, UNLIMITED, async () => [])).toMatchObject({
        known: true,
        value: [{ object: 'app/press' }],
        caveats: [expect.stringMatching(/does not allow to list secrets \(403\)/u)],
      });
    });

    it('asks for the last lines of whom they would explain', async () => {
      const crashing = pod(
        'press-new-x',
        { kind: 'ReplicaSet', name: 'press-new' },
        {
          phase: 'Running',
          containerStatuses: [
            {
              name: 'press',
              ready: false,
              restartCount: 4,
              state: { waiting: { reason: 'CrashLoopBackOff' } },
              lastState: { terminated: { exitCode: 1, finishedAt: minutesAgo(1) } },
            },
          ],
        },
      );
      const { source } = await clusterWith({
        ...served,
        '/api/v1/services': list([]),
        '/api/v1/pods': list([crashing]),
      });
      const asked: string[] = [];
      const found = await answerOf(
        source.state?.(WINDOW, UNLIMITED, async (service) => {
          asked.push(service);
          return ['redis: WRONGPASS invalid username-password pair'];
        }) ?? Promise.reject(),
      );
      expect([asked, found[0]?.cause]).toEqual([['press'], 'redis_invalid_credentials']);
      // Where they are filed under the pod, that is asked for.
      const filed = await answerOf(
        source.state?.(WINDOW, UNLIMITED, async (service) =>
          service === 'press' ? [] : [`lines of ${service}`],
        ) ?? Promise.reject(),
      );
      expect(filed[0]?.sentence).toMatch(/its last lines are `lines of press-/u);
      // What the cluster says of the program is none of its words.
      const killed = (await answerOf(source.logs('press', WINDOW, UNLIMITED))).map(({ message }) => message);
      const unknown = await answerOf(
        source.state?.(WINDOW, UNLIMITED, async () => ['panic: no endpoint', ...killed]) ?? Promise.reject(),
      );
      expect(killed).toHaveLength(1);
      expect(unknown[0]?.sentence).toBe(
        '`press` keeps crashing: why is not known; its last lines are `panic: no endpoint`.',
      );
    });
  });
});
