import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/service/telemetry/model.ts';
import { kubectlFor, revertOn, rolloutUndo, undoOf } from '../../../src/service/telemetry/undo.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WORKLOAD = { namespace: 'shop', kind: 'Deployment', name: 'payments' };

describe('a command to undo a change', () => {
  it('names the workload and the revision', () => {
    expect(rolloutUndo(WORKLOAD, 41)).toEqual({
      by: 'rollout',
      type: 'command',
      content: 'kubectl -n shop rollout undo deployment/payments --to-revision=41',
    });
    expect(rolloutUndo({ ...WORKLOAD, namespace: '' }, 41)?.content).toBe(
      'kubectl rollout undo deployment/payments --to-revision=41',
    );
  });

  it.each([
    '$(reboot)',
    'a; reboot',
    'a b',
    '-rf',
    '--kubeconfig=x',
    'a\nb',
    '`a`',
    'A',
    'ä',
    '',
    '../a',
    'a'.repeat(254),
  ])('is none where a name is %j', (name) => {
    const label = (target: string) => `describe ${target}`;
    expect(rolloutUndo({ ...WORKLOAD, name }, 41)).toBeNull();
    expect(kubectlFor({ ...WORKLOAD, name }, label)).toBeNull();
    expect(kubectlFor({ ...WORKLOAD, kind: `a${name} b` }, label)).toBeNull();
    if (name !== '') expect(kubectlFor({ ...WORKLOAD, namespace: name }, label)).toBeNull();
  });

  it('is none for what kubectl keeps no revisions of', () => {
    expect(rolloutUndo({ ...WORKLOAD, kind: 'ReplicaSet' }, 41)).toBeNull();
  });
});

describe('the page on which a change is reverted', () => {
  it.each([
    [
      'https://github.com/acme/shop/pull/12?diff=1#top',
      'On https://github.com/acme/shop/pull/12 press Revert at its end',
    ],
    [
      'https://git.example:8443/a/b/c/-/merge_requests/7',
      'On https://git.example:8443/a/b/c/-/merge_requests/7 press Revert',
    ],
    [
      'https://git.example/a/b/-/commit/0123abc',
      'On https://git.example/a/b/-/commit/0123abc choose Options → Revert',
    ],
    [
      'https://github.com/acme/shop/commit/0123abc',
      'On https://github.com/acme/shop/commit/0123abc open the pull request that it names, and press Revert',
    ],
  ])('of %s is named', (url, says) => {
    expect(revertOn(url)).toEqual({ by: 'revert', type: 'info', content: `${says}, then deploy that.` });
  });

  it.each([
    null,
    'https://ci.example/jobs/12',
    'javascript:alert(1)//a/b/pull/1',
    'https://github.com@evil.example/a/b/pull/1',
    'https://github.com/a/b/pull/1 and run this',
    'not an address',
  ])('of %s is none', (url) => {
    expect(revertOn(url)).toBeNull();
  });
});

describe('of several sources that saw one rollout', () => {
  const change = (more: Partial<Change>): Change => ({
    at: NOON,
    service: 'payments',
    kind: 'deploy',
    title: 'Deploy payments',
    version: null,
    ref: null,
    url: null,
    details: null,
    ...more,
  });
  const commit = change({ url: 'https://github.com/acme/shop/commit/0123abc' });
  const rollout = change({ at: NOON + 60_000, before: '1.4.0', undo: rolloutUndo(WORKLOAD, 41) });
  const sync = change({ undo: { by: 'sync', type: 'info', content: 'On the page.' } });

  it('the tool that would sync it again comes first, then the cluster, then git', () => {
    expect(undoOf(commit, [commit, rollout, sync])).toEqual({
      undo: sync.undo,
      before: '1.4.0',
      note: null,
    });
    expect(undoOf(commit, [rollout]).undo).toEqual(rollout.undo);
    expect(undoOf(commit, []).undo?.by).toBe('revert');
  });

  it('another change near to it is not taken for it', () => {
    const others = [
      { ...rollout, at: NOON + 11 * 60_000 },
      { ...rollout, service: 'cart' },
      { ...rollout, kind: 'flag' },
      { ...rollout, version: '2.0.0' },
    ];
    expect(undoOf({ ...commit, url: null, version: '1.5.0' }, others)).toEqual({
      undo: null,
      before: null,
      note: null,
    });
  });
});
