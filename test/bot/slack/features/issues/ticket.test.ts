import { expect, it } from 'vitest';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import { stateOf } from '../../../../../src/bot/settings/change-settings.ts';
import { ChannelSettings } from '../../../../../src/bot/store/channel-settings.ts';
import { settingsOf } from '../../../../support/trackers.ts';
import { issuing } from '../../support/issuing.ts';
import { messagesOf } from '../../support/messages-of.ts';
import { settingsValues } from '../../support/rights/modals.ts';

const tickets = settingsOf.github;

/** Whether the card of the issue offers a ticket. */
async function offers(l: Awaited<ReturnType<typeof issuing>>, tracker: typeof tickets | null = tickets) {
  const row = await l.store.outbox.get('card:issue-3');
  if (row === null) throw new Error('there is no card');
  const content = await messagesOf({ store: l.store, clock: l.clock, tickets: tracker })(row);
  return JSON.stringify(content).includes(actionIds.ticket);
}

it('a ticket is wanted by the command or by the button on the card, and offered while there is none', async () => {
  const l = await issuing({ tickets });
  await l.filed(3);
  await l.store.channels.learn('C1', false);
  expect([await offers(l), await offers(l, null)]).toEqual([true, false]);
  await l.press('ticket', 'issue-3');
  await l.issue('3 ticket');
  expect(l.texts()).toEqual([
    'I am creating a ticket for #3. Its card will link to it.',
    'The ticket of #3: 🎫 Ticket: on its way',
  ]);
  expect(await offers(l)).toBe(false);
  await l.store.tickets.update('issue-3', {
    state: 'failed',
    failure: 'No such project: check JIRA_PROJECT.',
  });
  expect(await offers(l)).toBe(true);
  await l.press('ticket', 'issue-3');
  expect(await l.store.tickets.get('issue-3')).toMatchObject({
    state: 'wanted',
    wantedBy: 'U1',
    failure: null,
  });
});

it('of a private channel’s issue a ticket is made there only, and it is said who will read it', async () => {
  const l = await issuing({ tickets });
  await l.store.channels.learn('C0SECRET', true);
  await l.filed(3, { channel: 'C0SECRET' });
  await l.issue('3 ticket');
  await l.press('ticket', 'issue-3');
  expect(await l.store.tickets.get('issue-3')).toBeNull();
  expect(await l.issue('3 ticket', { channel_id: 'C0SECRET' })).toMatch(
    /^I am creating a ticket for #3\. .* This channel is private, and whoever reads the tracker will see the issue’s title, cause and checklist there\.$/u,
  );
});

it('the rule is a setting of public channels, where there is a tracker', async () => {
  const shown = async (options: Parameters<typeof issuing>[0], isPrivate: boolean) => {
    const l = await issuing(options);
    l.slack.answers('conversations.info', { channel: { id: 'C1', is_member: true, is_private: isPrivate } });
    l.slack.answers('views.open', {});
    await l.give({
      type: 'block_actions',
      team: { id: 'T1' },
      user: { id: 'U1' },
      channel: { id: 'C1' },
      trigger_id: '1.2.3',
      actions: [
        { type: 'button', action_id: actionIds.openSettings, block_id: 'b', value: 'C1', action_ts: '1' },
      ],
    });
    const [opened] = l.slack.calls.filter(({ method }) => method === 'views.open');
    return JSON.stringify(opened?.args).includes('unresolved after an hour');
  };
  expect(await shown({ tickets }, false)).toBe(true);
  expect(await shown({ tickets }, true)).toBe(false);
  expect(await shown({}, false)).toBe(false);

  const l = await issuing({ tickets });
  l.slack.answers('conversations.info', { channel: { id: 'C1', is_member: true, is_private: false } });
  const before = ChannelSettings.parse({});
  await l.store.channels.watch('C1', before, '50.000000');
  const values = {
    ...settingsValues,
    mode: { mode: { selected_option: { value: 'automatic' } } },
    tickets: { tickets: { selected_options: [{ value: 'yes' }] } },
  };
  await l.give({
    type: 'view_submission',
    team: { id: 'T1' },
    user: { id: 'U1' },
    view: {
      id: 'V1',
      type: 'modal',
      callback_id: 'settings:save',
      private_metadata: JSON.stringify({
        channel: 'C1',
        watched: true,
        basedOn: stateOf({ watched: true, settings: before }),
      }),
      state: { values },
    },
  });
  expect((await l.store.channels.get('C1')).settings).toEqual({ ...before, tickets: true });
  expect((await l.store.audit.ofChannel('C1', 1)).entries.map(({ what }) => what)).toEqual([
    'changed the settings of C1: tickets: of high issues after an hour (was on request)',
  ]);
});
