import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { wordsOf } from '../support/alerts.ts';
import { untilPrinted } from '../support/child.ts';
import { type Demo, runDemo } from '../support/demo.ts';
import { until } from '../support/until.ts';

describe.each(['socket', 'http'])('the bot beside the page, over %s', (deliver) => {
  let demo: Demo;

  beforeAll(async () => {
    demo = await runDemo({ words: ['--scenario', 'quiet', '--deliver', deliver] });
  });
  afterAll(() => demo.end());

  const stateNow = async () => (await demo.section('bot'))?.warning?.replace('The bot is ', '') ?? 'running';

  /** The results of the alert that was posted last, and everything in its thread with them. */
  async function investigated(): Promise<string[]> {
    const alert = (await demo.alerts()).at(-1);
    return until('the results are there', async () => {
      const words = (await demo.alerts(alert?.ts)).map(wordsOf);
      return words.some((text) => /Results of/.test(text)) && words;
    });
  }

  const cards = (words: string[]) =>
    words.filter((text) => /Ready to fix|no cause found|Investigating/.test(text));

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

  it('is killed: the page goes on and says so, and what is posted meanwhile is filed once, later', async () => {
    expect(await demo.bot('kill')).toEqual({ ok: true });
    expect(await stateNow()).toBe('down');
    expect((await demo.ask('/')).status).toBe(200);
    for (const path of ['/readyz', '/healthz', '/metrics']) {
      const { status, body } = await demo.ask(path);
      expect({ path, status }).toEqual({ path, status: 503 });
      expect(body).toContain('Gumshoe is down: start it again on the page of the local workspace');
    }
    expect(await demo.alert()).toEqual({ ok: true });
    expect(await demo.bot('kill')).toEqual({ ok: false, error: 'Gumshoe is already down.' });

    expect(await demo.bot('start')).toEqual({ ok: true });
    expect(await stateNow()).toBe('running');
    expect((await demo.ask('/readyz')).status).toBe(200);
    expect(cards(await investigated())).toHaveLength(1);
  });

  it('is stopped, started and restarted', async () => {
    expect(await demo.bot('start')).toEqual({ ok: false, error: 'Gumshoe is already running.' });
    expect(await demo.bot('stop')).toEqual({ ok: true });
    expect(await stateNow()).toBe('down');
    expect(await demo.bot('restart')).toEqual({ ok: true });
    expect(await stateNow()).toBe('running');
    expect(await demo.bot('restart')).toEqual({ ok: true });
    expect(await demo.alert()).toEqual({ ok: true });
    expect(cards(await investigated())).toHaveLength(1);
    // Nobody was surprised by any of it, and it was said to be running only once.
    expect(demo.program.output()).not.toMatch(/ended by itself/);
    expect(demo.program.output().match(/Gumshoe is running/g)).toHaveLength(1);
  });

  it('is gone with the process that made it, however that ends, and leaves the database free', async () => {
    demo.program.process.kill('SIGKILL');
    // It writes to the same pipes: they close once both are gone.
    expect(await demo.program.ended).toBe('SIGKILL');
    const file = `${demo.folder}/gumshoe.db`;
    const store = await openStore({ file, clock: systemClock });
    expect(await store.writable()).toBe(true);
    await store.close();
  });
});

describe('a bot that ends by itself', () => {
  let demo: Demo;

  beforeAll(async () => {
    demo = await runDemo();
  });
  afterAll(() => demo.end());

  it('is down, with its last words, and is not started again by itself; the page goes on', async () => {
    const faults = { ...(await demo.panel()).faults, token: 'token_revoked' };
    await fetch(`${demo.url}/page-api/stage/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
    await demo.alert();
    await untilPrinted(demo.program, /Slack rejected SLACK_BOT_TOKEN \(token_revoked\)/);
    await untilPrinted(demo.program, /Gumshoe exited unexpectedly \(exit code 1\)/);
    expect((await demo.section('bot'))?.warning).toBe('The bot is down');

    // What it cannot do while the reason lasts is said, and can be tried again.
    expect(await demo.bot('start')).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Gumshoe exited before it was up/),
    });
    expect((await demo.section('bot'))?.warning).toBe('The bot is down');
    expect((await demo.ask('/')).status).toBe(200);
  });
});
