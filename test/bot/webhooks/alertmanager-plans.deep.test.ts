import { describe, expect, it, onTestFinished } from 'vitest';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { readPlans } from '../../../src/bot/webhooks/alertmanager.ts';
import { hasAlertmanager, startAlertmanager } from '../../support/alertmanager.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const HOUR = 3_600_000;

describe.runIf(hasAlertmanager())('what a real Alertmanager silences or mutes at this time', () => {
  it('is planned work in each watched channel, until it says no more of it', async () => {
    const opened = await openTestStore();
    onTestFinished(() => opened[Symbol.asyncDispose]());
    const { store, clock } = opened;
    for (const channel of ['C01', 'C02']) await store.channels.watch(channel, ChannelSettings.parse({}), '0');
    const nowhere = 'http://127.0.0.1:9/';
    const { url } = await startAlertmanager({
      slackUrl: nowhere,
      webhookUrl: nowhere,
      externalUrl: 'http://alertmanager.example.io',
      groupBy: ['alertname'],
      more: {
        timeIntervals: [
          {
            name: 'night shift',
            time_intervals: [{ times: [{ start_time: '00:00', end_time: '24:00' }], weekdays: ['tuesday'] }],
          },
        ],
        routes: [
          {
            receiver: 'webhook',
            matchers: ['team="web"', 'service=~"shop|cart"'],
            mute_time_intervals: ['night shift'],
          },
        ],
      },
    });
    const silence = {
      matchers: [
        { name: 'service', value: 'payments', isRegex: false, isEqual: true },
        { name: 'env', value: 'staging', isRegex: false, isEqual: true },
      ],
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + HOUR).toISOString(),
      createdBy: 'ana',
      comment: 'database upgrade',
    };
    const made = await fetch(`${url}/api/v2/silences`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(silence),
    });
    const { silenceID } = Object(await made.json());
    const alertmanager = { url, token: null, user: null, password: null, silences: false };
    // A Tuesday of the Alertmanager's own time, which only the silence's state depends on.
    const tuesday = nextTuesday(Date.now());
    const look = (now: number) => readPlans({ store, alertmanager, clock: { ...clock, now: () => now } });
    const plans = async () =>
      (await store.flags.plans())
        .map(({ channel, scope, title, by }) => [channel, ...scope, title, by])
        .sort();

    await look(Date.now());
    const silenced = ['payments', 'env:staging', 'database upgrade (ana)', 'from:Alertmanager'];
    expect((await plans()).filter((plan) => plan.includes('payments'))).toEqual([
      ['C01', ...silenced],
      ['C02', ...silenced],
    ]);
    await look(tuesday);
    // It writes matchers back in the order of their labels.
    const muted = ['shop', 'cart', 'team:web', 'muted by night shift', 'from:Alertmanager'];
    expect((await plans()).filter((plan) => plan.includes('team:web'))).toEqual([
      ['C01', ...muted],
      ['C02', ...muted],
    ]);

    await fetch(`${url}/api/v2/silence/${silenceID}`, { method: 'DELETE' });
    const after = Date.now();
    await look(after);
    const left = (await store.flags.plans()).filter(
      ({ scope, until }) => scope.includes('payments') && until > after,
    );
    expect(left).toEqual([]);
  });
});

/** Noon on a Tuesday that is less than a week ahead. */
function nextTuesday(from: number): number {
  const noon = new Date(from);
  noon.setUTCHours(12, 0, 0, 0);
  const days = (2 - noon.getUTCDay() + 7) % 7;
  return noon.getTime() + days * 24 * HOUR;
}
