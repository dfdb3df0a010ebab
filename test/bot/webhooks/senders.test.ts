import { expect, it } from 'vitest';
import type { ReceivedAlert } from '../../../src/bot/alerts/format.ts';
import { createGenericWebhook } from '../../../src/bot/alerts/formats/generic/webhook.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { webhooksOn } from './support.ts';

const { read } = createGenericWebhook('tool', null);

function alertsOf(payload: unknown): ReceivedAlert[] {
  const reading = read(payload, {});
  return reading.kind === 'alerts' ? reading.alerts : [];
}

const down = (host: string) => alertsOf({ title: `Palvelin ${host} ei vastaa`, attempts: 3 });
const up = (host: string) => alertsOf({ title: `Palvelin ${host} vastaa taas`, minutes: 4 });

it('a source whose words no format knows is understood after its first outages, as a sender in Slack is', async () => {
  await using opened = await openTestStore();
  const hooks = webhooksOn(opened);
  const told = async (...alerts: ReceivedAlert[]) => {
    await opened.clock.sleep(60_000);
    await hooks.deliver(...alerts);
    await hooks.work();
    await hooks.post();
  };
  for (const host of ['kassa-2', 'varasto-1', 'kassa-7']) {
    await told(...down(host));
    await told(...up(host));
  }
  await told(...down('kassa-9'));
  await told(...up('kassa-9'));
  const issues = await opened.execute('select title, recovered_at from issues order by created_at');
  expect(issues.map(({ title, recovered_at }) => [title, recovered_at !== null])).toStrictEqual([
    // From the second outage on it is clear which of its reports end which.
    ['Palvelin kassa-2 ei vastaa', false],
    ['Palvelin kassa-2 vastaa taas', false],
    ['Palvelin varasto-1 ei vastaa', true],
    ['Palvelin kassa-7 ei vastaa', true],
    ['Palvelin kassa-9 ei vastaa', true],
  ]);
});

it('what was learned from reports goes with the issue that is deleted', async () => {
  await using opened = await openTestStore();
  const hooks = webhooksOn(opened);
  await hooks.deliver(...down('kassa-2'));
  await hooks.work();
  await hooks.post();
  const [row] = await opened.execute('select id from issues');
  const issue = await opened.store.issues.get(String(row?.id));
  if (issue !== null) await opened.store.erasure.ofIssue(issue);
  expect(await opened.store.senders.in('C0AAAAAAA')).toStrictEqual([]);
});

it('an acknowledgement teaches nothing, and a tool that a format knows needs no lesson', async () => {
  await using opened = await openTestStore();
  const hooks = webhooksOn(opened);
  const [noted] = alertsOf({ title: 'Queue is stuck', status: 'acknowledged' });
  expect(noted?.note).toBe('acknowledged');
  await hooks.deliver(...(noted === undefined ? [] : [noted]));
  const [one] = down('kassa-2');
  if (one !== undefined) await hooks.deliver({ ...one, alert: { ...one.alert, format: 'datadog' } });
  await hooks.work();
  expect(await opened.store.senders.in('C0AAAAAAA')).toStrictEqual([]);
});
