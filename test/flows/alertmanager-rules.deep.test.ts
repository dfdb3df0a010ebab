import { spawnSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { freePort } from '../bench/systems/prometheus.ts';
import { hasAlertmanager, slackAddress, startAlertmanager } from '../support/alertmanager.ts';
import { wordsOf } from '../support/alerts.ts';
import { startBotOn, startSurroundings } from '../support/program.ts';
import { startRuling } from '../support/prometheus/ruling.ts';
import { until } from '../support/until.ts';

const TOKEN = 'token-of-alertmanager';
const canRun = hasAlertmanager() && spawnSync('prometheus', ['--version']).status === 0;

/** The program’s surroundings, with a real Alertmanager that tells Slack and, at `port`, the program. */
async function surroundings(options: { isNotified: boolean }) {
  const around = await startSurroundings('socket');
  onTestFinished(around.close);
  const { alerts } = around.workspace.channels;
  const port = await freePort();
  const alertmanager = await startAlertmanager({
    slackUrl: options.isNotified ? await slackAddress(around.workspace, alerts) : 'http://127.0.0.1:9/',
    webhookUrl: `http://127.0.0.1:${options.isNotified ? port : 9}/alerts/alertmanager`,
    token: TOKEN,
    externalUrl: 'http://alertmanager.example.io/ops',
    groupBy: ['alertname'],
    repeatInterval: '2s',
  });
  const cards = () =>
    around.workspace
      .messages(alerts)
      .flatMap(({ ts }) => around.workspace.messages(alerts, ts).slice(1))
      .map(wordsOf)
      .filter((words) => /#\d+ /u.test(words));
  /** What stands in each thread there is, the oldest first. */
  const threads = () =>
    around.workspace
      .messages(alerts)
      .filter(({ reply_count }) => reply_count)
      .map(({ ts }) => around.workspace.messages(alerts, ts).slice(1));
  const start = async (more: Record<string, string> = {}) => {
    const env = {
      ALERT_WEBHOOK_TOKEN: TOKEN,
      ALERT_ROUTES: `alertmanager->${alerts}`,
      PORT: String(port),
      ...more,
    };
    const bot = await startBotOn(around, { env });
    onTestFinished(() => bot.stop());
  };
  const seen = (what: string, pattern: RegExp) =>
    until(what, () => cards().some((words) => pattern.test(words)));
  return { around, alerts, alertmanager, cards, threads, start, seen };
}

const Silences = z.array(
  z.looseObject({
    status: z.object({ state: z.string() }),
    matchers: z.array(z.looseObject({ name: z.string(), value: z.string(), isRegex: z.boolean() })),
    comment: z.string(),
    endsAt: z.string(),
  }),
);

describe.runIf(canRun)('a rule of a real Prometheus', () => {
  it('is one issue in one thread while it fires, repeats and resolves, also where Alertmanager restarts', async () => {
    const { alertmanager, cards, threads, start, seen } = await surroundings({ isNotified: true });
    await start();
    const service = await startRuling({
      alertmanager: alertmanager.url,
      rule: {
        alert: 'HighErrorRate',
        expr: 'checkout_errors > 0',
        labels: { service: 'checkout-api', severity: 'critical' },
        annotations: { summary: '5xx ratio above 5%' },
      },
    });
    service.set(1);
    await seen('it is filed, and counted again and again', /#1 [\s\S]*Fired again (?:[2-9]|\d{2,}) times/u);
    await alertmanager.restart();
    await seen('it is counted after the restart', /#1 [\s\S]*Fired again \d+ times/u);
    service.set(0);
    await seen('the recovery is noted', /#1 [\s\S]*The alert recovered/u);
    expect(cards().filter((words) => /#[2-9] /u.test(words))).toEqual([]);
    // A repeat that is a message of its own has one line that leads to the issue, and nothing else.
    // Alertmanager tells Slack and the program at once: whichever comes first has the card.
    const isOfTheCard = (words: string) => /^#1 /u.test(words);
    const others = await until('a repeat has its sign', () => {
      const all = threads();
      const repeats = all.filter((replies) => !replies.map(wordsOf).some(isOfTheCard));
      return all.length - repeats.length === 1 && repeats.length > 0 && repeats;
    });
    expect(others.map((replies) => replies.map(({ text }) => text))).toEqual(
      others.map(() => [expect.stringMatching(/^Counted toward <\S+\|#1>\.(?:\n|$)/u)]),
    );
  });
});

describe.runIf(hasAlertmanager())('an Alertmanager that is read', () => {
  it('has what fired while the bot was away filed, and silences what is muted until it is reopened', async () => {
    const { around, alerts, alertmanager, start, seen } = await surroundings({ isNotified: false });
    const labels = { alertname: 'DiskFull', service: 'orders', severity: 'warning', instance: 'db-1' };
    const startsAt = new Date(Date.now() - 60_000).toISOString();
    await alertmanager.post([{ labels, annotations: { summary: 'The disk is full' }, startsAt }]);
    await start({ ALERTMANAGER_URL: alertmanager.url, ALERTMANAGER_SILENCE: 'true' });
    await seen('it is filed', /#1 /u);

    const say = (text: string) =>
      around.workspace.command({ as: 'U0ALICE001', channel: alerts, command: '/issue', text });
    const silences = async () =>
      Silences.parse(await (await fetch(`${alertmanager.url}/api/v2/silences`)).json());
    await say('mute 1 2h');
    const [silence] = await until('it is silenced', async () => {
      const all = await silences();
      return all.length > 0 && all;
    });
    expect(silence?.status.state).toBe('active');
    const matchers = Object.fromEntries(silence?.matchers.map(({ name, value }) => [name, value]) ?? []);
    expect(matchers).toEqual(labels);
    expect(silence?.comment).toMatch(/^Muted in Slack as issue #1 \(gumshoe:/u);
    const hours = (Date.parse(silence?.endsAt ?? '') - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(2);

    await say('reopen 1');
    await until('the silence has ended', async () =>
      (await silences()).every(({ status }) => status.state === 'expired'),
    );
    expect(await silences()).toHaveLength(1);
  });
});
