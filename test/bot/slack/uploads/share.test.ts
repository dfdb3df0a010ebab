import { describe, expect, it } from 'vitest';
import type { Content } from '../../../../src/bot/slack/delivery/content.ts';
import { referenceOf } from '../../../../src/bot/slack/uploads/files.ts';
import { newIssue } from '../../../support/issues.ts';
import { CHANNEL, type Delivering, delivering, ROOT, words } from '../support/delivering.ts';

const KEY = 'file:results:issue-1:1';
const REFERENCE = referenceOf(KEY);
const FILE: Content & { kind: 'file' } = {
  kind: 'file',
  channel: CHANNEL,
  threadTs: ROOT,
  name: 'results-12-v1.md',
  title: 'All results of #12',
  bytes: new TextEncoder().encode('# Results'),
};

interface Shared {
  d: Delivering;
  /** The titles of what is shared in the thread. */
  titles(): string[];
}

/** A file that is to be shared; `until` ends the process at that moment, as a crash would. */
async function sharing({ until = '' } = {}): Promise<Shared> {
  let crashAt = until;
  const d = await delivering({
    checkpoint: (name) => {
      if (name !== crashAt) return;
      crashAt = '';
      throw new Error('the process died');
    },
  });
  d.content = FILE;
  await d.store.issues.add(newIssue());
  await d.want({ key: KEY, kind: 'file', issueId: 'issue-1' });
  const titles = () =>
    d.workspace.messages(CHANNEL, ROOT).flatMap(({ files = [] }) => files.map(({ title }) => title));
  return { d, titles };
}

describe('a file', () => {
  it('is uploaded, then shared in its thread under a title that bears its key', async () => {
    const { d, titles } = await sharing();
    await d.work();
    expect(titles()).toEqual([`All results of #12 · ${REFERENCE}`]);
    expect(REFERENCE).toMatch(/^\w{10}$/u);
    const [file] = d.workspace.files();
    expect(file?.name).toBe('results-12-v1.md');
    expect(d.workspace.fileBytes(file?.id ?? '')?.toString()).toBe('# Results');
    expect(await d.row(KEY)).toMatchObject({ state: 'idle', sending: null });
  });

  it('that stands is not sent again', async () => {
    const { d, titles } = await sharing();
    await d.work();
    await d.store.outbox.again(KEY);
    await d.after(60_000);
    expect(titles()).toHaveLength(1);
  });

  it.each(['file: uploaded', 'file: sent', 'file: recorded'])(
    'is shared once, although the process dies at “%s”',
    async (until) => {
      const { d, titles } = await sharing({ until });
      await d.work();
      await d.after(60_000);
      await d.after(60_000);
      expect(titles()).toEqual([`All results of #12 · ${REFERENCE}`]);
      expect(await d.row(KEY)).toMatchObject({ state: 'idle', sending: null });
    },
  );

  it.each(['lost_answer', 'timeout'] as const)(
    'is shared once where Slack’s answer is a %s',
    async (fault) => {
      const { d, titles } = await sharing();
      d.slack.next('files.completeUploadExternal', fault);
      await d.work();
      expect(await d.row(KEY)).toMatchObject({ state: 'due', sending: 0 });
      await d.after(60_000);
      expect(titles()).toHaveLength(1);
      expect(await d.row(KEY)).toMatchObject({ state: 'idle', sending: null });
    },
  );

  it('is waited for where Slack has it and does not show it yet', async () => {
    const { d } = await sharing();
    d.slack.answers('conversations.replies', { messages: [] });
    d.slack.next('files.completeUploadExternal', 'lost_answer');
    await d.work();
    await d.after(1_100);
    await d.after(2_100);
    expect(d.slack.methods().filter((name) => name === 'files.completeUploadExternal')).toHaveLength(1);
    d.slack.answers('conversations.replies', null);
    await d.after(2_100);
    expect(await d.row(KEY)).toMatchObject({ state: 'idle', sending: null });
    expect(d.slack.methods().filter((name) => name === 'files.completeUploadExternal')).toHaveLength(1);
  });

  it('that Slack never took is sent again', async () => {
    const { d, titles } = await sharing();
    d.slack.next('files.completeUploadExternal', { status: 503 });
    await d.work();
    await d.after(60_000);
    expect(titles()).toHaveLength(1);
  });

  it('waits for its channel’s pace without a mark that would look like a post in doubt', async () => {
    const { d, titles } = await sharing();
    d.options.slack.pace.took({ method: 'chat.postMessage', channel: CHANNEL }, d.clock.now());
    await d.work();
    expect(titles()).toEqual([]);
    expect(await d.row(KEY)).toMatchObject({ state: 'due', sending: null, attempts: 0 });
    await d.after(1_100);
    expect(titles()).toHaveLength(1);
  });

  it('whose bytes the upload server does not take is tried again, and nobody sees anything of it', async () => {
    const { d, titles } = await sharing();
    d.options.slack.fetch = async () => new Response('no', { status: 500 });
    await d.work();
    expect(titles()).toEqual([]);
    expect(await d.row(KEY)).toMatchObject({ state: 'due', sending: null });
    delete d.options.slack.fetch;
    await d.after(60_000);
    expect(titles()).toHaveLength(1);
  });

  it('that Slack refuses is given up', async () => {
    const { d } = await sharing();
    d.slack.next('files.completeUploadExternal', { error: 'invalid_arguments' });
    await d.work();
    expect(await d.row(KEY)).toMatchObject({ state: 'dead', error: 'invalid_arguments', sending: null });
  });

  it('for a channel that is archived waits until it is not', async () => {
    const { d } = await sharing();
    d.slack.next('files.completeUploadExternal', { error: 'is_archived' });
    await d.work();
    expect(await d.row(KEY)).toMatchObject({ state: 'parked', error: 'is_archived', sending: null });
  });
});

describe('blocks that Slack refuses', () => {
  const section = (text: string) => words(text).blocks;
  /** Slack does not know its file. */
  const picture = { type: 'image', slack_file: { id: 'F1' }, alt_text: 'A graph' } as const;

  it('give way to those without pictures, and those to text, each counted', async () => {
    const d = await delivering();
    const rendered = { text: 'short', blocks: [picture], plainer: section('a → b') };
    d.content = { kind: 'messages', parts: [rendered], channel: CHANNEL, threadTs: ROOT };
    await d.want();
    await d.work();
    expect(d.slack.messages()).toMatchObject([{ text: 'short', blocks: section('a → b') }]);

    d.slack.next('chat.update', { error: 'invalid_blocks' }, { error: 'invalid_blocks' });
    d.content = { ...d.content, parts: [{ ...rendered, text: 'new' }] };
    await d.want();
    await d.after(2_000);
    expect(d.slack.messages().map(({ text, blocks }) => ({ text, blocks }))).toEqual([{ text: 'a → b' }]);
  });
});
