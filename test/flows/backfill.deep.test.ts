import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { countUndelivered } from '../support/end-state.ts';
import { type Mode, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { rowsOf } from '../support/program-database.ts';
import { startNetworkProxy } from '../support/proxies/network-proxy.ts';
import { until } from '../support/until.ts';

/** So many times as fast as the machine. */
const PACE = 3;

let around: Surroundings;
let bot: Bot | null = null;

beforeEach(async () => {
  await surround('socket');
});

afterEach(async () => {
  await bot?.stop();
  bot = null;
  await around.close();
});

async function surround(mode: Mode): Promise<void> {
  around = await startSurroundings(mode, { retryDelays: [50, 50, 50], pace: PACE });
}

async function start(options: Parameters<typeof startBotOn>[1] = {}): Promise<void> {
  bot = await startBotOn(around, options);
}

async function stop(): Promise<void> {
  await bot?.stop();
  bot = null;
}

/** The workspace brings nothing any more: what it could not deliver it has given up. */
async function untilForgotten(): Promise<void> {
  await until('Slack has given up', () => countUndelivered(around) === 0);
}

/** Long enough for what must not come, so that it would show. */
function aWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000));
}

function own(ts: string): PageMessage[] {
  return repliesTo(around, ts).filter((message) => message.user === around.workspace.botUserId);
}

/** All that we said in the thread: under load a result may come before its card. */
function saidTo(ts: string): string {
  return own(ts).map(wordsOf).join('\n');
}

