import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { wordsOf } from '../support/alerts.ts';
import { untilSays } from '../support/child.ts';
import { type Laptop, runLaptop } from '../support/laptop.ts';
import { until } from '../support/until.ts';

describe.each(['socket', 'http'])('the bot beside the page, over %s', (deliver) => {
  let laptop: Laptop;

  beforeAll(async () => {
    laptop = await runLaptop({ words: ['--scenario', 'quiet', '--deliver', deliver] });
  });
  afterAll(() => laptop.end());

  const stateNow = async () =>
    (await laptop.section('bot'))?.warning?.replace('The bot is ', '') ?? 'running';

  /** The results of the alert that was posted last, and everything in its thread with them. */
  async function investigated(): Promise<string[]> {
    const alert = (await laptop.alerts()).at(-1);
    return until('the results are there', async () => {
      const words = (await laptop.alerts(alert?.ts)).map(wordsOf);
      return words.some((text) => /Results of/.test(text)) && words;
    });
  }

  const cards = (words: string[]) =>
    words.filter((text) => /Ready to fix|no cause found|Investigating/.test(text));

  it('files what is posted, and everything is on one port', async () => {
    expect(await laptop.alert()).toEqual({ ok: true });
    expect(cards(await investigated())).toHaveLength(1);
    expect((await laptop.ask('/readyz')).status).toBe(200);
    expect(await laptop.ask('/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' });
    expect((await laptop.ask('/metrics')).body).toContain('gumshoe_service_calls_total');
    expect((await laptop.ask('/')).body).toContain('<title>');
    // Only Slack may deliver: by no signature over HTTP, and not at all over Socket Mode.
    const unsigned = await fetch(`${laptop.url}/slack/events`, { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(deliver === 'http' ? 401 : 404);
  });

  it('is killed: the page goes on and says so, and what is posted meanwhile is filed once, later', async () => {
    expect(await laptop.bot('kill')).toEqual({ ok: true });
    expect(await stateNow()).toBe('down');
    expect((await laptop.ask('/')).status).toBe(200);
    for (const path of ['/readyz', '/healthz', '/metrics']) {
      const { status, body } = await laptop.ask(path);
      expect({ path, status }).toEqual({ path, status: 503 });
      expect(body).toContain('Gumshoe is down: start it again on the page of the local workspace');
    }
    expect(await laptop.alert()).toEqual({ ok: true });
    expect(await laptop.bot('kill')).toEqual({ ok: false, error: 'Gumshoe is already down.' });

    expect(await laptop.bot('start')).toEqual({ ok: true });
    expect(await stateNow()).toBe('running');
    expect((await laptop.ask('/readyz')).status).toBe(200);
    expect(cards(await investigated())).toHaveLength(1);
  });

  it('is stopped, started and restarted', async () => {
    expect(await laptop.bot('start')).toEqual({ ok: false, error: 'Gumshoe is already running.' });
    expect(await laptop.bot('stop')).toEqual({ ok: true });
    expect(await stateNow()).toBe('down');
    expect(await laptop.bot('restart')).toEqual({ ok: true });
    expect(await stateNow()).toBe('running');
    expect(await laptop.bot('restart')).toEqual({ ok: true });
    expect(await laptop.alert()).toEqual({ ok: true });
    expect(cards(await investigated())).toHaveLength(1);
    // Nobody was surprised by any of it, and it was said to be running only once.
    expect(laptop.program.output()).not.toMatch(/ended by itself/);
    expect(laptop.program.output().match(/Gumshoe is running/g)).toHaveLength(1);
  });

  it('is gone with the process that made it, however that ends, and leaves the database free', async () => {
    laptop.program.process.kill('SIGKILL');
    // It writes to the same pipes: they close once both are gone.
    expect(await laptop.program.ended).toBe('SIGKILL');
    const file = `${laptop.folder}/gumshoe.db`;
    const store = await openStore({ file, clock: systemClock });
    expect(await store.writable()).toBe(true);
    await store.close();
  });
});

describe('a bot that ends by itself', () => {
  let laptop: Laptop;

  beforeAll(async () => {
    laptop = await runLaptop();
  });
  afterAll(() => laptop.end());

  it('is down, with its last words, and is not started again by itself; the page goes on', async () => {
    const faults = { ...(await laptop.panel()).faults, token: 'token_revoked' };
    await fetch(`${laptop.url}/page-api/stage/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
    await laptop.alert();
    await untilSays(laptop.program, /Slack rejected SLACK_BOT_TOKEN \(token_revoked\)/);
    await untilSays(laptop.program, /Gumshoe exited unexpectedly \(exit code 1\)/);
    expect((await laptop.section('bot'))?.warning).toBe('The bot is down');

    // What it cannot do while the reason lasts is said, and can be tried again.
    expect(await laptop.bot('start')).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Gumshoe exited before it was up/),
    });
    expect((await laptop.section('bot'))?.warning).toBe('The bot is down');
    expect((await laptop.ask('/')).status).toBe(200);
  });
});
