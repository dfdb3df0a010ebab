import { describe, expect, it } from 'vitest';
import type { Artifact } from '../../../../../src/contract/answers.ts';
import { rejected } from '../../../../support/fake-service.ts';
import { addCreated } from '../../../../support/issues.ts';
import { listening } from '../../support/listening.ts';

const CHANGE: Artifact = { id: 'a', type: 'change', provider: 'demo', data: { title: 'Deploy 4.2.0' } };
const RESULTS = {
  rootCause: {
    relevantEvidence: [{ title: 'A deploy', artifacts: [{ documentId: 'a', title: 'Deploy 4.2.0' }] }],
    irrelevantEvidence: [{ title: 'Disk', artifacts: [{ documentId: 'b', title: 'Disk of orders' }] }],
  },
};

/** Issue 12 in the private channel C1, with results; `got` answers for the service. */
async function world(got: () => Artifact[] = () => [CHANGE]) {
  const l = await listening();
  await addCreated(l.store, 0, { number: 12 });
  await l.store.issues.rewrite('issue-1', { endedVersion: 1 });
  await l.store.results.save('issue-1', 1, JSON.stringify(RESULTS), 0);
  await l.store.channels.learn('C1', true);
  let fetched = 0;
  l.service.client.artifacts.get = async () => {
    fetched += 1;
    return got();
  };
  let hash = 0;
  const view = () => ({ view: { id: 'V1', hash: `h${++hash}` } });
  l.slack.answers('views.open', view);
  l.slack.answers('views.update', view);
  const common = {
    type: 'block_actions',
    team: { id: 'T1' },
    trigger_id: '1.2.3',
    response_url: 'http://127.0.0.1:9/expired',
  };
  const press = (value: string, { user = 'U1', channel = 'C1', action = 'issue:evidence' } = {}) =>
    l.give({
      ...common,
      user: { id: user },
      channel: { id: channel },
      container: { type: 'message', message_ts: '2.0' },
      message: { type: 'message', ts: '2.0', thread_ts: '1.0' },
      actions: [{ type: 'button', action_id: action, block_id: 'b', value, action_ts: '1' }],
    });
  const shown = () =>
    l.slack.calls.filter(({ method }) => method.startsWith('views.')).map(({ args }) => args.view ?? '');
  return { ...l, press, shown, fetched: () => fetched };
}

describe('Evidence', () => {
  it('opens at once with what is known, and what is not there yet is fetched and shown', async () => {
    const w = await world();
    await w.press('1:issue-1');
    expect(w.slack.methods().filter((name) => name.startsWith('views.'))).toEqual([
      'views.open',
      'views.update',
    ]);
    const [opened = '', then = ''] = w.shown();
    expect(opened).toContain('fetching from');
    expect(opened).toContain('Evidence · 1 of 2');
    expect(then).toContain('*Deploy 4.2.0*');
    expect(then).toContain('change · from Demo');
    expect(w.slack.calls.at(-1)?.args.hash).toBe('h1');
  });

  it('that the service does not have is said to be missing, and one that fails why', async () => {
    const missing = await world(() => []);
    await missing.press('1:issue-1');
    expect(missing.shown().at(-1)).toContain('no longer has this piece of evidence');
    const failing = await world(() => {
      throw rejected(500, 'down');
    });
    await failing.press('1:issue-1');
    expect(failing.shown().at(-1)).toContain('Come back to this page to fetch it again');
  });

  it('of results that refer to none says so', async () => {
    const w = await world();
    await w.store.results.save('issue-1', 1, '{}', 0);
    await w.press('1:issue-1');
    expect(w.shown().at(-1)).toContain('No evidence to show');
  });
});

describe('what an answer found', () => {
  async function answered() {
    const w = await world();
    const start = { channel: 'C1', threadTs: '1.0', issueId: 'issue-1', startedBy: 'U1', createdAt: 0 };
    const { id: conversation } = await w.store.conversations.start({ id: 'k1', ...start });
    await w.store.questions.add({ id: 'C1:5.0', conversation, asker: 'U1', text: 'why?', createdAt: 0 });
    const artifacts = JSON.stringify([{ summary: 'no id' }, { id: 'a', summary: 'Deploy 4.2.0' }]);
    await w.store.questions.update('C1:5.0', { state: 'complete', artifacts }, 0);
    return w;
  }

  it('is fetched when somebody asks for it, and kept', async () => {
    const w = await answered();
    await w.press('0:C1:5.0', { action: 'answer:artifact:0' });
    expect(w.shown().at(-1)).toContain('*Deploy 4.2.0*');
    expect(await w.store.artifacts.get('question:C1:5.0', 'a')).toMatchObject({ state: 'kept' });
  });
});
