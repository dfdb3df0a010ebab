import { describe, expect, it } from 'vitest';
import { addCreated, theIssue, uuidOf } from '../../../../support/issues.ts';
import { listening } from '../../support/listening.ts';

const PRIVATE = 'C0PRIVATE';

/** Somebody opens the flexpane of the issue with that id at the service. */
const opening = (user: string, ref: unknown = uuidOf(1)) => ({
  type: 'entity_details_requested',
  user,
  trigger_id: '1.2.3',
  entity_url: 'https://acme.slack.com/archives/C1/p10',
  external_ref: { id: ref },
  user_locale: 'en-US',
});

/** A press of a Work Object's button. */
function press(user: string, { ref = uuidOf(1), value = 'issue-1', type = 'entity_detail' } = {}) {
  return {
    type: 'block_actions',
    team: { id: 'T1', domain: 'acme' },
    user: { id: user, name: 'somebody' },
    trigger_id: '1.2.3',
    container: {
      type,
      external_ref: { id: ref },
      channel_id: 'C0THERE',
      message_ts: '5.0',
      thread_ts: '4.0',
    },
    actions: [{ type: 'button', action_id: 'issue:resolve', block_id: 'b', value, action_ts: '1.0' }],
  };
}

/** Listeners and one issue, of a public channel or of a private one whose members are `U1` and others. */
async function withIssue({ channel = 'C1' } = {}) {
  const l = await listening();
  l.slack.answers('entity.presentDetails', {});
  await l.store.channels.learn('C1', false);
  await l.store.channels.learn(PRIVATE, true);
  await addCreated(l.store, l.clock.now(), { channel });
  const presented = () =>
    l.slack.calls
      .filter(({ method }) => method === 'entity.presentDetails')
      .map(({ args: { trigger_id, metadata = 'null', error = 'null' } }) => ({
        trigger_id,
        metadata: JSON.parse(metadata),
        error: JSON.parse(error),
      }));
  return { ...l, presented };
}

describe('the details of an issue', () => {
  it('are shown to anybody where its channel is public', async () => {
    const l = await withIssue();
    await l.store.results.save('issue-1', 1, JSON.stringify({ rootCause: { rootCauseSummary: 'Full.' } }), 0);
    await l.event(opening('U0CAROL'));
    expect(l.presented()).toMatchObject([
      {
        trigger_id: '1.2.3',
        error: null,
        metadata: { external_ref: { id: uuidOf(1) }, entity_payload: { attributes: { display_id: '#1' } } },
      },
    ]);
    expect(JSON.stringify(l.presented())).toContain('Full.');
  });

  it('are shown to members where it is private, asked anew each time', async () => {
    const l = await withIssue({ channel: PRIVATE });
    await l.event(opening('U1'));
    expect(l.presented()).toMatchObject([{ error: null }]);
    l.slack.answers('conversations.members', { members: [] });
    await l.event(opening('U1'));
    expect(l.presented().at(-1)).toMatchObject({ metadata: null, error: { status: 'restricted' } });
  });

  it('are refused alike where somebody may not see them and where there are none', async () => {
    const l = await withIssue({ channel: PRIVATE });
    await l.event(opening('U0CAROL'));
    await l.event(opening('U0CAROL', 'of-another-time'));
    const [hidden, unknown] = l.presented();
    expect(hidden).toEqual(unknown);
    expect(hidden?.error).toEqual({
      status: 'restricted',
      custom_title: 'You cannot see this issue',
      custom_message: 'It no longer exists, or it belongs to a private channel that you are not in.',
    });
  });

  it('are refused to guests in the words of every other refusal', async () => {
    const l = await withIssue();
    await l.event(opening('U0GUEST'));
    expect(l.presented()).toMatchObject([
      {
        metadata: null,
        error: { status: 'restricted', custom_message: expect.stringMatching(/^Guests cannot use/) },
      },
    ]);
  });

  it('of a deleted issue say so, and nothing else of it', async () => {
    const l = await withIssue();
    await l.store.issues.rewrite('issue-1', { state: 'gone' });
    await l.event(opening('U1'));
    expect(l.presented()).toMatchObject([
      { metadata: null, error: { custom_title: 'This issue was deleted' } },
    ]);
  });

  it('wait for another try where Slack does not say who is in the channel', async () => {
    const l = await withIssue({ channel: PRIVATE });
    l.slack.next('conversations.members', { status: 500 });
    await l.event(opening('U1'));
    expect(l.presented()).toMatchObject([
      { metadata: null, error: { custom_message: expect.stringMatching(/Try again/) } },
    ]);
  });

  it('that come too late, or are asked for without an id, are no failure; the first is counted', async () => {
    const l = await withIssue();
    l.slack.answers('entity.presentDetails', { ok: false, error: 'invalid_trigger_id' });
    await l.event(opening('U1'));
    await l.event(opening('U1', 7));
    expect(l.presented()).toHaveLength(1);
    expect(await l.metrics.text()).toContain(
      'gumshoe_slack_calls_total{method="entity.presentDetails",outcome="invalid_trigger_id"} 1',
    );
  });
});

describe('a button of a Work Object', () => {
  it.each([
    ['names another issue than its Work Object', 'U1', { ref: uuidOf(2) }],
    ['has the value of no issue', 'U1', { value: 'of-another-time' }],
    ['is pressed by somebody who may not see the issue', 'U0CAROL', {}],
    ['is pressed by them on a card', 'U0CAROL', { type: 'message_attachment' }],
  ])('that %s does nothing, and says so to that person where the card stands', async (_, user, forged) => {
    const l = await withIssue({ channel: PRIVATE });
    const before = await theIssue(l.store);
    await l.give(press(user, forged));
    expect(l.acks).toEqual([null]);
    expect({ issue: await theIssue(l.store), calls: l.service.calls }).toEqual({ issue: before, calls: [] });
    const told = l.slack.calls.filter(({ method }) => method === 'chat.postEphemeral');
    expect(told.map(({ args }) => args)).toMatchObject([
      {
        channel: 'C0THERE',
        user,
        thread_ts: '4.0',
        text: expect.stringMatching(/^I no longer have this issue/),
      },
    ]);
    expect(l.presented()).toEqual([]);
  });
});
