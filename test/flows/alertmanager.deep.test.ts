import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../bench/systems/prometheus.ts';
import { hasAlertmanager, slackAddress, startAlertmanager } from '../support/alertmanager.ts';
import { wordsOf } from '../support/alerts.ts';
import { patientServer } from '../support/patient-server.ts';
import { startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const TOKEN = 'token-of-alertmanager';
const MINUTE = 60_000;

/** Passes requests on to an address, once `open` has resolved. */
async function gate(address: string, open: Promise<void>): Promise<string> {
  const server = patientServer(async (req, res) => {
    const body = await buffer(req);
    await open;
    const type = req.headers['content-type'] ?? 'application/json';
    const answer = await fetch(address, { method: 'POST', headers: { 'content-type': type }, body });
    res.writeHead(answer.status).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const at = server.address();
  return `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/`;
}

/** The whole program, told by a real Alertmanager in Slack, once `slackOpen` has resolved, and by webhook at once. */
async function programWithAlertmanager(groupBy: readonly string[], slackOpen = Promise.resolve()) {
  const around = await startSurroundings('socket');
  onTestFinished(around.close);
  const { workspace } = around;
  const { alerts } = workspace.channels;
  const port = await freePort();
  const env = {
    ALERT_WEBHOOK_TOKEN: TOKEN,
    ALERT_ROUTES: `alertmanager->${alerts}`,
    PORT: String(port),
  };
  let bot = await startBotOn(around, { env });
  onTestFinished(() => bot.stop());
  const alertmanager = await startAlertmanager({
    slackUrl: await gate(await slackAddress(workspace, alerts), slackOpen),
    webhookUrl: `http://127.0.0.1:${port}/alerts/alertmanager`,
    token: TOKEN,
    externalUrl: 'http://alertmanager.example.io/ops',
    groupBy,
  });
  const roots = () => workspace.messages(alerts);
  /** The cards of all alerts in the channel. */
  const cards = () =>
    roots()
      .flatMap(({ ts }) => workspace.messages(alerts, ts).slice(1))
      .map(wordsOf)
      .filter((words) => /#\d+ /u.test(words));
  /** Where cards are: what is counted has a sign that leads there, and nothing else. */
  const threadsWithCards = () =>
    roots().filter(({ ts }) =>
      workspace
        .messages(alerts, ts)
        .slice(1)
        .map(wordsOf)
        .some((words) => /^#\d+ /u.test(words)),
    );
  const seen = (what: string, pattern: RegExp) =>
    until(what, () => cards().some((words) => pattern.test(words)));
  return {
    alertmanager,
    roots,
    cards,
    threadsWithCards,
    seen,
    stop: () => bot.stop(),
    start: async () => {
      bot = await startBotOn(around, { env });
    },
  };
}

const since = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
const alert = {
  labels: { alertname: 'HighErrorRate', service: 'checkout-api', severity: 'critical' },
  annotations: { summary: '5xx ratio above 5%' },
  startsAt: since(2),
};

describe.runIf(hasAlertmanager())('an alert that Alertmanager tells Slack and the webhook at once', () => {
  it('is one issue with one card, which counts the other one and notes the recovery', async () => {
    const { alertmanager, cards, threadsWithCards, seen } = await programWithAlertmanager([
      'alertname',
      'service',
    ]);
    await alertmanager.post([alert]);
    await seen('one of the two is filed, and the other one counted', /#1 [\s\S]*Fired again 1 time/u);

    await alertmanager.post([{ ...alert, endsAt: since(0) }]);
    await seen('the recovery is noted', /#1 [\s\S]*The alert recovered/u);
    expect(cards().filter((words) => /#[2-9]/u.test(words))).toStrictEqual([]);
    expect(threadsWithCards()).toHaveLength(1);
  });

  it('is the same issue after the bot was away while it recovered', async () => {
    const { alertmanager, roots, cards, threadsWithCards, seen, stop, start } = await programWithAlertmanager(
      ['alertname'],
    );
    await alertmanager.post([alert]);
    await seen('one of the two is filed, and the other one counted', /#1 [\s\S]*Fired again 1 time/u);
    const before = roots().length;

    await stop();
    await alertmanager.post([{ ...alert, endsAt: since(0) }]);
    await until('Slack has the recovery', () => roots().length > before);
    await start();
    await seen('the recovery is noted', /#1 [\s\S]*The alert recovered/u);
    expect(cards().filter((words) => /#[2-9]/u.test(words))).toStrictEqual([]);
    expect(threadsWithCards()).toHaveLength(1);
  });

  it('is an issue for each alert of a group, each of which recovers', async () => {
    // If Slack's one message for the group is first, the group is one issue.
    const filed = Promise.withResolvers<void>();
    const { alertmanager, cards, seen } = await programWithAlertmanager(['alertname'], filed.promise);
    const group = ['web-1', 'web-2', 'web-3'].map((instance) => ({
      ...alert,
      labels: { ...alert.labels, instance },
    }));
    await alertmanager.post(group);
    for (const number of [1, 2, 3])
      await seen(`there is an issue #${number}`, new RegExp(`#${number} `, 'u'));
    filed.resolve();
    // On the issue of its first alert, which need not be #1. On a busy machine Alertmanager may have told Slack before the
    // whole group was posted, and then once more.
    await seen('the message in Slack is counted', /Fired again \d+ time/u);

    await alertmanager.post(group.map((one) => ({ ...one, endsAt: since(0) })));
    for (const number of [1, 2, 3])
      await seen(`#${number} has recovered`, new RegExp(`#${number} [\\s\\S]*The alert recovered`, 'u'));
    expect(cards().filter((words) => /#[4-9]/u.test(words))).toStrictEqual([]);
  });
});
