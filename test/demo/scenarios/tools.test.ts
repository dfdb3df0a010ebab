import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { startWorkspace, type Workspace } from 'local-slack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../../src/bot/alerts/formats/index.ts';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { type AlertInput, createAlerts, type PostAlert } from '../../../src/demo/scenarios/alerts.ts';
import { createProblems } from '../../../src/demo/scenarios/problems.ts';
import { tools } from '../../../src/demo/scenarios/tools/index.ts';
import { fixtures } from '../../bot/alerts/fixtures.ts';
import { instantClock } from '../../support/manual-clock.ts';
import { fastClock } from '../../support/paced-clock.ts';
import { MANIFEST } from '../../support/program.ts';

/** Rollbar is played with a notice of a deploy, which is not an alert. */
const NOTICES = ['rollbar'];

const withResolvedFixture = [...fixtures.values()]
  .filter(({ expected }) => expected.kind === 'resolved')
  .map(({ vendor }) => vendor);

let folder: string;
let workspace: Workspace;
let slack: WebClient;
let play: (tool: string, how: AlertInput['how']) => ReturnType<PostAlert>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-tools-'));
  // So fast that no call is refused for being one too many in a minute.
  const fast = fastClock(600);
  workspace = await startWorkspace({ file: join(folder, 'workspace.db'), manifest: MANIFEST, clock: fast });
  slack = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl });
  const clock = instantClock();
  const problems = createProblems(clock, () => undefined);
  const { signal } = new AbortController();
  const post = createAlerts({ workspace: () => workspace, problems, clock, signal });
  play = (tool, how) => post({ tool, how, channel: workspace.channels.alerts });
});

afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The newest messages of #alerts as the app gets them, the newest first. */
async function newest(limit: number): Promise<{ ts?: string }[]> {
  const { messages } = await slack.conversations.history({ channel: workspace.channels.alerts, limit });
  return messages ?? [];
}

async function read(): Promise<Alert> {
  return parseAlert((await newest(1))[0]);
}

/** What the app understands when a tool says that its problem is over, wherever it says so. */
async function recovered(tool: string): Promise<Alert> {
  const [before] = await newest(1);
  await play(tool, 'recovers');
  const [after] = await newest(1);
  if (after?.ts !== before?.ts) return parseAlert(after);
  const { messages = [] } = await slack.conversations.replies({
    channel: workspace.channels.alerts,
    ts: before?.ts ?? '',
  });
  const reply = messages.at(-1);
  if (reply?.ts !== before?.ts) return parseAlert(reply);
  return parseAlert({
    type: 'message',
    subtype: 'message_changed',
    message: after,
    previous_message: before,
  });
}

/** The texts and numbers of a JSON value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf);
  return [String(value)];
}

describe('the tools whose alerts can be played', () => {
  const own = new Set(formats.flatMap(({ name, tool }) => (tool === null ? [] : [name])));
  const formatOf = (id: string) => (own.has(id) ? id : 'generic');

  it('are all that Gumshoe has a format of its own for, and others', () => {
    const played = new Set(tools.map(({ id }) => id));
    expect([...own].filter((name) => !played.has(name))).toEqual([]);
    expect(played.size).toBeGreaterThan(own.size);
  });

  const playable = [...fixtures.values()].filter((fixture) => fixture.playable);
  it.each(playable.map((fixture) => [fixture.name, fixture] as const))(
    'every word that is replaced in %s is in its message',
    (_, { message: { username, text, blocks, attachments }, playable: words = {} }) => {
      const texts = textsOf([username, text, blocks, attachments]);
      expect(Object.keys(words).filter((word) => !texts.some((one) => one.includes(word)))).toEqual([]);
    },
  );

  it.each(NOTICES)('%s tells what is no alert, and Gumshoe knows it', async (id) => {
    await play(id, 'fires');
    expect(await read()).toMatchObject({ format: id, kind: 'not_an_alert' });
  });

  describe.each(tools.filter(({ id }) => !NOTICES.includes(id)))('$name', ({ id, recovers }) => {
    it('fires, fires again and recovers as one problem', async () => {
      await play(id, 'fires');
      const first = await read();
      expect(first).toMatchObject({ format: formatOf(id), kind: 'firing' });
      await play(id, 'again');
      expect(await read()).toMatchObject({
        format: formatOf(id),
        kind: 'firing',
        fingerprint: first.fingerprint,
      });
      if (recovers === null) expect(withResolvedFixture).not.toContain(id);
      if (recovers === null)
        return expect(play(id, 'recovers')).rejects.toThrow(/does not report recoveries/);
      expect(await recovered(id)).toMatchObject({
        format: formatOf(id),
        kind: 'resolved',
        fingerprint: first.fingerprint,
      });
      await expect(play(id, 'recovers')).rejects.toThrow(/has no firing alert in this channel/);
    });

    it('storms with a hundred problems', async () => {
      await play(id, 'storm');
      const alerts = (await newest(100)).map(parseAlert);
      expect(new Set(alerts.map(({ format, kind }) => `${format} ${kind}`))).toEqual(
        new Set([`${formatOf(id)} firing`]),
      );
      expect(new Set(alerts.map(({ fingerprint }) => fingerprint)).size).toBe(100);
    });
  });
});
