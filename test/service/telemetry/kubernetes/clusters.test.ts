import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createClustersSource } from '../../../../src/service/telemetry/clusters.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { type Route, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };

const list = (items: unknown): Route => ({
  parameters: ['limit', 'continue', 'resourceVersion'],
  answer: () => ({ metadata: {}, items }),
});
const set = (name: string, image: string, minutes: number) => ({
  metadata: {
    name,
    namespace: 'print',
    creationTimestamp: new Date(NOON - minutes * 60_000).toISOString(),
    ownerReferences: [{ kind: 'Deployment', name: 'press', controller: true }],
  },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'press', image }] } } },
});

/** The clusters `eu` and `us`: each deployed a version of its own. */
async function clusters() {
  const folder = await mkdtemp(join(tmpdir(), 'gumshoe-clusters-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = await Promise.all(
    [
      ['eu', '2.0.0'],
      ['us', '3.0.0'],
    ].map(async ([name = '', version = '']) => {
      const { url } = await scriptedSource({
        '/apis/apps/v1/replicasets': list([
          set('press-1', 'press:1.0.0', 3000),
          set('press-2', `press:${version}`, 30),
        ]),
        '/api/v1/pods': list([]),
        '/api/v1/events': list([]),
      });
      const where = join(folder, name);
      const config = {
        'current-context': name,
        contexts: [{ name, context: { cluster: name, user: name } }],
        clusters: [{ name, cluster: { server: url } }],
        users: [{ name, user: { token: 'hush-hush' } }],
      };
      await writeFile(where, JSON.stringify(config));
      return { name, where };
    }),
  );
  const source = createClustersSource(settings, { clock: manualClock(NOON) });
  onTestFinished(() => source.close());
  return source;
}

const titles = (changes: readonly { title: string }[]) => changes.map(({ title }) => title).sort();

it('reads the cluster that the alert names, and no other', async () => {
  const source = await clusters();
  const budget = { ...UNLIMITED };
  source.focus?.({ k8s_cluster_name: 'US' }, WINDOW, budget);
  expect(titles(await answerOf(source.changes(WINDOW, budget)))).toEqual(['Deployed press 3.0.0']);
});

it('reads all of them for an alert that names none, and says of which a change is', async () => {
  const source = await clusters();
  expect(titles(await answerOf(source.changes(WINDOW, UNLIMITED)))).toEqual([
    'Deployed press 2.0.0 (cluster eu)',
    'Deployed press 3.0.0 (cluster us)',
  ]);
});

it('does not know the state of a cluster that is not configured', async () => {
  const source = await clusters();
  const budget = { ...UNLIMITED };
  source.focus?.({ cluster: 'asia' }, WINDOW, budget);
  expect(await source.changes(WINDOW, budget)).toEqual({
    known: false,
    reason: 'The alert is about cluster asia, which KUBERNETES does not name (it has eu, us).',
  });
});
