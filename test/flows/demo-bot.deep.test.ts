import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { wordsOf } from '../support/alerts.ts';
import { untilPrinted } from '../support/child.ts';
import { type Demo, runDemo } from '../support/demo.ts';
import { until } from '../support/until.ts';

describe.each(['socket', 'http'])('the bot behind the page, over %s', (deliver) => {
  let demo: Demo;
  const words = ['--scenario', 'quiet', '--deliver', deliver];

  beforeAll(async () => {
    demo = await runDemo({ words });
  });
  afterAll(() => demo.end());

  /** The results of the alert that was posted last, and everything in its thread with them. */
  async function investigated(): Promise<string[]> {
    const alert = (await demo.alerts()).at(-1);
    return until('the results are there', async () => {
      const said = (await demo.alerts(alert?.ts)).map(wordsOf);
      return said.some((text) => /Results of/.test(text)) && said;
    });
  }

  const cards = (said: string[]) =>
    said.filter((text) => /Ready to fix|no cause found|Investigating/.test(text));

  it('files what is posted, and everything is on one port', async () => {
    expect(await demo.alert()).toEqual({ ok: true });
    expect(cards(await investigated())).toHaveLength(1);
    expect((await demo.ask('/readyz')).status).toBe(200);
    expect(await demo.ask('/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' });
    expect((await demo.ask('/metrics')).body).toContain('gumshoe_service_calls_total');
    expect((await demo.ask('/')).body).toContain('<title>');
    // Only Slack may deliver: by no signature over HTTP, and not at all over Socket Mode.
    const unsigned = await fetch(`${demo.url}/slack/events`, { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(deliver === 'http' ? 401 : 404);
  });

  it('is killed with the page: what was posted just before is filed once, by the next start', async () => {
    expect(await demo.alert()).toEqual({ ok: true });
    demo.program.process.kill('SIGKILL');
    expect(await demo.program.ended).toBe('SIGKILL');
    const store = await openStore({ file: `${demo.folder}/gumshoe.db`, clock: systemClock });
    expect(await store.writable()).toBe(true);
    await store.close();

    demo = await runDemo({ words, folder: demo.folder });
    expect(cards(await investigated())).toHaveLength(1);
  });
});

it('a bot that Slack has refused for good ends with its sentence, and so does the page', async () => {
  const demo = await runDemo();
  const faults = { ...(await demo.panel()).faults, token: 'token_revoked' };
  await fetch(`${demo.url}/page-api/stage/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  });
  await demo.alert();
  await untilPrinted(demo.program, /Slack rejected SLACK_BOT_TOKEN \(token_revoked\)/);
  expect(await demo.program.ended).toBe(1);
  await demo.end();
});
