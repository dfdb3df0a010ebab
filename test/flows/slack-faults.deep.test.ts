import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Alice is the workspace's admin: this is her conversation with the bot. */
const ALICES_DM = 'D0ALICE001';
const BOB = 'U0BOB00001';
const Readiness = z.object({ ready: z.boolean(), degraded: z.array(z.string()) });

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

async function readyz() {
  return Readiness.parse(await (await fetch(`${bot.url}/readyz`)).json());
}

const told = () => around.workspace.messages(ALICES_DM).map(wordsOf);
const toldOnce = (pattern: RegExp) =>
  until(`Alice is told ${pattern}`, () => {
    const [first, ...others] = told();
    return first !== undefined && others.length === 0 && pattern.test(first) && first;
  });

/** An alert whose investigation is over. */
async function investigated(name: string): Promise<string> {
  const { ts } = await around.workspace.post(alertmanagerAlert(name));
  await ready(ts);
  return ts;
}

function ready(ts: string): Promise<PageMessage> {
  return until('its issue is ready to fix', () =>
    repliesTo(around, ts).find((message) => /Ready to fix|🔗 Symptom/u.test(wordsOf(message))),
  );
}

describe('a channel', () => {
  it('that is archived keeps its issues; its messages wait, an admin is told once, and all goes on when it is back', async () => {
    const ts = await investigated('HighErrorRate');
    await around.workspace.archive('alerts');
    await toldOnce(/I cannot post in <#C0ALERTS01> anymore: it is archived[\s\S]*Fix:[\s\S]*unarchive/);
    expect(await readyz()).toMatchObject({
      ready: true,
      degraded: ['cannot post in 1 channel; messages are queued'],
    });

    // Somebody resolves it from elsewhere: the card cannot show it yet.
    const outcome = await around.workspace.command({
      as: BOB,
      channel: around.workspace.channels.general,
      command: '/issue',
      text: 'resolve 1',
    });
    expect(outcome).toMatchObject({ ok: true });
    await bot.stop();
    bot = await startBotOn(around);
    await toldOnce(/it is archived/);

    await around.workspace.unarchive('alerts');
    await toldOnce(/✅ Fixed .*I can post in <#C0ALERTS01> again/);
    await until('the card shows it', () => /Resolved/.test(wordsOf(repliesTo(around, ts)[0] ?? NOTHING)));
    await until('nothing is degraded', async () => (await readyz()).degraded.length === 0);
    await ready(await post('DiskFull'));
  });

  it('that the bot is removed from is read where it left off, once it is invited again', async () => {
    await investigated('HighErrorRate');
    await around.workspace.kick('alerts');
    await toldOnce(/I am not in <#C0ALERTS01>, so I cannot read or post there[\s\S]*\/invite/);
    const missed = await post('DiskFull');
    await around.workspace.invite('alerts');
    await toldOnce(/✅ Fixed/);
    await ready(missed);
    expect(repliesTo(around, missed).filter((message) => /#2/.test(wordsOf(message)))).not.toEqual([]);
  });

  it('where posting is restricted is tried again after a start, and has everything then', async () => {
    await around.workspace.restrict('alerts');
    const first = await post('HighErrorRate');
    await toldOnce(/Slack does not let me post in <#C0ALERTS01> \(restricted_action\)/);
    const second = await post('DiskFull');
    expect(repliesTo(around, first)).toEqual([]);

    await bot.stop();
    await around.workspace.restrict('alerts', false);
    bot = await startBotOn(around);
    await toldOnce(/✅ Fixed/);
    for (const ts of [first, second]) {
      await ready(ts);
      expect(repliesTo(around, ts).filter((message) => /\*?#\d/.test(message.text)).length).toBeGreaterThan(
        0,
      );
    }
  });

  it('that is deleted has no further effect', async () => {
    await investigated('HighErrorRate');
    await around.workspace.deleteChannel('alerts');
    await toldOnce(/Slack says <#C0ALERTS01> \(C0ALERTS01\) does not exist: it was deleted/);
    await bot.stop();
    bot = await startBotOn(around);
    await until('it looked again', async () => (await readyz()).degraded.length === 1);
    await toldOnce(/it was deleted/);
  });

  it('that has another name is the same channel', async () => {
    const ts = await investigated('HighErrorRate');
    await around.workspace.rename('alerts', 'pages');
    const other = await around.workspace.post({ ...alertmanagerAlert('DiskFull'), channel: 'pages' });
    await ready(other.ts);
    await around.workspace.post({ ...alertmanagerAlert('HighErrorRate'), channel: 'pages' });
    await until('the repeat is counted', () =>
      /Fired again 1 time/.test(wordsOf(repliesTo(around, ts)[0] ?? NOTHING)),
    );
    expect(told()).toEqual([]);
  });
});

describe('a scope that is not granted any more', () => {
  it('is told once with its fix; what needs it waits, everything else goes on, and it is noticed when it is back', async () => {
    const granted = await grantedScopes();
    around.workspace.grantScopes(granted.filter((scope) => scope !== 'reactions:write'));
    const ts = await investigated('HighErrorRate');
    await toldOnce(/lacks the scope `reactions:write`[\s\S]*reinstall the app/);
    expect((await readyz()).degraded).toEqual([expect.stringContaining('scope reactions:write')]);
    const alert = () =>
      around.workspace.messages(around.workspace.channels.alerts).find((one) => one.ts === ts);
    expect(alert()?.reactions ?? []).toEqual([]);

    await bot.stop();
    around.workspace.grantScopes();
    bot = await startBotOn(around);
    await toldOnce(/✅ Fixed .*the scope `reactions:write` is granted/);
    await until('the reaction is there', () => alert()?.reactions?.length);
  });
});

it('an alert that somebody deletes takes its thread along: the issue says so, and nothing is said again', async () => {
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await around.workspace.remove('alerts', ts);
  const channel = around.workspace.channels.general;
  const history = () =>
    around.workspace
      .messages(channel)
      .some((message) => /somebody deleted its message/.test(wordsOf(message)));
  await until('its history says so', async () => {
    await around.workspace.command({ as: BOB, channel, command: '/gumshoe', text: 'audit 1' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    return history();
  });
  await ready(await post('DiskFull'));
  const top = around.workspace.messages(around.workspace.channels.alerts);
  expect(top.filter((message) => message.user === around.workspace.botUserId)).toEqual([]);
});

async function post(name: string): Promise<string> {
  const { ts } = await around.workspace.post(alertmanagerAlert(name));
  return ts;
}

async function grantedScopes(): Promise<string[]> {
  const answer = await fetch(`${around.workspace.apiUrl}auth.test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${around.workspace.botToken}` },
  });
  return (answer.headers.get('x-oauth-scopes') ?? '').split(',');
}

const NOTHING: PageMessage = { type: 'message', channel: '', ts: '', text: '' };
