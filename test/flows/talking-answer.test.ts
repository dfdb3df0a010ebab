import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import {
  ALICE,
  ALICES_DM,
  BOB,
  hasButton,
  postsIn,
  press,
  type Thread,
  untilAnswered,
  untilPosted,
} from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let agent: Agent;
let bot: Bot;

beforeAll(async () => {
  around = await startSurroundings('socket');
  agent = await startAgent(around.service.url);
  const { alerts, secrets } = around.workspace.channels;
  const env = { ISSUE_SERVICE_URL: agent.url, ALERT_CHANNELS: `${alerts},${secrets}` };
  bot = await startBotOn(around, { env });
});

afterAll(async () => {
  await bot.stop();
  await agent.close();
  await around.close();
});

async function mention(question: string, channel = around.workspace.channels.general): Promise<Thread> {
  const text = `<@${around.workspace.botUserId}> ${question}`;
  return { channel, ts: (await around.workspace.post({ channel, user: ALICE, text })).ts };
}

/** Asks, is answered so, and gives the answer's message. */
async function answered(question: string, answer: string, channel?: string) {
  const thread = await mention(question, channel);
  (await agent.asked(question)).end(answer);
  return untilAnswered(around, thread, answer.slice(0, 12));
}

/** The Markdown of a message. */
function markdownOf({ blocks = [] }: { blocks?: unknown[] }): string {
  return blocks
    .map(Object)
    .flatMap(({ type, text }) => (type === 'markdown' ? [text] : []))
    .join('\n');
}

describe('an answer', () => {
  it('is Markdown: tables, code and links are kept, mentions are dead', async () => {
    const answer = [
      '**Payments** is slow, see [the runbook](https://runbooks.example.com/payments?a=1&b=2).',
      '',
      '| pool | used |\n|---|---|\n| payments | 100 % |',
      '',
      '```sql\nSELECT * FROM orders WHERE total < 10;\n```',
      '',
      `<!channel> <@${BOB}> <!subteam^S0TEAM001> [here](https://evil.example.com/ "x") a < b`,
    ].join('\n');
    const message = await answered('show me Markdown', answer);
    expect(markdownOf(message)).toBe(
      answer.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(' "x"', ''),
    );
    expect(wordsOf(message)).not.toMatch(/<!channel>|<!subteam/);
    expect(hasButton(message, 'vote:cast')).toBe(true);
  });

  it('that is long comes in parts, in the thread and in order, and nothing of it is lost', async () => {
    const paragraphs = Array.from({ length: 40 }, (_, n) => `Paragraph ${n}. ${'word '.repeat(140)}end${n}.`);
    const thread = await mention('tell me everything');
    (await agent.asked('tell me everything')).end(paragraphs.join('\n\n'));
    await untilAnswered(around, thread, 'end39.');
    const parts = postsIn(around, thread);
    expect(parts.length).toBeGreaterThan(2);
    const told = parts.map(markdownOf).join('\n\n');
    expect([...told.matchAll(/end(\d+)\./gu)].map(([, n]) => Number(n))).toEqual(paragraphs.map((_, n) => n));
    expect(wordsOf(parts[0] ?? NOTHING)).toContain(`Continues below (1 of ${parts.length})`);
    expect(wordsOf(parts[1] ?? NOTHING)).toContain(`The answer, continued (2 of ${parts.length})`);
    expect(parts.filter((part) => hasButton(part, 'vote:cast'))).toHaveLength(1);
  });

  it('says who asked where that was not who began the thread', async () => {
    const thread = await mention('who asks here?');
    (await agent.asked('who asks here?')).end('Alice does.');
    const first = await untilAnswered(around, thread, 'Alice does.');
    await around.workspace.post({ ...thread, user: BOB, text: 'and now?', thread_ts: thread.ts });
    (await agent.asked('and now?')).end('Bob does.');
    const second = await untilAnswered(around, thread, 'Bob does.');
    expect(wordsOf(first)).not.toContain('Asked by');
    expect(wordsOf(second)).toContain(`Asked by <@${BOB}>`);
  });

  it('has a button behind which is what was found', async () => {
    agent.onQuestion = 'embedded';
    const thread = await mention('why is checkout slow?');
    const answer = await until('the answer has its finds', () =>
      postsIn(around, thread).find((one) => hasButton(one, 'answer:artifact:0')),
    );
    agent.onQuestion = 'wait';
    expect(JSON.stringify(answer.blocks)).toMatch(/Evidence · \d/u);
    await press(around, ALICE, answer, 'answer:artifact:0');
    await until('it is shown', () =>
      /Also found · 1 of \d[\s\S]*from Demo/u.test(
        JSON.stringify(around.workspace.views(ALICE).at(-1)?.modal.blocks),
      ),
    );
  });
});

describe('an issue’s number in an answer', () => {
  it('links to its card where Gumshoe knows it, and where the reader may see it', async () => {
    const { alerts, general, secrets } = around.workspace.channels;
    const open = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const card = await untilPosted(around, { channel: alerts, ts: open.ts }, /#1\b/);
    const hidden = await around.workspace.post({ ...alertmanagerAlert('DiskFull'), channel: 'secrets' });
    const hiddenCard = await untilPosted(around, { channel: secrets, ts: hidden.ts }, /#2\b/);
    const link = (channel: string, ts: string) => `archives/${channel}/p${ts.replace('.', '')}`;

    const words = 'See #1 and #999, but not `#1` or api#1.\n\nSee #2.';
    const inGeneral = markdownOf(await answered('which in general?', words, general));
    expect(inGeneral).toMatch(/^See \[#1\]\(\S+\) and #999, but not `#1` or api#1\.\s+See #2\.$/);
    expect(inGeneral).toContain(link(alerts, card.ts));
    const inPrivate = markdownOf(await answered('which in private?', words, secrets));
    expect(inPrivate).toMatch(/^See \[#1\]\(\S+\) and #999, but not .+\n\nSee \[#2\]\(\S+\)\.$/);
    expect(inPrivate).toContain(link(secrets, hiddenCard.ts));

    const { ts } = await around.workspace.post({ channel: ALICES_DM, user: ALICE, text: 'which in the DM?' });
    (await agent.asked('which in the DM?')).end(words);
    const inDm = await untilAnswered(around, { channel: ALICES_DM, ts }, 'See ');
    expect(markdownOf(inDm)).toMatch(/\[#1\]\(\S+\) and #999.+\n\nSee #2\.$/);
  });
});

const NOTHING = { type: 'message' as const, channel: '', ts: '', text: '' };
