import { describe, expect, it } from 'vitest';
import type { ImageRenderer } from '../../../../src/bot/render/pictures/image-renderer.ts';
import { fileFor } from '../../../../src/bot/slack/uploads/files.ts';
import { advance, type PicturesOptions } from '../../../../src/bot/slack/uploads/pictures.ts';
import { graphKey } from '../../../../src/bot/store/intents/keys.ts';
import { intent, newIssue } from '../../../support/issues.ts';
import { delivering } from '../support/delivering.ts';

const KEY = graphKey('issue-1', 1);
const RESULT = 'result:issue-1:1';
const PNG = new TextEncoder().encode('a picture');
const RESULTS = { causalTreeV2: { nodes: [{ id: 'a', title: 'A deploy' }] } };

const PICTURE = {
  svg: '<svg/>',
  width: 400,
  height: 100,
  alt: 'Causal graph of 1 node. Nodes: A deploy.',
  title: 'Graph',
};

/** An image renderer that draws nothing. */
const imageRenderer: ImageRenderer = {
  draw: async () => PICTURE,
  toPng: async () => PNG,
  close: async () => undefined,
};

/** A wanted picture of a causal graph, and the message that is to show it. */
async function wanted(
  options: {
    imageRenderer?: Partial<ImageRenderer>;
    until?: string;
    results?: object;
    shownAfter?: number;
  } = {},
) {
  const d = await delivering();
  const { shownAfter = 1 } = options;
  let crashAt = options.until;
  let looks = 0;
  let uploads = 0;
  d.slack.answers('files.getUploadURLExternal', () => {
    uploads += 1;
    return { upload_url: 'https://upload.test/1', file_id: `F${uploads}` };
  });
  d.slack.answers('files.completeUploadExternal', () => ({ files: [] }));
  d.slack.answers('files.info', ({ file }) => {
    looks += 1;
    const ready = looks >= shownAfter ? { mimetype: 'image/png', original_w: 400 } : { mimetype: '' };
    return { file: { id: file, ...ready } };
  });
  d.options.slack.fetch = async () => new Response('OK');
  await d.store.issues.add(newIssue());
  await d.store.results.save('issue-1', 1, JSON.stringify(options.results ?? RESULTS), 0);
  await d.want({ key: RESULT, kind: 'result', issueId: 'issue-1' });
  await d.store.outbox.delivered(RESULT, 1);
  await d.store.files.want({
    key: KEY,
    issueId: 'issue-1',
    what: { picture: 'graph', issue: 'issue-1', version: 1 },
    shownBy: RESULT,
    at: d.clock.now(),
  });
  const pictures: PicturesOptions = {
    slack: d.options.slack,
    store: d.store,
    imageRenderer: { ...imageRenderer, ...options.imageRenderer },
    random: () => 1,
    checkpoint: (name) => {
      if (name !== crashAt) return;
      crashAt = undefined;
      throw new Error('the process died');
    },
  };
  /** Takes what is due a step further, after so long. */
  const later = async (ms: number) => {
    await d.clock.sleep(ms);
    for (const row of await d.store.files.due(d.clock.now(), 10)) await advance(row, pictures);
  };
  const state = async () => (await d.store.files.get(KEY))?.state;
  return { ...d, later, state, shown: () => fileFor(d.store, KEY) };
}

describe('a picture', () => {
  it('is drawn, uploaded for nobody to see yet, and shown by its message once Slack can', async () => {
    const { later, state, shown, slack, store, woken } = await wanted({ shownAfter: 3 });
    await later(0);
    expect(await state()).toBe('processing');
    expect(slack.calls.at(-1)).toMatchObject({
      method: 'files.completeUploadExternal',
      args: expect.not.objectContaining({ channel_id: expect.anything() }),
    });
    await later(300);
    await later(600);
    expect([await shown(), await intent(store, RESULT)]).toEqual([null, 'idle']);
    woken.length = 0;
    await later(1_200);
    expect(await shown()).toEqual({ fileId: 'F1', alt: expect.stringContaining('A deploy') });
    expect([await intent(store, RESULT), woken]).toEqual(['due', ['outbox']]);
  });

  it('is wanted once for each key', async () => {
    const { later, store, clock, slack } = await wanted();
    await later(0);
    await later(300);
    await store.files.want({
      key: KEY,
      issueId: 'issue-1',
      what: { picture: 'graph', issue: 'issue-1', version: 1 },
      shownBy: null,
      at: clock.now(),
    });
    await later(60_000);
    expect(slack.methods().filter((name) => name === 'files.getUploadURLExternal')).toHaveLength(1);
  });

  it('that Slack cannot show within half a minute is given up: the words stand', async () => {
    const { later, state, store, slack, clock } = await wanted({ shownAfter: 99 });
    const begun = clock.now();
    for (let n = 0; n < 40 && (await state()) !== 'failed'; n += 1) await later(1_000);
    expect(await state()).toBe('failed');
    expect(clock.now() - begun).toBeGreaterThanOrEqual(19_000);
    expect(clock.now() - begun).toBeLessThanOrEqual(40_000);
    expect(await intent(store, RESULT)).toBe('idle');
    expect(slack.methods().filter((name) => name === 'files.info')).toHaveLength(7);
  });

  it.each([
    ['a PNG that fails', { imageRenderer: { toPng: async () => null } }],
    ['nothing to show, or a drawing that fails', { imageRenderer: { draw: async () => null } }],
  ])('is none of %s, and nothing is uploaded', async (_, options) => {
    const { later, state, slack } = await wanted(options);
    await later(0);
    expect([await state(), slack.calls]).toEqual(['failed', []]);
  });

  it.each(['picture: uploaded', 'picture: completed', 'picture: ready'])(
    'is shown in the end, although the process dies at “%s”',
    async (until) => {
      const { later, shown, store } = await wanted({ until });
      for (let n = 0; n < 4; n += 1) await later(10_000);
      expect(await shown()).toMatchObject({ alt: expect.stringContaining('A deploy') });
      expect(await intent(store, RESULT)).toBe('due');
    },
  );

  it('waits where Slack asks for patience, and that is no failed try', async () => {
    const { later, state, store, slack } = await wanted();
    slack.next('files.getUploadURLExternal', { status: 429, retryAfter: 30 });
    await later(0);
    await later(10_000);
    expect([slack.calls.length, (await store.files.get(KEY))?.attempts]).toEqual([1, 0]);
    await later(20_000);
    expect(await state()).toBe('processing');
  });

  it('is tried again after a lost answer, a few times', async () => {
    const { later, state, slack } = await wanted();
    slack.next('files.getUploadURLExternal', ...Array.from({ length: 6 }, () => 'timeout' as const));
    for (let n = 0; n < 10; n += 1) await later(60_000);
    expect(await state()).toBe('failed');
    expect(slack.calls).toHaveLength(6);
  });

  it('is given up at once where Slack refuses it, say for want of a scope', async () => {
    const { later, state, slack } = await wanted();
    slack.next('files.getUploadURLExternal', { error: 'missing_scope' });
    await later(0);
    await later(60_000);
    expect([await state(), slack.calls.length]).toEqual(['failed', 1]);
  });

  it('that Slack does not know yet right after it was completed is looked for again', async () => {
    const { later, state, slack } = await wanted();
    slack.next('files.info', { error: 'file_not_found' });
    await later(0);
    await later(300);
    expect(await state()).toBe('processing');
    await later(600);
    expect(await state()).toBe('ready');
  });
});
