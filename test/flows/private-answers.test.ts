import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { PRIVATE_SERVICE_KEY, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type SlackProxy, startSlackProxy } from '../support/proxies/slack-proxy.ts';
import {
  ALICE,
  ALICES_DM,
  BOB,
  CAROL,
  isOver,
  postsIn,
  type Thread,
  untilPosted,
} from '../support/talking.ts';
import { until } from '../support/until.ts';

/** The first issue of the private channel, by its title, its channel, or its number there. */
const SECRET = /VaultKeyRotation|C0SECRETS1|#P1\b/iu;

let around: Surroundings;
let slack: SlackProxy;
let bot: Bot | null = null;
let env: Record<string, string>;

beforeEach(async () => {
  around = await startSurroundings('socket', { agreed: false });
  slack = await startSlackProxy(around.workspace.apiUrl);
  const { alerts, secrets } = around.workspace.channels;
  env = { ALERT_CHANNELS: `${alerts},${secrets}` };
});

afterEach(async () => {
  await bot?.stop();
  bot = null;
  await slack.close();
  await around.close();
});

function secretAlert() {
  return around.workspace.post({ ...alertmanagerAlert('VaultKeyRotationFailed'), channel: 'secrets' });
}

async function asks(user: string, channel: string, question: string): Promise<string> {
  const text = channel.startsWith('D') ? question : `<@${around.workspace.botUserId}> ${question}`;
  const thread: Thread = { channel, ts: (await around.workspace.post({ channel, user, text })).ts };
  return wordsOf(await until(`${question} is answered`, () => postsIn(around, thread).find(isOver)));
}

/** What was sent since then to any place but the private channel. */
function sentElsewhere(from: number): string[] {
  const { secrets } = around.workspace.channels;
  return slack.calls
    .slice(from)
    .map(({ args }) => [...args.values()])
    .filter((values) => !values.includes(secrets))
    .map((values) => values.join('\n'));
}

/** The next thing that a person alone is shown in the private channel, after they did something. */
async function shown(as: string, command: string, text: string): Promise<string> {
  const { secrets } = around.workspace.channels;
  const own = () => around.workspace.messages(secrets).filter((one) => one.ephemeral_to === as);
  const before = own().length;
  await around.workspace.command({ as, channel: secrets, command, text });
  return wordsOf(await until(`${command} ${text} is answered`, () => own()[before]));
}

async function readiness(): Promise<string> {
  return (await fetch(`${bot?.url}/readyz`)).text();
}

describe('with two keys', () => {
  it('no answer elsewhere says anything of a private channel’s issue: its agent never had it', async () => {
    const two = { ISSUE_SERVICE_PRIVATE_API_KEY: PRIVATE_SERVICE_KEY, SLACK_API_URL: slack.apiUrl };
    bot = await startBotOn(around, { env: { ...env, ...two } });
    const { alerts, secrets, general } = around.workspace.channels;
    const from = slack.calls.length;
    const first = await secretAlert();
    await untilPosted(around, { channel: secrets, ts: first.ts }, 'Ready to fix');
    const second = await around.workspace.post(alertmanagerAlert('OrdersQueueLength', 'orders'));
    await untilPosted(around, { channel: alerts, ts: second.ts }, 'no cause found');
    expect(await asks(CAROL, general, 'what is open?')).toContain('OrdersQueueLength');
    for (const question of ['what about issue #P1?', 'what about VaultKeyRotationFailed?']) {
      // A question's own words are its asker's.
      expect(await asks(CAROL, general, question)).not.toMatch(/Root cause|rotation failed because/iu);
    }
    // Not even its members are answered elsewhere.
    expect(await asks(ALICE, ALICES_DM, 'what is open?')).not.toMatch(SECRET);
    expect(await asks(BOB, secrets, 'what is open?')).toContain('VaultKeyRotationFailed');
    const own =
      /what about (?:issue #P1|VaultKeyRotationFailed)\?|(?:no service called|no metrics for|Looking at|If) VaultKeyRotationFailed/gu;
    for (const one of sentElsewhere(from)) expect(one.replaceAll(own, '')).not.toMatch(SECRET);
  });
});

describe('with one key', () => {
  it('a private channel is not watched before a member agrees, which those are told who can fix it', async () => {
    const lines: string[] = [];
    bot = await startBotOn(around, { env, lines: { write: (line) => void lines.push(line) } });
    const { secrets, alerts } = around.workspace.channels;
    const waits = 'not watching 1 private channel: a member has to agree first';
    await until('it is said what is wrong', async () => (await readiness()).includes(waits));
    expect(await readiness()).not.toContain(secrets);
    expect(lines.join('')).toContain('a private channel is not watched until a member agrees');
    await until('an admin is told', () =>
      around.workspace
        .messages(ALICES_DM)
        .some((one) => /I do not watch .*it is private/u.test(wordsOf(one))),
    );
    expect(await shown(BOB, '/gumshoe', 'status')).toContain('is not watched until a member agrees');
    expect(await shown(BOB, '/gumshoe', '')).toContain('a member has to agree first');

    const { ts } = await secretAlert();
    const other = await around.workspace.post(alertmanagerAlert('OrdersQueueLength', 'orders'));
    await untilPosted(around, { channel: alerts, ts: other.ts }, '#1 OrdersQueueLength');
    expect(postsIn(around, { channel: secrets, ts })).toEqual([]);
    expect(await shown(BOB, '/investigate', 'the vault is open')).toContain('I file nothing from here');
    expect(await asks(CAROL, around.workspace.channels.general, 'what is open?')).not.toMatch(SECRET);
  });

  it('what a member has agreed to may be named, until they take it back', async () => {
    bot = await startBotOn(around, { env });
    const { secrets, general } = around.workspace.channels;
    await until('it is not watched', async () => (await readiness()).includes('private channel'));
    await around.workspace.command({ as: BOB, channel: secrets, command: '/gumshoe', text: 'naming' });
    const view = await until('it is asked', () => around.workspace.views(BOB).at(-1));
    await around.workspace.submit({ as: BOB, view_id: view.id, values: view.values });
    await until('it is watched', async () => !(await readiness()).includes('private channel'));
    const { ts } = await secretAlert();
    await untilPosted(around, { channel: secrets, ts }, 'Ready to fix');
    expect(await asks(CAROL, general, 'what is open?')).toContain('VaultKeyRotationFailed');
    expect(await shown(BOB, '/gumshoe', '')).toContain('may be named in answers elsewhere');
  });
});
