import { until } from './until.ts';

/** How many messages a program has decided on, by its metrics. */
export async function decidedOn({ url }: { url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = metrics.matchAll(/^gumshoe_alerts_total\{.*\} (\d+)$/gmu);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Waits until it has decided on so many. On PostgreSQL, what is posted at the same moment may be decided in any order. */
export async function untilDecided(bot: { url: string }, count: number): Promise<void> {
  await until(`${count} are decided on`, async () => (await decidedOn(bot)) >= count);
}