/** A card once its investigation is over: of alerts with one cause, one leads, and the others are its symptoms. */
const INVESTIGATED = /Ready to fix|🔗 Symptom/u;
/** What stands under a message that is counted toward an issue. */
const SIGN = /^Counted toward <\S+\|(#\d+|its issue)>\.$/mu;

function recovered(name: string) {
  const { text, attachments } = alertmanagerAlert(name);
  const changed = JSON.stringify({ text, attachments })
    .replaceAll('[FIRING:1]', '[RESOLVED]')
    .replaceAll('danger', 'good');
  return JSON.parse(changed);
}

describe('while Gumshoe is down', () => {
  it('alerts, a repeat and a recovery by edit come: after the start all stands as if it had been there', async () => {
    await start();
    const before = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the card is ready', () => /Ready to fix/.test(saidTo(before.ts)));
    await stop();

    const names = ['DiskFull', 'PodCrashLooping', 'HighLatency', 'QueueBacklog', 'CertExpiring'];
    const missed: string[] = [];
    for (const name of names) missed.push((await around.workspace.post(alertmanagerAlert(name))).ts);
    const repeat = await around.workspace.post(alertmanagerAlert('DiskFull'));
    await around.workspace.edit({ channel: 'alerts', ts: before.ts, ...recovered('HighErrorRate') });
    await untilForgotten();
    const words = saidTo(before.ts);

    await start();
    for (const ts of missed) await until('each has its card', () => INVESTIGATED.test(saidTo(ts)));
    await until('the repeat is counted', () => /[Rr]epeated|again/.test(saidTo(missed[0] ?? '')));
    for (const ts of missed) await until('each has its result', () => own(ts).length === 2);
    // An incident is over when the last of its alerts is.
    await until('the recovery is noted', () => /^6 alerts: .+ · 5 still firing$/mu.test(saidTo(before.ts)));
    expect(words).not.toMatch(/still firing|recovered/);
    await until('the repeat has its sign', () => SIGN.test(saidTo(repeat.ts)));
    await stop();
    await start();
    await aWhile();
    expect(missed.map((ts) => own(ts).length)).toEqual([2, 2, 2, 2, 2]);
    expect(own(repeat.ts)).toHaveLength(1);
  });
});

describe('over HTTP', () => {
  it('what Slack gave up on while Gumshoe was down is read at the start', async () => {
    await around.close();
    await surround('http');
    await start();
    await stop();
    const { ts } = await around.workspace.post(alertmanagerAlert('DiskFull'));
    await untilForgotten();
    await start();
    await until('it has its card', () => /Ready to fix/.test(saidTo(ts)));
  });
});

describe('a live message', () => {
  it('comes after what was missed before it: a recovery finds its alert', async () => {
    await start();
    await stop();
    const { ts } = await around.workspace.post(alertmanagerAlert('DiskFull'));
    await untilForgotten();
    const reads = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const step = async (name: string) => {
      if (name !== 'backfill: read') return;
      reads.resolve();
      await goOn.promise;
    };
    await start({ checkpoint: step });
    await reads.promise;
    await around.workspace.post({ ...alertmanagerAlert('DiskFull'), ...recovered('DiskFull') });
    await untilForgotten();
    goOn.resolve();
    await until('the card says that it recovered', () => /recovered/.test(saidTo(ts)));
  });
});

describe('while the network is cut', () => {
  it('nobody says goodbye, and what came meanwhile is filed when the socket is back', async () => {
    const network = await startNetworkProxy(around.workspace.apiUrl);
    await start({ env: { SLACK_API_URL: network.apiUrl } });
    const before = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the card is ready', () => /Ready to fix/.test(saidTo(before.ts)));
    network.cut();
    await until('the workspace has noticed', () => !around.workspace.online());
    const { ts } = await around.workspace.post(alertmanagerAlert('DiskFull'));
    await untilForgotten();
    network.mend();
    await until('it has its card', () => INVESTIGATED.test(saidTo(ts)));
    await stop();
    await network.close();
  });
});

describe('what is older than six hours', () => {
  it('is counted, which the channel is told once; nothing of it is filed', async () => {
    await start();
    await stop();
    const old = await around.workspace.post(alertmanagerAlert('DiskFull'));
    await around.workspace.post(alertmanagerAlert('HighLatency'));
    await untilForgotten();
    const later = { ...around.clock, now: () => around.clock.now() + 7 * 60 * 60_000 };
    await start({ clock: later });
    const inChannel = () => around.workspace.messages(around.workspace.channels.alerts);
    const said = () => inChannel().filter((message) => /While I was down/.test(wordsOf(message)));
    await until('the channel is told', () => said().length > 0);
    await stop();
    await start({ clock: later });
    await aWhile();
    expect(said().map(({ text }) => text.replace(/\(.* to .*?\)/u, '(then)'))).toEqual([
      '🕳️ While I was down (then), 2 messages came; 2 are older than 6 hours and were skipped. ' +
        '`/gumshoe dry-run` shows what I would have done with them.',
    ]);
    expect(own(old.ts)).toEqual([]);
  });
});

describe('450 messages', () => {
  it('that came meanwhile are all read, and are three issues', async () => {
    await start();
    await stop();
    const names = ['DiskFull', 'HighLatency', 'QueueBacklog'];
    const first: string[] = [];
    for (let n = 0; n < 450; n += 1) {
      const { ts } = await around.workspace.post(alertmanagerAlert(names[n % 3] ?? ''));
      if (n < 3) first.push(ts);
    }
    await untilForgotten();
    await start();
    for (const ts of first) {
      await until('its card counts the others', () => /\b1(49|50)\b/.test(saidTo(ts)));
    }
    // Slack takes a message a second: some signs are still to come, but each is wanted once.
    const signs = await rowsOf(around, "SELECT count(*) AS n FROM outbox WHERE kind = 'sign'");
    expect(signs).toEqual([{ n: 450 - names.length }]);
    const roots = around.workspace.messages(around.workspace.channels.alerts);
    const withCards = roots.filter(({ ts }) => own(ts).some((message) => !SIGN.test(wordsOf(message))));
    expect(withCards.map(({ ts }) => ts)).toEqual(first);
    const repeats = roots.map(({ ts }) => ts).filter((ts) => !first.includes(ts));
    expect(repeats.filter((ts) => own(ts).length > 1)).toEqual([]);
  });
});
