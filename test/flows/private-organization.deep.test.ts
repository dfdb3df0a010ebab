import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { createServiceClient } from '../../src/contract/client/client.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type ChannelViews, channelViews } from '../support/channel-views.ts';
import { KILLABLE, startChild, untilPrinted } from '../support/child.ts';
import {
  PRIVATE_SERVICE_KEY,
  SERVICE_KEY,
  type Surroundings,
  startBotOn,
  startSurroundings,
} from '../support/program.ts';
import { BOB, CAROL, isOver, postsIn } from '../support/talking.ts';
import { until } from '../support/until.ts';

type Where = keyof Surroundings['workspace']['channels'];

let around: Surroundings;
let env: Record<string, string>;
let bot: Bot | null = null;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const { alerts, secrets } = around.workspace.channels;
  env = {
    ...around.env,
    ALERT_CHANNELS: `${alerts},${secrets}`,
    ISSUE_SERVICE_PRIVATE_API_KEY: PRIVATE_SERVICE_KEY,
  };
  views = channelViews(around);
});

afterEach(async () => {
  await bot?.stop();
  bot = null;
  await around.close();
});

/** What the titles begin with that an organization has at the service. */
async function titlesAt(apiKey: string): Promise<string[]> {
  const client = createServiceClient({
    url: around.service.url,
    apiKey,
    version: '2026-03-17',
    clock: systemClock,
  });
  try {
    const { data } = await client.issues.page({ limit: 100 });
    return data.map(({ title }) => title.split(' ')[0] ?? '').sort();
  } finally {
    await client.close();
  }
}

function secretAlert() {
  return around.workspace.post({ ...alertmanagerAlert('ZebraVaultLeak', 'payments'), channel: 'secrets' });
}

/** What the bot answers to a mention, once all of it stands there. */
async function answerTo(question: string, where: Where, user: string): Promise<string> {
  const channel = around.workspace.channels[where];
  const text = `<@${around.workspace.botUserId}> ${question}`;
  const { ts } = await around.workspace.post({ channel, user, text });
  const answer = await until(`${question} is answered in #${where}`, () =>
    postsIn(around, { channel, ts }).find(isOver),
  );
  return wordsOf(answer);
}

/** What a command answers, to the person alone. */
async function commanded(
  command: string,
  text: string,
  where: Where,
  as: string,
  answers = 1,
): Promise<string[]> {
  const channel = around.workspace.channels[where];
  const own = () => around.workspace.messages(channel).filter((one: PageMessage) => one.ephemeral_to === as);
  const before = own().length;
  await around.workspace.command({ as, channel, command, text });
  await until(`${command} ${text} is answered`, () => own().length >= before + answers);
  return own().slice(before).map(wordsOf);
}

