import { clientOf, testWorkspace } from 'local-slack/testing';
import { describe, expect, it } from 'vitest';
import type { ReceivedAlert } from '../../../../src/bot/alerts/format.ts';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../../src/bot/alerts/types.ts';
import {
  collectPosts,
  hasAlertmanager,
  slackAddress,
  startAlertmanager,
} from '../../../support/alertmanager.ts';
import { until } from '../../../support/until.ts';
import { alertsOf } from './fixtures.ts';

/** A real Alertmanager that tells a local Slack and a webhook: what is read of both. */
async function bothWays(groupBy: readonly string[]) {
  const workspace = await testWorkspace();
  const webhook = await collectPosts();
  const alertmanager = await startAlertmanager({
    slackUrl: await slackAddress(workspace, workspace.channels.alerts),
    webhookUrl: webhook.url,
    externalUrl: 'http://alertmanager.example.io/ops/',
    groupBy,
  });
  const messages = async (): Promise<Alert[]> => {
    const { messages: found = [] } = await clientOf(workspace).conversations.history({
      channel: workspace.channels.alerts,
    });
    return found.map((message) => parseAlert(message));
  };
  const received = (): ReceivedAlert[] =>
    webhook.posts().flatMap((payload) => alertsOf('alertmanager', payload));
  return { alertmanager, messages, received };
}

const identity = ({ fingerprint, environment }: Alert) => ({ fingerprint, environment });

describe.runIf(hasAlertmanager())('a real Alertmanager that tells Slack and a webhook', () => {
  it('says the same of one alert, from firing to resolved', async () => {
    const { alertmanager, messages, received } = await bothWays(['alertname', 'service']);
    const labels = {
      alertname: 'HighErrorRate',
      service: 'checkout-api',
      env: 'prod',
      severity: 'critical',
      zone: 'a <b> & "c"',
      Upper: 'first',
    };
    const alert = {
      labels,
      annotations: { summary: '5xx' },
      startsAt: new Date(Date.now() - 60_000).toISOString(),
    };
    await alertmanager.post([alert]);
    const firing = await until('both have the alert', async () => {
      const [message, webhook] = [(await messages())[0], received()[0]];
      return message && webhook && { message, webhook };
    });
    expect(firing.message.kind).toBe('firing');
    expect(firing.webhook).toMatchObject({
      alert: { kind: 'firing', title: 'HighErrorRate: 5xx', environment: 'prod', severity: 'high' },
      aliases: [identity(firing.message)],
      groupResolved: false,
    });

    await alertmanager.post([{ ...alert, endsAt: new Date(Date.now() - 1_000).toISOString() }]);
    const over = await until('both have the recovery', async () => {
      const message = (await messages()).find(({ kind }) => kind === 'resolved');
      const webhook = received().find((one) => one.alert.kind === 'resolved');
      return message && webhook && { message, webhook };
    });
    expect(over.webhook).toMatchObject({
      alert: { fingerprint: firing.webhook.alert.fingerprint },
      aliases: [identity(over.message)],
      groupResolved: true,
    });
    expect(identity(over.message)).toStrictEqual(identity(firing.message));
  });

  it('says the same of a group, whose alerts are told apart by the webhook alone', async () => {
    const { alertmanager, messages, received } = await bothWays(['alertname']);
    const alerts = ['web-1', 'web-2', 'web-3'].map((instance) => ({
      labels: { alertname: 'Down', job: 'web', instance },
    }));
    await alertmanager.post(alerts);
    const told = await until('both have the group', async () => {
      const message = (await messages()).find(({ title }) => title === 'Down (web)');
      const group = received().filter(({ alert }) => alert.kind === 'firing');
      return message && group.length >= 3 && { message, group };
    });
    expect(new Set(told.group.map(({ alert }) => alert.fingerprint)).size).toBe(3);
    expect(told.group.at(-1)?.aliases.at(-1)).toStrictEqual(identity(told.message));
  });

  it('says the same of the message about one alert that was in its group before the others', async () => {
    const { alertmanager, messages, received } = await bothWays(['alertname']);
    const alertOn = (instance: string) => ({ labels: { alertname: 'Down', job: 'web', instance } });
    await alertmanager.post([alertOn('web-1')]);
    const alone = await until('Slack has it', async () =>
      (await messages()).find(({ title }) => title === 'Down (web-1 web)'),
    );
    await alertmanager.post([alertOn('web-2')]);
    const together = await until('the webhook has the group', () => {
      const group = received().slice(-2);
      const isBoth = new Set(group.map(({ alert }) => alert.fingerprint)).size === 2;
      return isBoth && group.every(({ aliases }) => aliases.length === 2) && group;
    });
    const first = together.find(({ labels }) => labels.instance === 'web-1');
    expect(first?.aliases[0]).toStrictEqual({ ...identity(alone), alone: true });
  });
});
