import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { stateOf } from '../../../../../src/bot/settings/change-settings.ts';
import { ChannelSettings } from '../../../../../src/bot/store/channel-settings.ts';
import { listening } from '../../support/listening.ts';

const plain = ChannelSettings.parse({});
const option = (value: string) => ({ selected_option: { value } });
const value = (text: string | null) => ({ value: text });
const ticked = (yes: boolean) => ({ selected_options: yes ? [{ value: 'yes' }] : [] });

/** The modal's fields as Slack sends them, with nothing changed. */
const untouched = {
  mode: { mode: option('automatic') },
  people: { people: ticked(false) },
  include: { 'settings:patterns': value(null) },
  exclude: { 'settings:patterns': value(null) },
  minimumSeverity: { minimumSeverity: option('low') },
  environment: { environment: value(null) },
  defaultSeverity: { defaultSeverity: option('medium') },
  onRecovery: { onRecovery: option('note') },
  budgetIssues: { budgetIssues: value('10') },
  budgetMinutes: { budgetMinutes: value('10') },
  coolDownMinutes: { coolDownMinutes: value('30') },
  recoveryMinutes: { recoveryMinutes: value('2') },
  broadcast: { broadcast: ticked(false) },
};
type Values = { [Name in keyof typeof untouched]: Record<string, object> };

async function world(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  l.slack.answers('conversations.info', { channel: { id: 'C1', is_member: true, is_private: true } });
  l.slack.answers('views.open', {});
  l.slack.answers('views.update', {});
  await l.store.channels.watch('C1', plain, '50.000000');
  const metadata = JSON.stringify({
    channel: 'C1',
    watched: true,
    basedOn: stateOf({ watched: true, settings: plain }),
  });
  const view = (values: Partial<Values>, more: object = {}) => ({
    id: 'V1',
    type: 'modal',
    callback_id: 'settings:save',
    private_metadata: metadata,
    state: { values: { ...untouched, ...values } },
    ...more,
  });
  const by = { team: { id: 'T1', domain: 'acme' }, user: { id: 'U1', name: 'alice' }, trigger_id: '1.2.3' };
  return {
    ...l,
    submit: (values: Partial<Values>, more: object = {}) =>
      l.give({ type: 'view_submission', ...by, view: view(values, more) }),
    type: (values: Partial<Values>, more: object = {}) =>
      l.give({
        type: 'block_actions',
        ...by,
        container: { type: 'view', view_id: 'V1' },
        view: view(values, more),
        actions: [
          {
            type: 'plain_text_input',
            action_id: 'settings:patterns',
            block_id: 'include',
            value: 'x',
            action_ts: '1',
          },
        ],
      }),
    press: (pressed: string, more: object = {}) =>
      l.give({
        type: 'block_actions',
        ...by,
        channel: { id: 'C1', name: 'alerts' },
        container: { type: 'message', channel_id: 'C1', message_ts: '1.0', is_ephemeral: true },
        response_url: 'http://127.0.0.1:9/expired',
        actions: [
          { type: 'button', action_id: 'settings:open', block_id: 'b', value: pressed, action_ts: '1' },
        ],
        ...more,
      }),
    pressInForm: (action: string, pressed: string) =>
      l.give({
        type: 'block_actions',
        ...by,
        container: { type: 'view', view_id: 'V1' },
        view: view({}),
        actions: [{ type: 'button', action_id: action, block_id: 'b', value: pressed, action_ts: '1' }],
      }),
    settings: async () => (await l.store.channels.get('C1')).settings,
    updates: () => l.slack.calls.filter(({ method }) => method === 'views.update').map(({ args }) => args),
  };
}

