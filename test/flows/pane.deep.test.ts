import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { startAgent } from '../support/agent.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { OLD_MANIFEST, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { saidIn, untilAnswered, untilSaid } from '../support/talking.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';

let around: Surroundings;
let bot: Bot | null = null;

beforeEach(async () => {
  around = await startSurroundings('socket', { manifest: OLD_MANIFEST, retryDelays: [50, 50, 50] });
  bot = await startBotOn(around);
});

afterEach(async () => {
  await bot?.stop();
  bot = null;
  await around.close();
});

/** What stands in a thread of Alice's direct messages with the bot. */
function said(channel: string, ts: string): string {
  const messages = around.workspace.messages(channel, ts).slice(1);
  return messages.map(wordsOf).join('\n');
}

describe('the assistant pane of an app that was made from the old manifest', () => {
  it('suggests questions about what is open, takes the first as its title, and answers it', async () => {
    const alert = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    // What is suggested differs before and after.
    await until('the results of #1 are there', () => repliesTo(around, alert.ts).length > 1);
    const { channel, thread_ts } = await around.workspace.openAssistant({ user: ALICE });
    const thread = () => around.workspace.assistantThread(channel, thread_ts);
    const [first] = await until('questions are suggested', () => {
      const prompts = thread()?.prompts ?? [];
      return prompts.length > 0 && prompts;
    });
    expect(first?.title).toContain('#1');
    const message = first?.message ?? '';
    await around.workspace.post({ channel, user: ALICE, text: message, thread_ts });
    const title = await until('the thread is named', () => thread()?.title);
    expect(title).toMatch(/^What is the root cause of issue #1, and .*…$/);
    expect(message).toContain(title.replace('…', ''));
    const answered = () => /#1\b/.test(said(channel, thread_ts).replace(message, ''));
    await until('the answer is whole', () => answered() && !/thinking|▍/.test(said(channel, thread_ts)));
  });

  it('is answered in once Gumshoe is back, though it had been opened and never asked in before', async () => {
    const dm = await around.workspace.openAssistant({ user: ALICE });
    await around.workspace.post({ ...dm, user: ALICE, text: 'which issues are open?' });
    const own = ({ user }: { user?: string }) => user === around.workspace.botUserId;
    const answers = (ts: string) => around.workspace.messages(dm.channel, ts).slice(1).filter(own).length;
    await until('the first question is answered', () => answers(dm.thread_ts) === 1);
    const opened = await around.workspace.openAssistant({ user: ALICE });
    await bot?.stop();
    await around.workspace.post({ ...opened, user: ALICE, text: 'how healthy is checkout?' });
    await around.workspace.post({ ...dm, user: ALICE, text: 'and which are muted?' });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    bot = await startBotOn(around);
    await until('what was missed is answered', () => answers(opened.thread_ts) === 1);
    await until('the reply is answered too', () => answers(dm.thread_ts) === 2);
  });

  it('shows that the agent thinks until its words come, and calls the thread by the first question', async () => {
    await bot?.stop();
    const agent = await startAgent(around.service.url);
    onTestFinished(() => agent.close());
    bot = await startBotOn(around, { env: { ISSUE_SERVICE_URL: agent.url } });
    const { channel, thread_ts } = await around.workspace.openAssistant({ user: ALICE });
    const pane = () => around.workspace.assistantThread(channel, thread_ts);
    const thread = { channel, ts: thread_ts };
    await around.workspace.post({ channel, user: ALICE, text: 'what do you think of it?', thread_ts });
    const turn = await agent.asked('what do you think of it?');
    await until('it thinks', () => pane()?.status === 'is thinking…');
    expect(saidIn(around, thread)).toEqual([]);
    turn.say('Much, ');
    expect((await untilSaid(around, thread, 'Much,')).streaming).toBe(true);
    expect(pane()?.status).toBeNull();
    expect(pane()?.title).toBe('what do you think of it?');
    turn.end('Much, and little.');
    await untilAnswered(around, thread, 'Much, and little.');
  });
});
