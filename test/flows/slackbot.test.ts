import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { ALICE, BOB, CAROL, press, untilPosted } from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket', { mcpServer: () => `${bot.url}/mcp` });
  const { channels, signingSecret } = around.workspace;
  bot = await startBotOn(around, {
    env: {
      ALERT_CHANNELS: `${channels.alerts},${channels.secrets}`,
      SLACK_SIGNING_SECRET: signingSecret,
      MCP_SLACKBOT: 'true',
    },
  });
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

function answers(person: string): PageMessage[] {
  const { workspace } = around;
  return workspace.messages(`DSB${person.slice(2)}`).filter(({ user }) => user !== person);
}

/** What Slackbot answers a person. */
async function ask(person: string, text: string): Promise<PageMessage> {
  const before = answers(person).length;
  await around.workspace.post({ channel: `DSB${person.slice(2)}`, user: person, text });
  return until(
    `Slackbot answers ${text}`,
    () => answers(person)[before],
    () => answers(person),
  );
}

it('Slackbot calls the tools for a person, who sees what they see in Slack', async () => {
  const { channels } = around.workspace;
  const { ts } = await around.workspace.post({
    ...alertmanagerAlert('VaultKeyRotationFailed'),
    channel: 'secrets',
  });
  await untilPosted(around, { channel: channels.secrets, ts }, 'Ready to fix');

  const result = await ask(BOB, 'get_result issue=1');
  expect(result).toMatchObject({ blocks: [{ type: 'header' }, { type: 'markdown' }, { type: 'actions' }] });
  await press(around, BOB, result, 'tool:find_similar');
  expect(answers(BOB)).toMatchObject([{ ts: result.ts }]);
  expect(answers(BOB)[0]?.blocks).toBeUndefined();
  expect((await ask(BOB, 'ask what is open?')).text).toContain('VaultKeyRotationFailed');

  await ask(BOB, 'set_status issue=1 status=resolved');
  const question = answers(BOB).at(-1);
  expect(question?.text).toContain('May I call *Set the status of an issue*');
  await press(around, BOB, question ?? result, 'allow:set_status');
  expect(answers(BOB).at(-1)?.text).toBe('#1 is resolved.');

  expect((await ask(CAROL, 'get_result issue=1')).text).toContain('no issue #1');
  expect(JSON.stringify(answers(ALICE))).toBe('[]');
});
