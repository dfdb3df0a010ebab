import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
const GINA = 'U0GINA0001';

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

function say(command: string, text: string, where: 'general' | 'payments' = 'general', as = ALICE) {
  return around.workspace.command({ as, channel: around.workspace.channels[where], command, text });
}

function inGeneral(): PageMessage[] {
  return around.workspace.messages(around.workspace.channels.general);
}

function found(pattern: RegExp, messages: () => PageMessage[]): Promise<PageMessage> {
  return until(`somebody sees ${pattern}`, () =>
    messages().find((message) => pattern.test(wordsOf(message))),
  );
}

describe('/investigate', () => {
  it('files what a person writes: a card in the channel, the results in its thread', async () => {
    const { channels } = around.workspace;
    const text = 'checkout answers 500 since lunch severity:high env:stg service:checkout-api';
    expect(await say('/investigate', text)).toEqual({ ok: true });
    const card = await found(/#1 checkout answers 500 since lunch/, inGeneral);
    expect(wordsOf(card)).toMatch(/High/);
    expect(wordsOf(card)).toMatch(/staging/);
    const thread = () => around.workspace.messages(channels.general, card.ts).slice(1);
    await found(/Results of/, thread);
    expect(inGeneral()).toHaveLength(1);
  });

  it('with a severity that there is not says so, and gives the words back, to that person only', async () => {
    await say('/investigate', 'slow severity:terrible');
    const told = await found(
      /“terrible” is not a severity[\s\S]*\/investigate slow severity:terrible/,
      inGeneral,
    );
    expect(told).toMatchObject({ ephemeral_to: ALICE });
  });

  it('where the bot is no member goes to the person, with how to invite it', async () => {
    await say('/investigate', 'payments are slow', 'payments');
    const inDm = () => around.workspace.messages('D0ALICE001');
    const card = await found(/#1 payments are slow/, inDm);
    expect(wordsOf(card)).toContain('/invite');
    expect(around.workspace.messages(around.workspace.channels.payments)).toEqual([]);
  });
});

describe('/issue', () => {
  it('shows the card of an issue to the person who asks, and says it when there is none', async () => {
    await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the issue is at the service', async () => {
      await say('/issue', '1');
      return inGeneral().find((message) => /#1 HighErrorRate/.test(wordsOf(message)));
    });
    expect(inGeneral().every((message) => message.ephemeral_to === ALICE)).toBe(true);
    await say('/issue', '4711');
    expect(await found(/no issue 4711/, inGeneral)).toMatchObject({ ephemeral_to: ALICE });
    await say('/issue', 'whatever');
    await found(/I do not know “whatever”/, inGeneral);
  });
});

describe('/ask', () => {
  it('answers in a message of its own that shows the question, and a reply goes on', async () => {
    await say('/ask', 'what is open?');
    const answer = await until('the answer is whole', () =>
      inGeneral().find((m) => /what is open\?/.test(wordsOf(m)) && !/thinking|▍/.test(wordsOf(m))),
    );
    const { channels } = around.workspace;
    await around.workspace.post({
      channel: channels.general,
      user: ALICE,
      thread_ts: answer.ts,
      text: 'is payments well?',
    });
    const thread = () => around.workspace.messages(channels.general, answer.ts).slice(2);
    await until(
      'the reply is answered',
      () => thread()[0] && !/thinking/.test(wordsOf(thread()[0] ?? answer)),
    );
    expect(inGeneral()).toHaveLength(1);
  });
});

describe('a guest', () => {
  it('is refused, in words that only they see', async () => {
    await say('/investigate', 'let me in', 'general', GINA);
    expect(await found(/Guests cannot use Gumshoe/, inGeneral)).toMatchObject({ ephemeral_to: GINA });
    expect(inGeneral()).toHaveLength(1);
  });
});

describe('a button on a card', () => {
  async function press(ts: string, actionId: string): Promise<void> {
    const card = repliesTo(around, ts)[0];
    const block = (card?.blocks ?? []).map(Object).find((b) => b.type === 'actions');
    const element = block?.elements.map(Object).find((e: { action_id: string }) => e.action_id === actionId);
    const outcome = await around.workspace.action({
      as: ALICE,
      channel: around.workspace.channels.alerts,
      message_ts: card?.ts ?? '',
      block_id: block?.block_id,
      action_id: actionId,
      value: element?.value,
    });
    expect(outcome).toEqual({ ok: true });
  }

  it('changes the status, says who did it, and asks in the thread', async () => {
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const card = () =>
      wordsOf(repliesTo(around, ts)[0] ?? { type: 'message', channel: '', ts: '', text: '' });
    await until('it is ready', () => /Ready to fix/.test(card()));
    await press(ts, 'issue:resolve');
    await until(
      'the card says who resolved it',
      () => /Resolved/.test(card()) && card().includes(`<@${ALICE}>`),
    );
    await press(ts, 'issue:reopen');
    await until('it is open again', () => /Ready to fix/.test(card()));

    await press(ts, 'issue:ask');
    await found(/Ask me anything/, () => repliesTo(around, ts));
    await around.workspace.post({
      channel: around.workspace.channels.alerts,
      user: ALICE,
      thread_ts: ts,
      text: 'what should I do?',
    });
    const own = () => repliesTo(around, ts).filter((m) => m.user === around.workspace.botUserId);
    const before = own().length;
    await until(
      'a plain reply is answered',
      () => own().length > before || !/thinking|Ask me/.test(own().at(-1)?.text ?? ''),
    );
  });
});

describe('the same alert', () => {
  it('again is counted on the card and has its sign, its recovery is noted there, and nothing else is posted', async () => {
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await found(/Ready to fix/, () => repliesTo(around, ts));
    await found(/Results of/, () => repliesTo(around, ts));
    const before = repliesTo(around, ts).length;
    const again = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await found(/[Rr]epeated|again/, () => repliesTo(around, ts).slice(0, 1));

    const firing = alertmanagerAlert('HighErrorRate');
    const resolved = JSON.parse(JSON.stringify(firing).replaceAll('[FIRING:1]', '[RESOLVED]'));
    await around.workspace.post({ ...resolved, attachments: resolved.attachments });
    await found(/recovered/, () => repliesTo(around, ts).slice(0, 1));
    expect(repliesTo(around, ts)).toHaveLength(before);
    await found(/^Counted toward/, () => repliesTo(around, again.ts));
    expect(repliesTo(around, again.ts)).toHaveLength(1);
  });
});