describe('the settings that are sent', () => {
  it('are all kept, and the modal closes', async () => {
    const w = await world();
    await w.submit({
      mode: { mode: option('suggest') },
      people: { people: ticked(true) },
      include: { 'settings:patterns': value('checkout\n\n /5\\d\\d/ \ncheckout') },
      exclude: { 'settings:patterns': value('test') },
      minimumSeverity: { minimumSeverity: option('high') },
      environment: { environment: value(' prod ') },
      defaultSeverity: { defaultSeverity: option('low') },
      onRecovery: { onRecovery: option('resolve') },
      budgetIssues: { budgetIssues: value('1000') },
      budgetMinutes: { budgetMinutes: value('1440') },
      coolDownMinutes: { coolDownMinutes: value('0') },
      broadcast: { broadcast: ticked(true) },
    });
    expect(w.acks).toEqual([null]);
    expect(await w.settings()).toEqual({
      mode: 'suggest',
      people: true,
      include: ['checkout', '/5\\d\\d/'],
      exclude: ['test'],
      minimumSeverity: 'high',
      environment: 'production',
      defaultSeverity: 'low',
      onRecovery: 'resolve',
      budget: { issues: 1000, minutes: 1440 },
      coolDownMinutes: 0,
      recoveryMinutes: 2,
      broadcast: true,
    });
    expect(w.woken).toEqual(['outbox']);
  });

  it('twice, since the delivery came again, are said once', async () => {
    const w = await world();
    await w.submit({ people: { people: ticked(true) } });
    await w.submit({ people: { people: ticked(true) } });
    expect(w.acks).toEqual([null, null]);
    expect(await w.store.outbox.countDue()).toBe(1);
  });

  it('again from the same modal, but with something else in it, are not lost in silence', async () => {
    const w = await world();
    await w.submit({ people: { people: ticked(true) } });
    await w.submit({ people: { people: ticked(true) }, broadcast: { broadcast: ticked(true) } });
    expect(w.acks).toEqual([
      null,
      {
        response_action: 'errors',
        errors: {
          mode: 'Somebody changed these settings while this was open. Close it and open it again.',
        },
      },
    ]);
    expect(await w.settings()).toEqual({ ...plain, people: true });
    expect(await w.store.outbox.countDue()).toBe(1);
  });

  it.each<[string, Partial<Values>, Record<string, unknown>]>([
    ['no number', { budgetIssues: { budgetIssues: value(null) } }, { budgetIssues: /from 1 to 1000/ }],
    ['zero issues', { budgetIssues: { budgetIssues: value('0') } }, { budgetIssues: /from 1 to 1000/ }],
    [
      'too many minutes',
      { budgetMinutes: { budgetMinutes: value('1441') } },
      { budgetMinutes: /from 1 to 1440/ },
    ],
    [
      'half a minute',
      { coolDownMinutes: { coolDownMinutes: value('0.5') } },
      { coolDownMinutes: /from 0 to 10080/ },
    ],
    [
      'less than nothing',
      { coolDownMinutes: { coolDownMinutes: value('-1') } },
      { coolDownMinutes: /from 0/ },
    ],
    [
      'patterns that cannot be read',
      {
        include: { 'settings:patterns': value('a\n/b(/') },
        exclude: { 'settings:patterns': value('x'.repeat(201)) },
      },
      { include: /“\/b\(\/” is not a valid regular expression/, exclude: /longer than 200/ },
    ],
  ])('with %s come back with what is wrong, at the field', async (_, values, wrong) => {
    const w = await world();
    await w.submit(values);
    const errors = Object.fromEntries(
      Object.entries(wrong).map(([name, words]) => [name, expect.stringMatching(String(words).slice(1, -1))]),
    );
    expect(w.acks).toEqual([{ response_action: 'errors', errors }]);
    expect([await w.settings(), await w.store.outbox.countDue()]).toEqual([plain, 0]);
  });

  it('by somebody who has left the channel are not kept, and the modal says why', async () => {
    const w = await world({ people: { maySet: async () => 'not_member' } });
    await w.submit({ people: { people: ticked(true) } });
    expect(w.acks).toMatchObject([{ response_action: 'update', view: { type: 'modal' } }]);
    expect(JSON.stringify(w.acks)).toMatch(/Only members of <#C1>/);
    expect(await w.settings()).toEqual(plain);
  });

  it('for a channel that the bot has been removed from are not kept', async () => {
    const w = await world();
    w.slack.answers('conversations.info', { channel: { id: 'C1', is_member: false } });
    await w.submit({ people: { people: ticked(true) } });
    expect(JSON.stringify(w.acks)).toContain('/invite @Gumshoe');
    expect(await w.settings()).toEqual(plain);
  });
});

describe('a pattern that is being typed', () => {
  it('is not tried on the messages of a channel for somebody who may not', async () => {
    const w = await world({ people: { maySet: async () => 'not_member' } });
    await w.type({});
    expect(w.updates()).toEqual([]);
  });

  it.each([{ error: 'not_found' }, { status: 429, retryAfter: 1 }, { status: 500 }])(
    'is no failure where the window cannot be changed: %o',
    async (fault) => {
      const w = await world();
      w.slack.next('views.update', fault);
      await w.type({});
      expect(w.acks).toEqual([null]);
    },
  );

  it('in a modal of another kind is none of ours', async () => {
    const w = await world();
    await w.type({}, { callback_id: 'another' });
    expect(w.updates()).toEqual([]);
  });
});

describe('the button under the settings', () => {
  it('with the value of another channel opens nothing', async () => {
    const w = await world();
    await w.press('C2');
    expect(w.slack.methods()).not.toContain('views.open');
  });
});

it('how a sender is read is confirmed as the form showed it: what a model proposed since then, or no more, is shown first', async () => {
  const w = await world();
  for (const at of [1, 2, 3]) {
    const observation = {
      ...{ lines: [`Kopie von db${at} fehlgeschlagen`], color: null, sign: null, environment: null },
      ...{ kind: 'firing', fingerprint: `f${at}`, isStated: false, subject: [`db${at}`], failing: [0] },
    };
    const row = { channel: 'C1', ts: `${at}.000000`, sender: 'C1 kopierer', at: at * 1_000 };
    await w.store.senders.keep({ ...row, observation: JSON.stringify(observation) });
  }
  const id = createHash('sha256').update('C1 kopierer').digest('hex').slice(0, 12);
  await w.pressInForm('sender:confirm', `${id} proposed`);
  expect((await w.settings()).senders).toBeUndefined();
  expect(JSON.stringify(w.updates())).toContain('kopierer');
  await w.pressInForm('sender:confirm', id);
  expect(Object.keys((await w.settings()).senders ?? {})).toEqual(['C1 kopierer']);
});
