import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { fetchDue, type StoredArtifact } from '../../../src/bot/watching/artifacts.ts';
import type { Artifact, InvestigationResults } from '../../../src/contract/answers.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import { CircuitOpenError, UnreadableAnswerError } from '../../../src/contract/client/errors.ts';
import { noCheckpoint } from '../../../src/lib/clock.ts';
import { fakeService, rejected } from '../../support/fake-service.ts';
import { uuidOf } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { watching } from './support.ts';

const METRIC: Artifact = { id: 'a', type: 'metric', data: { name: 'latency' } };

/** A fetcher on a real store; `answer` stands for the service's artifacts. */
async function fetching(answer: (ids: readonly string[]) => Artifact[]) {
  const opened = await openTestStore();
  const { store, clock } = opened;
  const asked: string[][] = [];
  const told: StoredArtifact[] = [];
  const options = {
    store,
    clock,
    services: createServices({
      default: {
        ...fakeService().client,
        artifacts: {
          get: async (ids: readonly string[]) => {
            asked.push([...ids]);
            return answer(ids);
          },
        },
      },
    }),
    random: () => 1,
    log: createLogger('silent'),
    checkpoint: noCheckpoint,
    onKept: async (_tx: unknown, kept: StoredArtifact) => void told.push(kept),
  };
  return {
    store,
    clock,
    asked,
    told,
    /** Runs until nothing is wanted any more. */
    settled: async () => {
      while ((await store.artifacts.due(Number.MAX_SAFE_INTEGER, 1)).length > 0) {
        await fetchDue(options, new AbortController().signal);
        await clock.sleep(500);
      }
    },
    state: async (id: string, owner = 'issue-1') => (await store.artifacts.get(owner, id))?.state,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

function tooLarge(): UnreadableAnswerError {
  const problem = 'the answer is longer than 8388608 bytes';
  return new UnreadableAnswerError({
    operation: 'artifacts.get',
    ambiguous: false,
    problem,
    isTooLarge: true,
  });
}

describe('evidence', () => {
  it('that results refer to is wanted as soon as they are there, each once, and they wait for none', async () => {
    await using test = await watching();
    await test.investigation();
    const results: InvestigationResults = {
      rootCause: {
        relevantEvidence: [{ title: 'Latency', artifacts: [{ documentId: 'a' }, { title: 'no id' }] }],
        irrelevantEvidence: [{ title: 'Disk', artifacts: [{ documentId: 'b' }, { documentId: 'a' }] }],
      },
      causalTreeV2: { nodes: [{ id: 'n', evidence: [{ documentId: 'c' }] }] },
      timeline: [{ evidence: [{ artifactId: 'd' }] }],
    };
    test.service.results.set(uuidOf(1), results);
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    const wanted = await test.store.artifacts.due(Number.MAX_SAFE_INTEGER, 10);
    expect(wanted.map(({ owner, id }) => [owner, id])).toEqual([
      ['issue-1', 'a'],
      ['issue-1', 'b'],
      ['issue-1', 'c'],
      ['issue-1', 'd'],
    ]);
    expect(await test.said()).toEqual(['result:issue-1:1 {"version":1,"notice":"result"}']);
  });

  it('is fetched together and kept as it is; what the service does not know is missing', async () => {
    await using test = await fetching(() => [METRIC]);
    await test.store.artifacts.want('issue-1', ['a', 'b']);
    await test.settled();
    expect(test.asked).toEqual([['a', 'b']]);
    const row = await test.store.artifacts.get('issue-1', 'a');
    expect([row?.state, JSON.parse(row?.body ?? '')]).toEqual(['kept', METRIC]);
    expect(await test.state('b')).toBe('missing');
    expect(test.told.map(({ owner, id }) => `${owner} ${id}`)).toEqual(['issue-1 a']);
  });

  it('of a service that fails is asked for again, further and further apart, and given up at last', async () => {
    const at: number[] = [];
    await using test = await fetching(() => {
      at.push(test.clock.now());
      throw rejected(500, 'down');
    });
    await test.store.artifacts.want('issue-1', ['a']);
    await test.settled();
    expect(await test.state('a')).toBe('failed');
    expect(at).toHaveLength(6);
    const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits[0]).toBeGreaterThanOrEqual(5_000);
  });

  it('of a service that is spared meanwhile is no failed attempt', async () => {
    let spared = 20;
    await using test = await fetching(() => {
      spared -= 1;
      if (spared > 0) throw new CircuitOpenError({ operation: 'artifacts.get', retryAfterMs: 1_000 });
      return [METRIC];
    });
    await test.store.artifacts.want('issue-1', ['a']);
    await test.settled();
    expect(await test.store.artifacts.get('issue-1', 'a')).toMatchObject({ state: 'kept', attempts: 0 });
  });

  it('that the service refuses takes none of the others with it', async () => {
    await using test = await fetching((ids) => {
      if (ids.includes('bad')) throw rejected(404, 'unknown id');
      return ids.map((id) => ({ ...METRIC, id }));
    });
    await test.store.artifacts.want('issue-1', ['a', 'b', 'bad', 'c']);
    await test.settled();
    expect(await Promise.all(['a', 'b', 'bad', 'c'].map((id) => test.state(id)))).toEqual([
      'kept',
      'kept',
      'missing',
      'kept',
    ]);
  });

  it('that is too large together is asked for in halves, until what is left can be read', async () => {
    await using test = await fetching((ids) => {
      if (ids.length > 1 && ids.includes('large')) throw tooLarge();
      return ids.map((id) => ({ ...METRIC, id }));
    });
    await test.store.artifacts.want('issue-1', ['a', 'b', 'c', 'large']);
    await test.settled();
    expect(test.asked).toEqual([['a', 'b', 'c', 'large'], ['a', 'b'], ['c', 'large'], ['c'], ['large']]);
    for (const id of ['a', 'b', 'c', 'large']) expect(await test.state(id)).toBe('kept');
  });

  it('that is too large alone is given up after some tries', async () => {
    await using test = await fetching(() => {
      throw tooLarge();
    });
    await test.store.artifacts.want('issue-1', ['a']);
    await test.settled();
    expect(await test.state('a')).toBe('failed');
    expect(test.asked.every((ids) => ids.length === 1)).toBe(true);
  });

  it('that was deleted with its issue while it was fetched does not come back', async () => {
    await using test = await fetching(() => [METRIC]);
    expect(await test.store.artifacts.keep('issue-1', 'a', '{}', 0)).toBe(false);
    expect(await test.state('a')).toBeUndefined();
  });
});
