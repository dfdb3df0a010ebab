import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkspace } from 'local-slack';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stopButton } from '../../../../src/bot/render/asking/answer-buttons.ts';
import { asPlainText } from '../../../../src/bot/render/plain.ts';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createSlackClient } from '../../../../src/bot/slack/client.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { MANIFEST } from '../../../support/program.ts';
import { type Delivering, delivering, words } from '../support/delivering.ts';

/** A delivery to the local workspace, which keeps Slack's limits, with a wire that can lose an answer. */
async function onWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-delivery-'));
  const d: Delivering = await delivering();
  const workspace = await startWorkspace({
    file: join(folder, 'workspace.db'),
    manifest: MANIFEST,
    // Its limits go by the clock of the delivery, which waits for them; nothing of its own is due.
    clock: { now: d.clock.now, sleep: manualClock().sleep },
  });
  onTestFinished(async () => {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const wire = { loseNext: false, methods: [] as string[] };
  const client = createSlackClient({
    token: workspace.botToken,
    apiUrl: workspace.apiUrl,
    log: createLogger('silent'),
    fetch: async (url, init) => {
      wire.methods.push(String(url).split('/').at(-1) ?? '');
      const answer = await fetch(url, init);
      if (!wire.loseNext) return answer;
      wire.loseNext = false;
      throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    },
  });
  d.options = { ...d.options, slack: { ...d.options.slack, client } };
  const channel = workspace.channels.alerts;
  const say = async (text: string) => (await workspace.post({ channel, username: 'Tool', text })).ts;
  const inThreadOf = (threadTs: string, text: string) => {
    d.content = { kind: 'messages', parts: [words(text)], channel, threadTs };
    return d.want({ channel, threadTs });
  };
  return { d, client, workspace, channel, wire, say, inThreadOf };
}

describe('on a real workspace', () => {
  it('a message whose answer was lost is found by its key, among others', async () => {
    const { d, workspace, channel, wire, say, inThreadOf } = await onWorkspace();
    const ts = await say('[FIRING:1] disk is full');
    await workspace.post({ channel, user: 'U0ALICE001', thread_ts: ts, text: 'I am on it' });
    await inThreadOf(ts, 'the card');
    wire.loseNext = true;
    await d.work();
    await d.after(60_000);
    const said = workspace.messages(channel, ts).map(({ text }) => text);
    expect(said).toEqual(['[FIRING:1] disk is full', 'I am on it', 'the card']);
    expect(wire.methods).toEqual(['chat.postMessage', 'conversations.replies', 'chat.update']);
    expect(await d.row()).toMatchObject({ state: 'idle', sending: null });
  });

  it('a reply whose parent was deleted does not stay at top level', async () => {
    const { d, client, workspace, channel, inThreadOf } = await onWorkspace();
    const { ts } = await client.chat.postMessage({ channel, text: 'soon gone' });
    await client.chat.delete({ channel, ts: ts ?? '' });
    await d.clock.sleep(1_100);
    await inThreadOf(ts ?? '', 'the card');
    await d.work();
    expect(workspace.messages(channel)).toEqual([]);
    expect((await d.row()).state).toBe('dead');
  });

  it('blocks that it refuses arrive as plain text', async () => {
    const { d, workspace, channel, say } = await onWorkspace();
    const ts = await say('[FIRING:1] disk is full');
    const tooMany = Array.from({ length: 51 }, (_, n) => words(`line ${n}`).blocks).flat();
    const rendered = { text: 'many lines', blocks: tooMany };
    d.content = { kind: 'messages', parts: [rendered], channel, threadTs: ts };
    await d.want({ channel, threadTs: ts });
    await d.work();
    expect(workspace.messages(channel, ts).slice(1)).toMatchObject([{ text: asPlainText(rendered).text }]);
    expect(workspace.messages(channel, ts)[1]?.blocks ?? []).toEqual([]);
    expect(await d.row()).toMatchObject({ state: 'idle' });
  });

  it('an answer in a direct message grows as a stream, and is found again after a lost start', async () => {
    const { d, client, workspace, wire } = await onWorkspace();
    const { channel: dm } = await client.conversations.open({ users: 'U0ALICE001' });
    const channel = dm?.id ?? '';
    const { ts: threadTs } = await workspace.post({ channel, user: 'U0ALICE001', text: 'why?' });
    const at = d.clock.now();
    const start = { channel, threadTs: threadTs, issueId: null, startedBy: 'U0ALICE001', createdAt: at };
    await d.store.conversations.start({ id: 'c1', ...start });
    await d.store.questions.add({ id: 'q1', conversation: 'c1', asker: 'U1', text: 'why?', createdAt: at });
    const shows = async (key: OutboxKey, text: string, growing = true) => {
      const stream = growing ? { stream: { opening: '', text } } : {};
      d.content = { kind: 'messages', parts: [words(text)], channel, threadTs, ...stream };
      await d.want({ key, kind: 'answer', questionId: 'q1', channel, threadTs });
      await d.after(60_000);
    };
    const said = () => workspace.messages(channel, threadTs).map(({ text }) => text);

    await shows('answer:1', '');
    wire.loseNext = true;
    await shows('answer:1', 'The pool');
    await shows('answer:1', 'The pool is full');
    expect(said()).toEqual(['why?', 'The pool is full']);
    await shows('answer:1', 'The pool is full.', false);

    wire.methods.length = 0;
    await shows('answer:2', 'A disk');
    expect(workspace.messages(channel, threadTs).at(-1)?.blocks).toMatchObject([
      stopButton('q1'),
      { type: 'markdown', text: 'A disk' },
    ]);
    await shows('answer:2', 'A disk is full');
    await shows('answer:2', 'A disk is full.', false);
    expect(wire.methods).toEqual(['chat.startStream', 'chat.appendStream', 'chat.stopStream', 'chat.update']);
    expect(said()).toEqual(['why?', 'The pool is full.', 'A disk is full.']);
  });

  it('what is to be said in a channel that the bot is no member of waits for it', async () => {
    const { d, workspace } = await onWorkspace();
    d.content = {
      kind: 'messages',
      parts: [words('x')],
      channel: workspace.channels.payments,
      threadTs: null,
    };
    await d.want({ channel: workspace.channels.payments, threadTs: null });
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'parked', error: 'not_in_channel' });
  });
});
