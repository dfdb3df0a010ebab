import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { alertmanagerAlert, repliesTo } from '../support/alerts.ts';
import { programDatabase } from '../support/chaos/database.ts';
import { type Child, KILLABLE, startChild, untilPrinted } from '../support/child.ts';
import { startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const stack = new AsyncDisposableStack();

afterEach(() => stack.disposeAsync());

/** How far each machine's clock is ahead, in milliseconds. */
const AHEAD_MS = [0, 2 * 60_000, -2 * 60_000];
const KILLS = 6;
/** Fewer in a minute than a storm has. */
const ALERTS = 8;
const SETTLED_WITHIN_MS = 2 * 60_000;

it('three replicas whose clocks differ do everything once and soon, through kills and cut connections', async () => {
  const around = await startSurroundings('http');
  stack.defer(() => around.close());
  const database = programDatabase(around.folder, around.env.DATABASE_URL);
  stack.defer(() => database.close());
  const start = async (aheadMs: number): Promise<{ child: Child; url: string }> => {
    const child = startChild(KILLABLE, { ...around.env, MACHINE_AHEAD_MS: String(aheadMs) });
    stack.defer(async () => {
      child.process.kill('SIGKILL');
      await child.ended;
    });
    const [, url = ''] = await untilPrinted(child, /^started (\S+)$/mu);
    return { child, url };
  };
  const replicas = await Promise.all(AHEAD_MS.map(start));

  const posted: string[] = [];
  for (let n = 0; n < ALERTS; n += 1) {
    const place = n % replicas.length;
    around.workspace.setDelivery(`${replicas[place]?.url}/slack/events`);
    posted.push((await around.workspace.post(alertmanagerAlert(`Problem${n}`))).ts);
    await database.endConnections();
    if (n < KILLS) {
      const victim = (place + 1) % replicas.length;
      replicas[victim]?.child.process.kill('SIGKILL');
      replicas.splice(victim, 1, await start(AHEAD_MS[victim] ?? 0));
    }
  }
  const from = performance.now();
  await until('each alert has its card and results', () =>
    posted.every((ts) => repliesTo(around, ts).length >= 2),
  );
  expect(performance.now() - from).toBeLessThan(SETTLED_WITHIN_MS);
  // Whatever is posted twice comes soon after.
  await sleep(5_000);
  const issues = posted.map((ts) => repliesTo(around, ts).map(({ text }) => /^#\d+/u.exec(text)?.[0]));
  expect(issues.map((numbers) => numbers.length)).toEqual(posted.map(() => 2));
  expect(issues.map(([card, results]) => card !== undefined && card === results)).toEqual(
    posted.map(() => true),
  );
  expect(new Set(issues.map(([card]) => card)).size).toBe(ALERTS);
});
