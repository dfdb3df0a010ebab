import { describe, expect, it, onTestFinished } from 'vitest';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { readMaintenances } from '../../../src/bot/webhooks/status-pages.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { scriptedSource } from '../../support/scripted-source.ts';

const HOUR = 3_600_000;

/** A store with a watched channel, and a page that answers so. */
async function page() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  await store.channels.watch('C01', ChannelSettings.parse({}), '0');
  let answer: unknown = null;
  const { url } = await scriptedSource({ '/api/v2/summary.json': { answer: () => answer } });
  const at = (hours: number) => new Date(clock.now() + hours * HOUR).toISOString();
  return {
    store,
    at,
    now: () => clock.now(),
    scheduled: (...all: object[]) => {
      answer = { status: {}, scheduled_maintenances: all };
    },
    says: (other: unknown) => {
      answer = other;
    },
    look: () => readMaintenances({ host: 'api.stripe.com', url }, opened),
    plans: async () => (await store.flags.plans()).map(({ scope, by, title }) => ({ scope, by, title })),
  };
}

describe('maintenances of a status page', () => {
  it('are planned work on its host, and over once the page no longer has them', async () => {
    const p = await page();
    p.scheduled(
      {
        id: 'm1',
        name: 'Database\nupgrade',
        status: 'in_progress',
        scheduled_for: p.at(-1),
        scheduled_until: p.at(1),
      },
      { id: 'm2', name: 'Done', status: 'completed', scheduled_for: p.at(-2), scheduled_until: p.at(1) },
      { id: 'm3', name: 'No end', status: 'scheduled', scheduled_for: p.at(2) },
    );
    await p.look();
    await p.look();
    expect(await p.plans()).toEqual([
      { scope: ['api.stripe.com'], by: 'from:the status page of api.stripe.com', title: 'Database upgrade' },
    ]);
    p.scheduled();
    await p.look();
    expect((await p.store.flags.plans()).map(({ until }) => until - p.now())).toEqual([0]);
  });

  it('of another product are none', async () => {
    const p = await page();
    p.says({ page: { status: 'UP' } });
    await p.look();
    expect(await p.plans()).toEqual([]);
  });
});
