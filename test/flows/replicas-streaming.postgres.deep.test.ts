import { expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../support/agent.ts';
import { wordsOf } from '../support/alerts.ts';
import { KILLABLE, startChild, untilPrinted } from '../support/child.ts';
import { startSurroundings } from '../support/program.ts';
import { ALICE, ALICES_DM, postsIn, untilAnswered, untilPosted } from '../support/talking.ts';
import { until } from '../support/until.ts';

it('an answer whose replica dies while it streams is finished by another one, in its place', async () => {
  const around = await startSurroundings('socket');
  onTestFinished(() => around.close());
  const agent = await startAgent(around.service.url);
  onTestFinished(() => agent.close());
  const start = async (killAt: string) => {
    const env = { ...around.env, ISSUE_SERVICE_URL: agent.url, LOG_LEVEL: 'warn', KILL_AT: killAt };
    const child = startChild(KILLABLE, env);
    onTestFinished(async () => {
      child.process.kill('SIGKILL');
      await child.ended;
    });
    const [, url = ''] = await untilPrinted(child, /started (http\S+)/);
    return { child, url };
  };
  const leads = async (url: string) =>
    (await (await fetch(`${url}/metrics`)).text()).includes('gumshoe_leader 1');

  const first = await start('stream: appended');
  await until('the first one leads', () => leads(first.url));
  const second = await start('none');
  expect(await leads(second.url)).toBe(false);

  const { ts } = await around.workspace.post({ channel: ALICES_DM, user: ALICE, text: 'what is slow?' });
  const inDm = { channel: ALICES_DM, ts };
  const streaming = await agent.asked('what is slow?');
  streaming.say('Something ');
  expect((await untilPosted(around, inDm, 'Something')).streaming).toBe(true);
  streaming.say('else ');
  expect(await first.child.ended).toBe('SIGKILL');

  (await agent.asked('what is slow?')).end('Checkout is slow.');
  await untilAnswered(around, inDm, 'Checkout is slow.');
  const [told, ...others] = postsIn(around, inDm);
  expect([others, told?.streaming, told && wordsOf(told).includes('Something')]).toEqual([
    [],
    undefined,
    false,
  ]);
  expect(await leads(second.url)).toBe(true);
});
