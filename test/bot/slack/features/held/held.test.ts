import { describe, expect, it } from 'vitest';
import { considerMessage } from '../../../../../src/bot/filing/carry-out.ts';
import { heldAlertGroups } from '../../../../../src/bot/filing/held.ts';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import { viewIds } from '../../../../../src/bot/render/view-ids.ts';
import { anAlert } from '../../../../support/an-alert.ts';
import { listening, responseAddress } from '../../support/listening.ts';

type Listening = Awaited<ReturnType<typeof listening>>;

const ts = (n: number) => `${1773748800 + n}.000100`;

/** A channel in which so many problems are held, since the day's limit is 0. */
async function holding(problems = 2) {
  const l = await listening();
  const options = {
    store: l.store,
    clock: l.clock,
    defaultEnvironment: 'production',
    maxIssuesPerDay: 0,
    needsConsent: async () => false,
  };
  let holdId = '';
  for (let n = 0; n < problems; n += 1) {
    const decided = await considerMessage(
      {
        channel: 'C1',
        ts: ts(n),
        threadTs: null,
        permalink: null,
        alert: anAlert({ fingerprint: `kind-${n}`, title: `Kind ${n} fails`, service: 'cart' }),
        sender: 'Alertmanager',
        byPerson: false,
        edited: false,
        note: null,
      },
      options,
    );
    holdId = decided.holdId ?? '';
  }
  l.slack.answers('views.open', { view: { id: 'V1' } });
  const states = async () =>
    (await heldAlertGroups(l.store, holdId)).map(({ alert, state }) => `${alert.fingerprint} ${state}`);
  return { ...l, holdId, states };
}

function press(name: keyof typeof actionIds, value: string, more: Record<string, unknown> = {}) {
  return {
    type: 'block_actions',
    team: { id: 'T1', domain: 'acme' },
    user: { id: 'U1', name: 'alice' },
    channel: { id: 'C1', name: 'alerts' },
    trigger_id: '1.2.3',
    response_url: 'http://127.0.0.1:9/expired',
    actions: [{ type: 'button', action_id: actionIds[name], block_id: 'b', value, action_ts: '1.0' }],
    ...more,
  };
}

function submit(hold: string, chosen: string[], more: { channel?: string; user?: string } = {}) {
  const selected_options = chosen.map((value) => ({ text: { type: 'plain_text', text: 'x' }, value }));
  return {
    type: 'view_submission',
    team: { id: 'T1', domain: 'acme' },
    user: { id: more.user ?? 'U1', name: 'alice' },
    trigger_id: '1.2.3',
    view: {
      id: 'V1',
      type: 'modal',
      callback_id: viewIds.chooseHeld,
      private_metadata: JSON.stringify({ hold, channel: more.channel ?? 'C1' }),
      state: { values: { 'problems:0': { problems: { type: 'checkboxes', selected_options } } } },
    },
  };
}

const opened = (l: Listening): string[] =>
  l.slack.calls.filter(({ method }) => method === 'views.open').map(({ args }) => args.view ?? '');

describe('File all', () => {
  it('files what waits, wakes who files and posts, and says nothing more', async () => {
    const h = await holding();
    const { url, sent } = await responseAddress();
    await h.give(press('fileAll', h.holdId, { response_url: url }));
    expect(await h.states()).toEqual(['kind-1 filed', 'kind-0 filed']);
    expect(h.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
    expect({ acks: h.acks, sent }).toEqual({ acks: [null], sent: [] });
  });
});

describe('Dismiss', () => {
  it('dismisses what waits', async () => {
    const h = await holding();
    await h.give(press('dismissHeld', h.holdId));
    expect(await h.states()).toEqual(['kind-1 dismissed', 'kind-0 dismissed']);
    expect(await h.store.holds.get(h.holdId)).toMatchObject({ dismissedBy: 'U1', state: 'closed' });
    expect(h.woken).toEqual(['outbox']);
  });
});

describe.each(['fileAll', 'dismissHeld', 'chooseHeld'] as const)('the button “%s”', (name) => {
  it('pressed after everything was decided says so to that person', async () => {
    const h = await holding();
    await h.give(press('fileAll', h.holdId));
    const { url, sent } = await responseAddress();
    await h.give(press(name, h.holdId, { response_url: url, user: { id: 'U2' } }));
    expect(sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^Nothing is on hold here anymore/)]);
    expect(await h.states()).toEqual(['kind-1 filed', 'kind-0 filed']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['in another channel than its own', { channel: { id: 'C2' } }],
    ['where Slack names no channel', { channel: undefined }],
  ])('pressed %s changes nothing', async (_what, more) => {
    const h = await holding();
    const { url, sent } = await responseAddress();
    await h.give(press(name, h.holdId, { response_url: url, ...more }));
    expect(await h.states()).toEqual(['kind-1 waiting', 'kind-0 waiting']);
    expect(sent).toHaveLength(1);
    expect(opened(h)).toEqual([]);
  });
});

describe('Choose', () => {
  it('opens a modal with what waits, before anything else is asked of Slack', async () => {
    const h = await holding();
    await h.give(press('chooseHeld', h.holdId));
    expect(h.slack.methods()[0]).toBe('views.open');
    expect(JSON.parse(opened(h)[0] ?? '')).toMatchObject({
      callback_id: viewIds.chooseHeld,
      private_metadata: JSON.stringify({ hold: h.holdId, channel: 'C1' }),
    });
    expect(opened(h)[0]).toContain('Kind 1 fails');
  });

  it('files what is ticked, and the rest stays on hold', async () => {
    const h = await holding(3);
    await h.give(submit(h.holdId, [ts(0), ts(2)]));
    expect(h.acks).toEqual([null]);
    expect(await h.states()).toEqual(['kind-2 filed', 'kind-1 waiting', 'kind-0 filed']);
    expect(h.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
  });

  it('sent twice files nothing twice, and says so', async () => {
    const h = await holding();
    await h.give(submit(h.holdId, [ts(0)]));
    await h.give(submit(h.holdId, [ts(0)]));
    expect(await h.store.issues.pending(h.clock.now(), 9)).toHaveLength(1);
    expect(h.acks[1]).toMatchObject({ response_action: 'update' });
    expect(JSON.stringify(h.acks[1])).toContain('Nothing is on hold here anymore');
  });

  it('without a tick asks for one', async () => {
    const h = await holding();
    await h.give(submit(h.holdId, []));
    expect(h.acks).toEqual([
      { response_action: 'errors', errors: { 'problems:0': 'Select at least one alert.' } },
    ]);
  });

  it('sent for another channel files nothing', async () => {
    const h = await holding();
    await h.give(submit(h.holdId, [ts(0)], { channel: 'C2' }));
    expect(await h.states()).toEqual(['kind-1 waiting', 'kind-0 waiting']);
    expect(JSON.stringify(h.acks)).toMatch(/Nothing is on hold here/);
  });
});
