import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { scriptedSource } from '../../support/scripted-source.ts';
import { stuckSource } from '../../support/stuck-source.ts';
import { temporaryFolder } from '../support.ts';
import { ago, app } from './support.ts';

const PODS = 5000;
const PAGE = 250;

async function readBy(url: string, ms: number) {
  const file = join(temporaryFolder(), 'kubeconfig');
  const config = {
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: url } }],
    users: [{ name: 'u', user: { token: 'hush' } }],
  };
  await writeFile(file, JSON.stringify(config));
  const program = join(import.meta.dirname, '../../support/read-cluster.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, file, String(ms)], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** As much as the API server sends of each: managed fields, annotations, statuses. */
const padding = {
  managedFields: Array.from({ length: 12 }, (_, i) => ({
    manager: `m${i}`,
    fieldsV1: { 'f:spec': 'x'.repeat(300) },
  })),
};

describe('a large cluster', () => {
  it('of 5,000 pods is read and judged in 20 s of processor time and 300 MB', {
    timeout: 120_000,
  }, async () => {
    const [deployment, set, pod, service, slice] = app('press', 8080);
    const named = (raw: typeof pod, i: number) => ({
      ...raw,
      metadata: {
        ...Object(raw?.metadata),
        ...padding,
        name: `${Object(raw?.metadata).name}-${i}`,
        creationTimestamp: ago(9000),
      },
    });
    const pages = (raw: typeof pod, count: number) => ({
      parameters: ['limit', 'continue', 'resourceVersion'],
      answer: ({ parameters }: { parameters: Record<string, string> }) => {
        const from = Number(parameters.continue ?? 0);
        const to = Math.min(count, from + PAGE);
        return {
          metadata: to < count ? { continue: String(to) } : {},
          items: Array.from({ length: to - from }, (_, i) => named(raw, from + i)),
        };
      },
    });
    const { url, calls } = await scriptedSource({
      '/api/v1/pods': pages(pod, PODS),
      '/apis/apps/v1/replicasets': pages(set, PODS / 2),
      '/apis/apps/v1/deployments': pages(deployment, PODS / 10),
      '/api/v1/services': pages(service, PODS / 10),
      '/apis/discovery.k8s.io/v1/endpointslices': pages(slice, PODS / 10),
      '/api/*': pages(pod, 0),
      '/apis/*': pages(pod, 0),
    });
    const { ms, mib, answer } = await readBy(url, 60_000);
    expect(answer).toMatchObject({ known: true, caveats: [] });
    expect(calls.filter(({ path }) => path === '/api/v1/pods')).toHaveLength(PODS / PAGE);
    console.log(`${PODS} pods: ${ms} ms, ${mib} MiB`);
    expect(ms).toBeLessThan(20_000);
    expect(mib).toBeLessThan(300);
  });

  it('whose server ignores the limit is read page by page instead', { timeout: 60_000 }, async () => {
    const [, , pod] = app('press', 8080);
    const large = { metadata: {}, items: [{ ...pod, padding: 'x'.repeat(70 * 1024 * 1024) }] };
    const nothing = {
      parameters: ['limit', 'continue', 'resourceVersion'],
      answer: () => ({ metadata: {}, items: [] }),
    };
    const { url, calls } = await scriptedSource({
      '/api/v1/pods': {
        ...nothing,
        answer: ({ parameters }) =>
          parameters.resourceVersion === '0' ? large : { metadata: {}, items: [pod] },
      },
      '/api/*': nothing,
      '/apis/*': nothing,
    });
    const { answer } = await readBy(url, 30_000);
    expect(answer).toMatchObject({ known: true, caveats: [] });
    const asked = calls.filter(({ path }) => path === '/api/v1/pods');
    expect(asked.map(({ parameters }) => parameters.resourceVersion)).toEqual(['0', undefined]);
  });

  it('that never answers costs the time of the investigation, and no more', { timeout: 60_000 }, async () => {
    const { url, close } = await stuckSource('never answers');
    const { answer } = await readBy(url, 1_000);
    await close();
    expect(answer).toEqual({
      known: false,
      reason: expect.stringMatching(/did not answer before the time for this investigation was over/u),
    });
  });
});