describe('an alert in a private channel', () => {
  it('is an issue of another organization: nobody elsewhere hears of it from the agent, a command or a Home', async () => {
    bot = await startBotOn(around, { env });
    const open = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const { ts } = await secretAlert();
    await views.seen(/#1 HighErrorRate[\s\S]*Ready to fix/, 'alerts', open.ts);
    await views.seen(/#P1 ZebraVaultLeak[\s\S]*Ready to fix/, 'secrets', ts);
    await views.seen(/Results of \*#P1/, 'secrets', ts);
    expect(await titlesAt(SERVICE_KEY)).toEqual(['HighErrorRate']);
    expect(await titlesAt(PRIVATE_SERVICE_KEY)).toEqual(['ZebraVaultLeak']);

    for (const question of ['what is open?', 'what about issue 1?', 'what about issue #P1?']) {
      expect(await answerTo(question, 'general', CAROL), question).not.toMatch(/zebra/i);
    }
    expect(await answerTo('what is open?', 'general', CAROL)).toContain('HighErrorRate');
    const inPrivate = await answerTo('what is open?', 'secrets', BOB);
    expect(inPrivate).toContain('ZebraVaultLeak');
    expect(inPrivate).not.toContain('HighErrorRate');
    for (const question of ['what about issue 1?', 'what about issue #P1?']) {
      expect(await answerTo(question, 'secrets', BOB), question).toMatch(
        /\[#P1\][\s\S]*Root cause|Root cause of \[#P1\]/u,
      );
    }
    expect(inPrivate).not.toMatch(/#1\b/);

    expect((await commanded('/issue', '1', 'general', CAROL)).join('\n')).toContain('#1 HighErrorRate');
    expect((await commanded('/issue', 'P1', 'general', CAROL)).join('\n')).not.toMatch(/zebra/i);
    expect((await commanded('/issue', 'list', 'general', CAROL)).join('\n')).not.toMatch(/zebra|#P1/i);
    expect((await commanded('/issue', '1', 'secrets', BOB)).join('\n')).toContain('#1 HighErrorRate');
    expect((await commanded('/issue', 'show #p1', 'secrets', BOB)).join('\n')).toContain(
      '#P1 ZebraVaultLeak',
    );
    expect((await commanded('/issue', 'results P1 v1', 'secrets', BOB)).join('\n')).toContain('#P1');
    const lists = await commanded('/issue', 'list', 'secrets', BOB, 2);
    expect(lists.map((text) => text.match(/#P?\d+/gu)?.[0])).toEqual(['#P1', '#1']);
    expect((await commanded('/gumshoe', 'audit P1', 'secrets', BOB)).join('\n')).toMatch(/History of.*#P1/u);

    await commanded('/investigate', 'the second vault is slow', 'secrets', BOB, 0);
    await until('it is filed', () =>
      around.workspace
        .messages(around.workspace.channels.secrets)
        .some((message) => wordsOf(message).includes('#P2')),
    );
    expect((await commanded('/issue', '2', 'secrets', BOB)).join('\n')).toContain('Did you mean #P2?');
    expect((await commanded('/issue', '2', 'general', CAROL)).join('\n')).not.toContain('P2');

    await around.workspace.openHome(BOB);
    const home = () => JSON.stringify(around.workspace.home(BOB)?.home.blocks ?? []);
    await until('a member sees both first issues', () => /[^P]1\b/u.test(home()) && home().includes('#P1'));
    expect(home()).toContain('HighErrorRate');

    await commanded('/issue', 'resolve P1', 'secrets', BOB);
    await views.seen(/✅ Resolved/, 'secrets', ts);
    expect(wordsOf(await views.seen(/#1 HighErrorRate/, 'alerts', open.ts))).not.toContain('✅ Resolved');
  });

  it('that a crash interrupts between the call and its answer stays in its organization, once', async () => {
    const child = startChild(KILLABLE, {
      ...env,
      LOG_LEVEL: 'warn',
      KILL_AT: 'create: sent',
    });
    await untilPrinted(child, /started http/);
    const { ts } = await secretAlert();
    expect(await child.ended).toBe('SIGKILL');
    bot = await startBotOn(around, { env });
    await views.seen(/#P1 ZebraVaultLeak/, 'secrets', ts);
    expect(await titlesAt(PRIVATE_SERVICE_KEY)).toEqual(['ZebraVaultLeak']);
    expect(await titlesAt(SERVICE_KEY)).toEqual([]);
  });

  it('says on its card which key is missing, where that was taken away, and nothing of it goes elsewhere', async () => {
    bot = await startBotOn(around, { env });
    const { ts } = await secretAlert();
    await views.seen(/#P1 ZebraVaultLeak[\s\S]*Ready to fix/, 'secrets', ts);
    await bot.stop();
    bot = await startBotOn(around, { env: { ...env, ISSUE_SERVICE_PRIVATE_API_KEY: '' } });
    await views.seen(/#P1 ZebraVaultLeak[\s\S]*set ISSUE_SERVICE_PRIVATE_API_KEY/, 'secrets', ts);
    expect((await commanded('/issue', 'resolve P1', 'secrets', BOB)).join('\n')).toContain(
      'ISSUE_SERVICE_PRIVATE_API_KEY',
    );
    const open = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await views.seen(/#1 HighErrorRate[\s\S]*Ready to fix/, 'alerts', open.ts);
    expect(await titlesAt(SERVICE_KEY)).toEqual(['HighErrorRate']);

    await bot.stop();
    bot = await startBotOn(around, { env });
    await until('its card can be worked with again', () =>
      views.thread('secrets', ts).some((one) => /#P1/.test(wordsOf(one)) && !/API_KEY/.test(wordsOf(one))),
    );
  });

  it('waits while its key is refused, and does not hold up other alerts', async () => {
    bot = await startBotOn(around, { env: { ...env, ISSUE_SERVICE_PRIVATE_API_KEY: 'no-such-key' } });
    await secretAlert();
    const open = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await views.seen(/#1 HighErrorRate[\s\S]*Ready to fix/, 'alerts', open.ts);
    const url = bot.url;
    const degraded = await until('it is said what is wrong', async () => {
      const answer = await (await fetch(`${url}/readyz`)).text();
      return answer.includes('ISSUE_SERVICE_PRIVATE_API_KEY') ? answer : null;
    });
    expect(degraded).toContain(
      'the investigation service has rejected the API key for private channels since',
    );
    expect(await titlesAt(SERVICE_KEY)).toEqual(['HighErrorRate']);
  });
});
