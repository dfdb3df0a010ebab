import { expect, it } from 'vitest';
import { addCreated } from '../../../support/issues.ts';
import { CHANNEL, delivering, inThread, ROOT } from '../support/delivering.ts';

async function withIssue() {
  const d = await delivering();
  await addCreated(d.store, d.clock.now(), {
    id: 'issue1',
    channel: CHANNEL,
    threadTs: ROOT,
    identity: null,
    number: 1,
    title: 'Problem',
  });
  const history = async () => (await d.store.audit.of('issue1')).map(({ who, what }) => ({ who, what }));
  return { ...d, history };
}

const GONE = [
  {
    who: 'gumshoe',
    what: 'somebody deleted its message in Slack, so updates no longer appear there',
  },
];

it('a thread that is gone is written into the history of its issue once, however much was to stand in it', async () => {
  const d = await withIssue();
  await d.workspace.remove(CHANNEL, ROOT);
  for (const key of ['card:issue1', 'result:issue1:1', 'result:issue1:2'] as const) {
    await d.want({ key, kind: key.startsWith('card') ? 'card' : 'result', issueId: 'issue1' });
    await d.after(2_000);
  }
  expect(await d.row('result:issue1:2')).toMatchObject({ state: 'dead', error: 'thread_gone' });
  expect(d.slack.messages()).toEqual([]);
  expect(await d.history()).toEqual(GONE);
  expect(await d.store.outbox.isGone('issue1')).toBe(true);
});

it('a card that somebody deleted is too; a single result that somebody deleted is not', async () => {
  const d = await withIssue();
  for (const kind of ['result', 'card'] as const) {
    await d.want({ key: `${kind}:issue1`, kind, issueId: 'issue1' });
    await d.after(2_000);
    await d.deletePosts();
    d.options.contentOf = async () => inThread(`${kind} has changed`);
    await d.want({ key: `${kind}:issue1`, kind, issueId: 'issue1' });
    await d.after(2_000);
    expect(await d.row(`${kind}:issue1`)).toMatchObject({ state: 'dead', error: 'message_not_found' });
    expect(await d.history()).toEqual(kind === 'result' ? [] : GONE);
  }
});
