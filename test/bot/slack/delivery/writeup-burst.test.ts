import { expect, it } from 'vitest';
import { answerFromRecord } from '../../../../src/bot/slack/features/issues/ending.ts';
import { addCreated } from '../../../support/issues.ts';
import { CHANNEL, delivering } from '../support/delivering.ts';
import { depsOf } from '../support/deps.ts';
import { messagesOf } from '../support/messages-of.ts';

const BURST = 20;
const STEP_MS = 500;
const CALL = {
  ...{ command: '/issue', words: 'writeup', channel: CHANNEL, userId: 'U1', triggerId: '1.2.3' },
  ...{ moment: { ts: null, receivedAt: 0 }, respond: async () => new Response() },
};
const RESULTS = {
  rootCause: { rootCauseSummary: 'The pool is full.' },
  causalTreeV2: {
    nodes: ['cause', 'effect', 'symptom'].map((nodeType) => ({ id: nodeType, nodeType, title: nodeType })),
    edges: [
      { source: 'cause', target: 'effect' },
      { source: 'effect', target: 'symptom' },
    ],
  },
};

it('of twenty write-ups at once in one channel each says how many come first, and all are there within a minute', async () => {
  const d = await delivering();
  let uploads = 0;
  const shared: number[] = [];
  d.slack.answers('files.getUploadURLExternal', () => {
    uploads += 1;
    return { upload_url: 'https://upload.test/1', file_id: `F${uploads}` };
  });
  d.slack.answers('files.completeUploadExternal', () => {
    shared.push(d.clock.now());
    return { files: [] };
  });
  d.options.slack.fetch = async () => new Response('OK');
  d.options.contentOf = messagesOf({ store: d.store, clock: d.clock });
  const deps = depsOf({ store: d.store, clock: d.clock, client: d.slack.client });

  const began = d.clock.now();
  const said: string[] = [];
  for (let number = 1; number <= BURST; number += 1) {
    const id = `issue-${number}`;
    await addCreated(d.store, began, { id, identity: id, number, channel: CHANNEL, threadTs: `${number}.0` });
    await d.store.results.save(id, 1, JSON.stringify(RESULTS), began);
    const asked = { ...CALL, cause: `press-${number}` };
    said.push((await answerFromRecord({ verb: 'writeup', number }, asked, deps)).text);
  }
  while (d.clock.now() < began + 60_000) await d.after(STEP_MS);

  expect(said[0]).toBe('The write-up of #1 will be posted in its thread as a file.');
  expect(said[1]).toContain('Another one is before it: it takes up to a minute.');
  expect(said[19]).toContain('19 others are before it: it takes up to a minute.');
  expect([shared.length, uploads]).toEqual([BURST, BURST]);
  expect(await d.store.outbox.countWriteups()).toBe(0);
});
