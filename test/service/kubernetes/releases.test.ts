import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/service/kubernetes/explain.ts';
import { releasesIn } from '../../../src/service/kubernetes/releases.ts';
import { ago, NOON, type Raw, shop, snapshotOf } from './support.ts';

// Shapes as documented: fluxcd.io/flux/components/helm/helmreleases and …/kustomize/kustomizations (status, conditions,
// history), helm.sh/docs/topics/advanced (the Secret of a revision, its labels and its type).
const helmRelease = (ready: object, more: object = {}): Raw => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { name: 'catalog', namespace: 'books' },
  spec: { interval: '10m', chart: { spec: { chart: 'catalog', version: '1.x' } } },
  status: {
    conditions: [{ type: 'Ready', lastTransitionTime: ago(900), ...ready }],
    history: [
      {
        chartName: 'catalog',
        chartVersion: '1.5.0',
        appVersion: '2.0.1',
        name: 'catalog',
        namespace: 'books',
        status: 'deployed',
        version: 7,
        firstDeployed: ago(90_000),
        lastDeployed: ago(600),
      },
      { name: 'catalog', namespace: 'books', status: 'failed', version: 6, lastDeployed: ago(1_200) },
    ],
    ...more,
  },
});
const kustomization = (ready: object, more: object = {}): Raw => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name: 'apps', namespace: 'flux-system' },
  spec: { path: './apps', prune: true, ...more },
  status: {
    conditions: [{ type: 'Ready', lastTransitionTime: ago(900), ...ready }],
    lastAppliedRevision: 'main@sha1:8ea6e1b0fe5f2c3a',
    lastAttemptedRevision: 'main@sha1:14cf9e0d77aa11bb',
    inventory: {
      entries: [
        { id: 'books_catalog_apps_Deployment', v: 'v1' },
        { id: 'books_catalog__Service', v: 'v1' },
      ],
    },
    history: [
      {
        digest: 'sha256:1',
        firstReconciled: ago(300),
        lastReconciled: ago(60),
        lastReconciledStatus: 'ReconciliationSucceeded',
        totalReconciliations: 3,
        metadata: { revision: 'main@sha1:8ea6e1b0fe5f2c3a' },
      },
    ],
  },
});
const secret = (version: string, status: string, seconds: number, name = 'catalog'): Raw => ({
  kind: 'Secret',
  metadata: {
    name: `sh.helm.release.v1.${name}.v${version}`,
    namespace: 'books',
    creationTimestamp: ago(seconds),
    labels: { owner: 'helm', name, status, version, modifiedAt: String((NOON - seconds * 1000) / 1000) },
  },
  type: 'helm.sh/release.v1',
});

const well = { status: 'True', reason: 'InstallSucceeded', message: 'Helm install succeeded' };
const services = {
  ofRelease: (_: string, release: string) => (release === 'catalog' ? 'catalog' : null),
  ofWorkload: (kind: string, _: string, name: string) => (kind === 'Deployment' ? name : null),
};
const released = (...objects: Raw[]) => releasesIn(snapshotOf(objects).objects, services);
const found = (...objects: Raw[]) =>
  explain(snapshotOf([...shop(), ...objects])).flatMap(({ cause, sentence, evidence }) =>
    cause === 'release_failed' ? [{ sentence, evidence }] : [],
  );

describe('what Helm and Flux released', () => {
  it('is each revision of Helm’s, by the labels of its Secret', () => {
    expect(released(secret('4', 'superseded', 3_600), secret('5', 'deployed', 60))).toMatchObject([
      { service: 'catalog', title: 'Helm released catalog', ref: 'revision 4', at: NOON - 3_600_000 },
      { service: 'catalog', title: 'Helm released catalog', ref: 'revision 5', at: NOON - 60_000 },
    ]);
  });

  it('is what a HelmRelease deployed, once, with its version; not what failed', () => {
    expect(released(helmRelease(well), secret('7', 'deployed', 601))).toEqual([
      {
        at: NOON - 600_000,
        service: 'catalog',
        kind: 'deploy',
        title: 'Flux released catalog 2.0.1',
        version: '2.0.1',
        ref: 'revision 7',
        url: null,
        details: 'chart catalog 1.5.0',
      },
    ]);
  });

  it('is what a Kustomization of one workload applied, at its revision', () => {
    expect(released(kustomization(well))).toMatchObject([
      { service: 'catalog', title: 'Flux applied apps at main@8ea6e1b', ref: 'main@sha1:8ea6e1b0fe5f2c3a' },
    ]);
  });

  it('is nothing where it is of several services, or not a release', () => {
    const ordinary = {
      ...secret('1', 'deployed', 60),
      metadata: { name: 'password', namespace: 'books', labels: {} },
    };
    expect(released(secret('1', 'deployed', 60, 'platform'), secret('2', 'failed', 60), ordinary)).toEqual(
      [],
    );
  });
});

describe('a release that is wrong', () => {
  it('is one that Flux cannot apply, with its words', () => {
    const message = 'Helm upgrade failed: timed out waiting for the condition';
    expect(found(helmRelease({ status: 'False', reason: 'UpgradeFailed', message }))).toEqual([
      {
        sentence: `Flux does not apply the HelmRelease \`catalog\`, so the cluster is not as git says: ${message} (UpgradeFailed).`,
        evidence: ['its condition Ready is False: UpgradeFailed'],
      },
    ]);
    expect(
      found(kustomization({ status: 'False', reason: 'BuildFailed', message: 'no such file' })),
    ).toMatchObject([{ evidence: ['attempted `main@14cf9e0`, applied `main@8ea6e1b`'] }]);
  });

  it('is a newest revision of Helm’s that failed, or hangs', () => {
    expect(found(secret('4', 'deployed', 9_000), secret('5', 'failed', 60))).toMatchObject([
      { sentence: 'Revision 5 of the Helm release `catalog` failed.' },
    ]);
    expect(found(secret('5', 'pending-upgrade', 1_800))).toMatchObject([
      { sentence: expect.stringContaining('hangs (pending-upgrade)') },
    ]);
  });

  it.each<[string, Raw[]]>([
    ['is well', [helmRelease(well), kustomization(well)]],
    [
      'is suspended',
      [kustomization({ status: 'False', reason: 'BuildFailed', message: '' }, { suspend: true })],
    ],
    ['waits for another', [kustomization({ status: 'False', reason: 'DependencyNotReady', message: '' })]],
    [
      'has just begun',
      [kustomization({ status: 'False', reason: 'Progressing', message: '', lastTransitionTime: ago(30) })],
    ],
    ['was repaired by a later revision', [secret('4', 'failed', 9_000), secret('5', 'deployed', 60)]],
    ['is being upgraded', [secret('5', 'pending-upgrade', 30)]],
  ])('is none that %s', (_, objects) => {
    expect(found(...objects)).toEqual([]);
  });
});
