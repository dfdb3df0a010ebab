import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type ChannelViews, channelViews } from '../support/channel-views.ts';
import { callTool, connectMcp } from '../support/mcp.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { BOB, CAROL } from '../support/talking.ts';
import { until } from '../support/until.ts';

const KEY = 'read-key-of-the-tests';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('http');
  const { alerts, secrets } = around.workspace.channels;
  bot = await startBotOn(around, {
    env: { ALERT_CHANNELS: `${alerts},${secrets}`, MCP_TOKENS: `reader:${KEY}`, MCP_SLACKBOT: 'true' },
  });
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

async function investigated(name: string, where: 'alerts' | 'secrets'): Promise<string> {
  const { ts } = await around.workspace.post({ ...alertmanagerAlert(name), channel: where });
  await views.seen(/Root cause/, where, ts);
  return ts;
}

const command = (where: 'alerts' | 'secrets', text: string) =>
  around.workspace.command({
    as: BOB,
    channel: around.workspace.channels[where],
    command: '/issue',
    text,
  });

/** What somebody hears who asks in a thread, and nobody else. */
async function heard(as: string, where: 'alerts' | 'secrets', ts: string, question: string): Promise<string> {
  const { botUserId, channels } = around.workspace;
  const mine = () =>
    around.workspace
      .messages(channels[where], ts)
      .concat(around.workspace.messages(channels[where]))
      .filter((message) => message.ephemeral_to === as);
  const before = mine().length;
  await around.workspace.post({
    channel: channels[where],
    user: as,
    text: `<@${botUserId}> ${question}`,
    thread_ts: ts,
  });
  await until('somebody is answered', () => mine().length > before);
  return mine().map(wordsOf).join('\n');
}

it('what ended an issue is remembered on every surface, of private channels only for those who may read them', async () => {
  const { signingSecret: secret } = around.workspace;
  const first = await investigated('VaultErrors', 'secrets');
  const full = await views.seen(/Do first/, 'secrets', first);
  await command('secrets', '1 note We drained eu-west-1');
  await around.workspace.action({
    as: BOB,
    channel: around.workspace.channels.secrets,
    message_ts: full.ts,
    ...tickOf(full.blocks ?? []),
  });
  await views.seen(/of \d steps? done/, 'secrets', first);
  await command('secrets', 'resolve 1');
  await views.seen(/✅ Resolved/, 'secrets', first);

  // In a public channel nothing is known of it; who may read it is told when they ask.
  const here = await investigated('CheckoutErrors', 'alerts');
  expect(await heard(CAROL, 'alerts', here, 'has this happend before?')).toMatch(
    /no other issue in the last 60 days/,
  );
  const told = await heard(BOB, 'alerts', here, 'what fixed it last time?');
  expect(told).toMatch(/Seen once in 60 days/);
  expect(told).toMatch(
    /#1> VaultErrors[\s\S]+Cause:[\s\S]+Bad deploy of payments[\s\S]+We drained eu-west-1/,
  );
  expect(told).toContain(`(<@${BOB}>)`);
  const shown = views.thread('alerts', here).filter(({ ephemeral_to: to }) => to === undefined);
  expect(shown.map(wordsOf).join('\n')).not.toMatch(/Seen \d|Vault/);

  const slackbot = (userId: string) => ({
    slackbot: { secret, userId, teamId: 'T0LOCAL001', now: () => around.clock.now() },
    era: 'legacy' as const,
  });
  const similar = async (client: Awaited<ReturnType<typeof connectMcp>>) =>
    callTool(client, 'find_similar', { issue: '2' });
  for (const outside of [
    await connectMcp(bot.url, { key: KEY }),
    await connectMcp(bot.url, slackbot(CAROL)),
  ]) {
    expect((await similar(outside)).data).toMatchObject({ seen: null, issues: [] });
    const { data } = await callTool(outside, 'get_writeup', { issue: '2' });
    expect(Object(data).markdown).toMatch(/^# Write-up of #2: CheckoutErrors/);
    expect(JSON.stringify(data)).not.toContain('Vault');
  }
  expect((await similar(await connectMcp(bot.url, slackbot(BOB)))).data).toMatchObject({
    seen: expect.stringMatching(/^Seen once/),
    issues: [
      {
        number: '1',
        why: 'the same cause',
        ended: expect.stringMatching(/^after \d+ min .+; did: .+; note: We drained/),
      },
    ],
  });

  // Where all of it may be read, the card says so in one line, and its button lists them.
  await command('alerts', 'resolve 2');
  await views.seen(/✅ Resolved/, 'alerts', here);
  const again = await investigated('CartErrors', 'secrets');
  const card = await views.seen(/Seen 2 times in 60 days/, 'secrets', again);
  await views.press('secrets', card, 'issue:seen-before');
  await until('the list is shown', () =>
    around.workspace
      .messages(around.workspace.channels.secrets)
      .concat(around.workspace.messages(around.workspace.channels.secrets, again))
      .some((message) => message.ephemeral_to === BOB && /#1[\s\S]+#2|#2[\s\S]+#1/u.test(wordsOf(message))),
  );
});

const Blocks = z.array(
  z.looseObject({
    block_id: z.string().optional(),
    accessory: z.looseObject({ action_id: z.string().optional() }).optional(),
    elements: z.array(z.looseObject({ action_id: z.string().optional() })).optional(),
    child_blocks: z.array(z.unknown()).optional(),
  }),
);

/** The first step's *Done*, wherever it stands. */
function tickOf(blocks: unknown): { block_id: string; action_id: string } {
  const [found] = Blocks.parse(blocks)
    .flatMap((block) => [block, ...Blocks.parse(block.child_blocks ?? [])])
    .filter(({ accessory, elements = [] }) =>
      [accessory, ...elements].some((one) => one?.action_id === 'step:tick'),
    );
  if (found?.block_id === undefined) throw new Error('there is no step to tick');
  return { block_id: found.block_id, action_id: 'step:tick' };
}
