import { describe, expect, it } from 'vitest';
import { rawJsonKey } from '../../../../../src/bot/store/intents/keys.ts';
import { addCreated, uuidOf } from '../../../../support/issues.ts';
import { listening } from '../../support/listening.ts';

const HERE = 'C0HERE';
const OTHER = 'C0OTHER';
const OWNER = `question:${HERE}:5.0`;

/** P1 of the private channel where an answer stands, and P2 of another one. */
async function world() {
  const w = await listening({ privateChannels: [HERE, OTHER] });
  const { store } = w;
  await store.channels.learn(HERE, true);
  await store.channels.learn(OTHER, true);
  const issue = (id: string, channel: string, title: string) => ({ id, identity: id, channel, title });
  const organization = 'private' as const;
  await addCreated(store, 1, { ...issue('here', HERE, 'Payroll export stalled'), number: 1, organization });
  await addCreated(store, 2, {
    ...issue('other', OTHER, 'Vault rotation failed'),
    number: 2,
    uuid: uuidOf(102),
    organization,
  });
  w.slack.answers('views.open', { view: { id: 'V1', hash: 'h' } });
  w.slack.answers('views.update', { view: { id: 'V1', hash: 'h' } });
  return w;
}

/** An answer with two pieces of evidence: the first names what it is told to, the second P1. */
async function answered(named: { summary?: string; title?: string }) {
  const w = await world();
  const start = { channel: HERE, threadTs: '1.0', issueId: null, startedBy: 'U1', createdAt: 0 };
  const { id: conversation } = await w.store.conversations.start({ id: 'k1', ...start });
  await w.store.conversations.belongTo(conversation, 'private');
  await w.store.questions.add({
    id: `${HERE}:5.0`,
    conversation,
    asker: 'U1',
    text: 'what is open?',
    createdAt: 0,
  });
  const artifacts = JSON.stringify([
    { id: 'a', summary: named.summary ?? 'A change' },
    { id: 'b', summary: 'A change of #P1' },
  ]);
  await w.store.questions.update(`${HERE}:5.0`, { state: 'complete', artifacts }, 0);
  await w.store.artifacts.want(OWNER, ['a', 'b']);
  const keep = (id: string, title: string) =>
    w.store.artifacts.keep(OWNER, id, JSON.stringify({ id, type: 'change', data: { title } }), 0);
  await keep('a', named.title ?? 'Deploy 4.2.0');
  await keep('b', 'Deploy 4.3.0 for P1');
  const act = (action: object, more: object) =>
    w.give({
      type: 'block_actions',
      team: { id: 'T1' },
      user: { id: 'U1' },
      trigger_id: '1.2.3',
      response_url: 'http://127.0.0.1:9/expired',
      actions: [{ type: 'button', block_id: 'b', action_ts: '1', ...action }],
      ...more,
    });
  return {
    ...w,
    /** Presses the button of a piece under the answer. */
    open: (index: number) =>
      act({ action_id: 'answer:artifact:0', value: `${index}:${HERE}:5.0` }, { channel: { id: HERE } }),
    /** Presses *Get the raw JSON* in the modal. */
    json: (index: number) => {
      const private_metadata = JSON.stringify({ owner: OWNER, version: 0, index, channel: HERE });
      const view = { id: 'V1', type: 'modal', private_metadata };
      return act({ action_id: 'evidence:json', value: String(index) }, { view });
    },
    file: (id: string) => w.store.outbox.get(rawJsonKey(OWNER, id)),
    shown: () =>
      w.slack.calls.filter(({ method }) => method.startsWith('views.')).map(({ args }) => args.view ?? ''),
  };
}

describe('evidence of an answer in a private channel', () => {
  it('is shown there, and sent', async () => {
    const w = await answered({});
    await w.open(1);
    expect(w.shown().at(-1)).toContain('Deploy 4.3.0 for P1');
    await w.json(1);
    expect(await w.file('b')).toMatchObject({ kind: 'file', channel: HERE });
  });

  it('is not sent while it is not there', async () => {
    const w = await answered({});
    await w.store.questions.update(
      `${HERE}:5.0`,
      { state: 'complete', artifacts: JSON.stringify([{ id: 'c', summary: 'A change' }]) },
      0,
    );
    w.service.client.artifacts.get = async () => [];
    await w.json(0);
    expect(await w.file('c')).toBeNull();
  });
});
