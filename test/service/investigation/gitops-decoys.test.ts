import { describe, expect, it } from 'vitest';
import { releasesIn } from '../../../src/service/kubernetes/releases.ts';
import type { Change } from '../../../src/service/telemetry/model.ts';
import { type Raw, snapshotOf } from '../kubernetes/support.ts';
import { FAULTS_AROUND } from './faults-around.ts';
import { FAULTS_WITHIN } from './faults-within.ts';
import { found, MINUTE, ONSET, system } from './freight.ts';

// What GitOps releases is small and frequent: of most faults some of it came minutes before, and none of it is to blame.

const iso = (at: number) => new Date(at).toISOString();

/** Flux's and Helm's releases of those services, at those times before the onset. */
function released(services: Readonly<Record<string, number>>): Change[] {
  const objects = Object.entries(services).flatMap(([name, before], i): Raw[] => {
    const at = ONSET - before;
    return (
      [
        [
          {
            kind: 'HelmRelease',
            metadata: { name, namespace: 'freight' },
            status: {
              history: [
                {
                  name,
                  namespace: 'freight',
                  status: 'deployed',
                  version: 7,
                  appVersion: '2.0.1',
                  lastDeployed: iso(at),
                },
              ],
            },
          },
        ],
        [
          {
            kind: 'Kustomization',
            metadata: { name, namespace: 'flux-system' },
            status: {
              inventory: { entries: [{ id: `freight_${name}_apps_Deployment`, v: 'v1' }] },
              history: [
                {
                  firstReconciled: iso(at),
                  lastReconciledStatus: 'ReconciliationSucceeded',
                  metadata: { revision: 'main@sha1:8ea6e1b0fe5f2c3a' },
                },
              ],
            },
          },
        ],
        [
          {
            kind: 'Secret',
            metadata: {
              name: `sh.helm.release.v1.${name}.v3`,
              namespace: 'freight',
              creationTimestamp: iso(at),
              labels: { owner: 'helm', name, status: 'deployed', version: '3' },
            },
            type: 'helm.sh/release.v1',
          },
        ],
      ][i % 3] ?? []
    );
  });
  return releasesIn(snapshotOf(objects).objects, {
    ofRelease: (_, name) => name,
    ofWorkload: (_, __, name) => name,
  });
}

const CASES = Object.entries({ ...FAULTS_WITHIN, ...FAULTS_AROUND });
/** Of whom the trouble is told from, of a caller between and of somebody else, minutes before. */
const DECOYS = released({ portal: 2 * MINUTE, printer: 3 * MINUTE, booking: 5 * MINUTE });

const EDGE = 'a broken edge';
const UNPROVEN = /not proven to be the cause/u;

describe('beside what Flux and Helm released', () => {
  it('has as many decoys as were released', () => {
    expect(DECOYS.map(({ service, kind, title }) => [service, kind, title]).sort()).toEqual([
      ['booking', 'deploy', 'Helm released booking'],
      ['portal', 'deploy', 'Flux released portal 2.0.1'],
      ['printer', 'deploy', 'Flux applied printer at main@8ea6e1b'],
    ]);
  });

  it.each(CASES.filter(([name]) => name !== EDGE))(
    '%s keeps its cause',
    async (_, { made, cause, about }) => {
      const changes = [...(made.changes ?? []), ...DECOYS].sort((a, b) => a.at - b.at);
      expect((await found({ ...made, changes }, about)).cause).toBe(cause);
    },
  );

  it('a release of the service whose calls fail, or that fails itself, is suspected and not blamed', async () => {
    const { made, about } = FAULTS_AROUND[EDGE] ?? { made: system({}) };
    const ofCaller = await found({ ...made, changes: DECOYS }, about);
    const ofFailing = await found(system({ changes: [...DECOYS, ...released({ tariffs: MINUTE })] }));
    expect(
      [ofCaller, ofFailing].map(({ cause, summary }) => [cause, UNPROVEN.exec(summary)?.[0] ?? summary]),
    ).toEqual([
      ['Degradation of booking after a deploy', 'not proven to be the cause'],
      ['Degradation of tariffs after a deploy', 'not proven to be the cause'],
    ]);
  });
});
