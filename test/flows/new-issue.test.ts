import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { actionIds } from '../../src/bot/render/action-ids.ts';
import { wordsOf } from '../support/alerts.ts';
import { ALICE, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { SERVICE_KEY, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

type Values = Parameters<Surroundings['workspace']['submit']>[0]['values'];
type Where = keyof Surroundings['workspace']['channels'];

async function investigate(text: string, where: Where = 'general', command = '/investigate', as = ALICE) {
  const channel = around.workspace.channels[where];
  expect(await around.workspace.command({ as, channel, command, text })).toEqual({ ok: true });
}

/** What a person types into plain fields. */
const typed = (texts: Record<string, string>): Values =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, { [name]: { value } }]));

/** Presses or chooses something in the window, with what is typed so far. */
async function act(block_id: string, action_id: string, values: Values, state?: Record<string, unknown>) {
  const { id } = await views.modal(ALICE);
  const outcome = await around.workspace.viewAction({
    as: ALICE,
    view_id: id,
    block_id,
    action_id,
    values,
    ...(state ? { state } : {}),
  });
  expect(outcome).toEqual({ ok: true });
}

async function fields(): Promise<string[]> {
  const { modal } = await views.modal(ALICE);
  return modal.blocks.flatMap((block) => (block.type === 'input' ? [String(Object(block).block_id)] : []));
}

/** A message in a channel or conversation, once it is there. */
function found(pattern: RegExp, channel: string): Promise<PageMessage> {
  return until(`somebody sees ${pattern}`, () =>
    around.workspace.messages(channel).find((message) => pattern.test(wordsOf(message))),
  );
}

async function issueAtTheService(number: number): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${SERVICE_KEY}` };
  return Object(await (await fetch(`${around.service.url}/issues/by_number/${number}`, { headers })).json());
}

describe('/investigate alone', () => {
  it('opens a form that unfolds without losing a word, says what is missing at its field, and files it', async () => {
    await investigate('');
    const some = typed({ title: 'Checkout is slow', service: 'checkout-api' });
    await act('more', actionIds.moreContext, some);
    await until('the form has unfolded', async () => (await fields()).includes('metadata'));
    await act('environment', actionIds.chooseEnvironment, typed({ host: 'web-1', tags: 'shop, slow' }), {
      selected_option: { value: 'another' },
    });
    await until('it asks for the name', async () => (await fields()).includes('otherEnvironment'));
    const { values } = await views.modal(ALICE);
    expect(JSON.stringify(values)).toMatch(/Checkout is slow.*checkout-api.*web-1.*shop, slow/u);

    const missing = await views.send(
      typed({ description: 'Since lunch.', otherEnvironment: ' ', metadata: 'no colon' }),
      ALICE,
    );
    expect(missing).toMatchObject({
      ok: false,
      errors: {
        otherEnvironment: expect.stringMatching(/Name the environment/),
        metadata: expect.stringMatching(/key: value/),
      },
    });
    const began = Date.parse('2026-03-17T12:00:00Z') / 1000;
    const rest = {
      ...typed({ otherEnvironment: 'load test', metadata: 'team: shop' }),
      triggeredAt: { triggeredAt: { selected_date_time: began } },
    };
    expect(await views.send(rest, ALICE)).toEqual({
      ok: true,
    });
    expect(around.workspace.views(ALICE)).toEqual([]);
    const card = await found(/#1 Checkout is slow/, around.workspace.channels.general);
    expect(wordsOf(card)).toMatch(/load test/);
    await views.seen(/Results of/, 'general', card.ts);
    const there = JSON.stringify(await issueAtTheService(1));
    for (const part of [
      'Since lunch.',
      'checkout-api',
      'web-1',
      'shop',
      'slow',
      '"team":"shop"',
      '2026-03-17T12:00:00',
    ])
      expect(there).toContain(part);

    // What was used before is offered from now on.
    await investigate('');
    expect(JSON.stringify((await views.modal(ALICE)).modal)).toContain('"value":"env:load test"');
  });
});

describe('the shortcut New issue', () => {
  it('works from anywhere; its card and results come as a direct message', async () => {
    expect(await around.workspace.shortcut({ as: ALICE, callback_id: 'new_issue' })).toEqual({ ok: true });
    expect(await views.send(typed({ title: 'Search is odd', description: 'No hits.' }), ALICE)).toEqual({
      ok: true,
    });
    const dm = 'D0ALICE001';
    const card = await found(/#1 Search is odd/, dm);
    expect(wordsOf(card)).not.toContain('/invite');
    await until('the results come', () =>
      around.workspace.messages(dm, card.ts).some((message) => /Results of/.test(wordsOf(message))),
    );
  });
});
