import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkspace } from 'local-slack';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createSlackClient } from '../../../../src/bot/slack/client.ts';
import { MANIFEST } from '../../../support/program.ts';
import { until } from '../../../support/until.ts';
import { delivering } from '../support/delivering.ts';

it('a file is shared once in its thread on a real workspace, although an answer is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-upload-'));
  const workspace = await startWorkspace({
    file: join(folder, 'workspace.db'),
    manifest: MANIFEST,
    fileDelay: 0,
  });
  onTestFinished(async () => {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const d = await delivering();
  let loses = true;
  const client = createSlackClient({
    token: workspace.botToken,
    apiUrl: workspace.apiUrl,
    log: createLogger('silent'),
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (!String(url).endsWith('completeUploadExternal') || !loses) return answer;
      loses = false;
      throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    },
  });
  d.options = { ...d.options, slack: { ...d.options.slack, client } };
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({ channel, username: 'Tool', text: 'disk is full' });
  const bytes = new TextEncoder().encode('# Results\n\nAll of them.\n');
  d.content = {
    kind: 'file',
    channel,
    threadTs: ts,
    name: 'results-1-v1.md',
    title: 'All results of #1',
    bytes,
  };
  const key = 'file:results:issue-1:1';
  await d.want({ key, kind: 'file', channel, threadTs: ts });
  await d.work();
  expect(await d.row(key)).toMatchObject({ sending: 0, state: 'due' });
  await until('it is found', async () => {
    await d.after(2_000);
    return (await d.row(key)).state === 'idle';
  });
  expect(workspace.messages(channel, ts).flatMap(({ files = [] }) => files)).toEqual([
    expect.objectContaining({
      name: 'results-1-v1.md',
      title: expect.stringMatching(/^All results of #1 · \w{10}$/u),
    }),
  ]);
  const [file] = workspace.files();
  expect(workspace.fileBytes(file?.id ?? '')?.toString()).toBe('# Results\n\nAll of them.\n');
});
