import { afterEach, describe, expect, it } from 'vitest';
import { alertmanagerAlert, repliesTo } from '../support/alerts.ts';
import { type Child, KILLABLE, startChild, untilPrinted } from '../support/child.ts';
import { startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const running: AsyncDisposableStack[] = [];

afterEach(async () => {
  for (const stack of running.splice(0)) await stack.disposeAsync();
});

async function start(env: Record<string, string>, stack: AsyncDisposableStack) {
  const child = startChild(KILLABLE, env);
  stack.defer(async () => {
    child.process.kill('SIGKILL');
    await child.ended;
  });
  const [, url = ''] = await untilPrinted(child, /^started (\S+)$/mu);
  return { child, url };
}

async function leads(url: string): Promise<boolean> {
  return (await (await fetch(`${url}/metrics`)).text()).includes('gumshoe_leader 1');
}

/** Whether its log says so; a child that stands still says nothing more. */
const comesBy = (child: Child, step: string) => child.output().split('\n').includes(`at ${step}`);

describe('a leader that is frozen, as a container is that is paused', () => {
  it.each(['create: before send', 'card: before send', 'result: before send'])(
    'at “%s” is followed by another one, and does nothing more of that when it wakes up',
    async (step) => {
      const stack = new AsyncDisposableStack();
      running.push(stack);
      const around = await startSurroundings('http');
      stack.defer(() => around.close());
      const first = await start({ ...around.env, FREEZE_AT: step }, stack);
      await until('the first one leads', () => leads(first.url));
      around.workspace.setDelivery(`${first.url}/slack/events`);
      const frozen = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
      await until('the first one is frozen', () => comesBy(first.child, step));

      const second = await start(around.env, stack);
      await until('the second one leads', () => leads(second.url));
      around.workspace.setDelivery(`${second.url}/slack/events`);
      await until('its card and results are there', () => repliesTo(around, frozen.ts).length === 2);

      first.child.process.kill('SIGCONT');
      await until('the first one leads no longer', async () => !(await leads(first.url)));
      const after = await around.workspace.post(alertmanagerAlert('DiskFull'));
      await until('the next has its card and results', () => repliesTo(around, after.ts).length === 2);
      expect(await leads(second.url)).toBe(true);
      expect(repliesTo(around, frozen.ts).map(({ text }) => text)).toEqual([
        expect.stringMatching(/^#1 /u),
        expect.stringMatching(/^#1 /u),
      ]);
      expect(repliesTo(around, after.ts).map(({ text }) => text)).toEqual([
        expect.stringMatching(/^#2 /u),
        expect.stringMatching(/^#2 /u),
      ]);
    },
  );
});
