import type { Change } from '../telemetry/model.ts';
import type { Objects } from './cluster.ts';

/** What a release changed, and the service that its objects are; `null` where it is several, or none that is known. */
interface Services {
  ofRelease(namespace: string, release: string): string | null;
  ofWorkload(kind: string, namespace: string, name: string): string | null;
}

const SECOND_MS = 1_000;

/**
 * What Helm and Flux have released: Helm's revisions by the labels of the Secrets that it keeps them in (never by what is
 * in them), Flux's by their histories.
 */
export function releasesIn(
  { Secret, HelmRelease, Kustomization }: Pick<Objects, 'Secret' | 'HelmRelease' | 'Kustomization'>,
  services: Services,
): Change[] {
  const flux = HelmRelease.flatMap(({ status }) =>
    status.history.flatMap((one) =>
      one.lastDeployed === null || one.status === 'failed'
        ? []
        : [
            {
              key: `${one.namespace} ${one.name} ${one.version}`,
              at: one.lastDeployed,
              service: services.ofRelease(one.namespace, one.name),
              title: `Flux released ${one.name}${one.appVersion ? ` ${one.appVersion}` : ''}`,
              version: one.appVersion ?? null,
              ref: `revision ${one.version ?? '?'}`,
              details: `chart ${one.chartName ?? '?'} ${one.chartVersion ?? ''}`.trim(),
            },
          ],
    ),
  );
  const known = new Set(flux.map(({ key }) => key));
  const helm = Secret.flatMap(({ metadata }) => {
    const { name = '', owner, status = '', version = '', modifiedAt } = metadata.labels;
    const isRelease = owner === 'helm' && ['deployed', 'superseded'].includes(status);
    const at = metadata.creationTimestamp ?? Number(modifiedAt ?? Number.NaN) * SECOND_MS;
    if (!isRelease || Number.isNaN(at) || known.has(`${metadata.namespace} ${name} ${version}`)) return [];
    return [
      {
        at,
        service: services.ofRelease(metadata.namespace, name),
        title: `Helm released ${name}`,
        version: null,
        ref: `revision ${version}`,
        details: null,
      },
    ];
  });
  const applied = Kustomization.flatMap(({ metadata, status }) =>
    status.history.flatMap((one) => {
      const revision = one.metadata.revision ?? '';
      if (one.firstReconciled === null || one.lastReconciledStatus !== 'ReconciliationSucceeded') return [];
      return [
        {
          at: one.firstReconciled,
          service: serviceIn(
            status.inventory.entries.map(({ id }) => id),
            services,
          ),
          title: `Flux applied ${metadata.name} at ${shortRevision(revision)}`,
          version: null,
          ref: revision === '' ? null : revision,
          details: null,
        },
      ];
    }),
  );
  // A release of several services says of none of them that it changed; their own rollouts do.
  const all = [...flux.map(({ key: _, ...change }) => change), ...helm, ...applied];
  return all
    .filter(({ service }) => service !== null)
    .map((change) => ({
      ...change,
      kind: 'deploy',
      url: null,
    }));
}

/** `prod_payments_apps_Deployment`: the one workload that is applied. */
function serviceIn(ids: readonly string[], services: Services): string | null {
  const found = ids.flatMap((id) => {
    const [namespace = '', name = '', group = '', kind = ''] = id.split('_');
    return group === 'apps' ? (services.ofWorkload(kind, namespace, name) ?? []) : [];
  });
  const [first = null, ...others] = new Set(found);
  return others.length === 0 ? first : null;
}

/** `main@sha1:8ea6e1b0fe…` → `main@8ea6e1b`. */
export function shortRevision(revision: string): string {
  const [branch = '', digest = ''] = revision.split('@');
  const hash = digest.split(':').at(-1) ?? '';
  return hash === '' ? branch.slice(0, 40) : `${branch}@${hash.slice(0, 7)}`;
}
