import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { known, type StateFinding, unknown } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const base = { cause: 'x', namespace: 'shop', show: null, mend: null, confidence: 0.95 };
const PENDING: StateFinding = {
  ...base,
  object: 'app/payments',
  sentence: '`payments` cannot be scheduled: no node has as much CPU left as it requests (6 cores).',
  evidence: ['FailedScheduling: 2 Insufficient cpu'],
  show: 'kubectl describe pod payments-1 -n shop',
  mend: 'kubectl edit deployment payments -n shop',
};
const CRASHING: StateFinding = {
  ...base,
  object: 'app/search',
  namespace: 'library',
  sentence: '`search` keeps crashing: its command cannot be run.',
  evidence: ['container `search` ended with exit code 127, 5 restarts'],
  confidence: 0.6,
};

async function ask(
  question: string,
  state: TelemetrySource['state'] = async () => known([PENDING, CRASHING]),
) {
  const source = partialSource({
    name: 'kubernetes',
    services: async () =>
      known(
        ['payments', 'search', 'front'].map((name) => ({
          name,
          kind: 'service' as const,
          aliases: [],
          workload: null,
        })),
      ),
    check: async () => ({ name: 'kubernetes', ok: true, summary: '', details: [] }),
    state,
    objects: async () => known([]),
  });
  const { answer } = await answerOf(
    question,
    {
      now: NOW,
      before: null,
      issues: { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) },
    },
    source,
    { id: () => 'id', budget: UNLIMITED },
  );
  return answer;
}

describe('questions about the state of the cluster', () => {
  it('why is a service pending: what is wrong, what proves it, what shows and mends it', async () => {
    expect(await ask('Why is payments pending?')).toBe(
      [
        '**One thing is wrong with payments:**',
        '',
        '- `payments` cannot be scheduled: no node has as much CPU left as it requests (6 cores).',
        '  - FailedScheduling: 2 Insufficient cpu',
        '  - `kubectl describe pod payments-1 -n shop`, then `kubectl edit deployment payments -n shop`',
      ].join('\n'),
    );
  });

  it('what is wrong in a namespace', async () => {
    expect(await ask('What is wrong in namespace shop?')).toMatch(
      /^\*\*One thing is wrong in namespace shop:\*\*\n\n- `payments`/u,
    );
    expect(await ask('What is wrong in namespace archive?')).toBe(
      'I see nothing wrong in namespace archive in the cluster.',
    );
  });

  it('what only the cluster knows by name is asked of the cluster', async () => {
    const unknownName = /^I know no service called/u;
    expect(await ask('What is wrong with pod giant-narwhal-6958c5bdd8-69gtn ?')).not.toMatch(unknownName);
    expect(await ask('why can the k8s pod client-7 in namespace archive-2 not resolve dns')).not.toMatch(
      unknownName,
    );
    expect(await ask('why is giant-narwhal slow?')).toMatch(unknownName);
    expect(await ask('What kubernetes events are there for the payments pod?')).toContain('FailedScheduling');
  });

  it('which pods restart, and how sure that is', async () => {
    expect(await ask('Which pods restart?')).toMatch(
      /^\*\*One thing is wrong:\*\*\n\n- `search` keeps crashing: .+ \(not certain\)/u,
    );
  });

  it('nothing is wrong with a service that is well', async () => {
    // Its state is not all that there is: the rest was looked at, too.
    expect(await ask('Why is front pending?')).toMatch(
      /^I see nothing wrong with front in the cluster\.\n\nI can’t tell how front is\. Nothing of front could be compared/u,
    );
  });

  it('what could not be read is said', async () => {
    expect(await ask('Why is payments pending?', async () => unknown('Kubernetes did not answer.'))).toBe(
      'I can’t read the cluster right now. Kubernetes did not answer.',
    );
    expect(
      await ask('What is wrong in namespace archive?', async () =>
        known([], ['Kubernetes does not allow to list nodes.']),
      ),
    ).toBe(
      'I see nothing wrong in namespace archive in the cluster.\n\nNot everything could be read: Kubernetes does not allow to list nodes.',
    );
  });

  it('without a cluster it is not offered', async () => {
    const without = await answerOf(
      'help',
      {
        now: NOW,
        before: null,
        issues: { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) },
      },
      partialSource({ name: 'x', check: async () => ({ name: 'x', ok: true, summary: '', details: [] }) }),
      { id: () => 'id', budget: UNLIMITED },
    );
    expect(without.answer).not.toContain('pods');
    expect(await ask('help')).toContain('- How many pods are not ready?');
  });
});
