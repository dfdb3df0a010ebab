import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listening, responseAddress } from '../../support/listening.ts';

const View = z.looseObject({
  callback_id: z.string(),
  private_metadata: z.string(),
  blocks: z.array(z.looseObject({ type: z.string(), block_id: z.string().optional() })),
});
type Form = { days?: string; time?: string; zone?: string; hygiene?: boolean };

async function world(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  const { url, said } = await responseAddress();
  l.slack.answers('conversations.info', { channel: { id: 'C1', is_member: true, is_private: true } });
  l.slack.answers('views.open', {});
  l.slack.answers('views.update', {});
  const person = {
    team: { id: 'T1', domain: 'acme' },
    user: { id: 'U1', name: 'alice' },
    trigger_id: '1.2.3',
  };
  const callsOf = (name: string) => l.slack.calls.filter(({ method }) => method === name);
  const modals = (method = 'views.open') =>
    callsOf(method).map(({ args }) => View.parse(JSON.parse(args.view ?? '')));
  const view = ({ days = '12345', time = '09:00', zone, hygiene = false }: Form, id: string) => ({
    id,
    type: 'modal',
    callback_id: 'digest:save',
    private_metadata: modals().at(-1)?.private_metadata ?? '{"channel":"C1","basedOn":"off"}',
    state: {
      values: {
        days: {
          days: { type: 'checkboxes', selected_options: [...days].map((value) => ({ value })) },
        },
        time: { time: { type: 'timepicker', selected_time: time } },
        hygiene: { hygiene: { type: 'checkboxes', selected_options: hygiene ? [{ value: 'on' }] : [] } },
        ...(zone === undefined
          ? {}
          : { zone: { zone: { type: 'radio_buttons', selected_option: { value: zone } } } }),
      },
    },
  });
  return {
    ...l,
    told: () => said.map(({ text }) => text),
    modals,
    digest: (words = '', more: Record<string, string> = {}) =>
      l.give({
        command: '/gumshoe',
        text: `digest ${words}`,
        team_id: 'T1',
        channel_id: 'C1',
        user_id: 'U1',
        trigger_id: '1.2.3',
        response_url: url,
        ...more,
      }),
    submit: (form: Form = {}, id = 'V1') =>
      l.give({ type: 'view_submission', ...person, view: view(form, id) }),
    pressSendNow: (form: Form = {}, id = 'V1') =>
      l.give({
        type: 'block_actions',
        ...person,
        container: { type: 'view', view_id: id },
        view: view(form, id),
        actions: [
          { type: 'button', action_id: 'digest:send-now', block_id: 'b', value: 'C1', action_ts: '1' },
        ],
      }),
    wanted: async () => (await l.store.outbox.due(Number.MAX_SAFE_INTEGER, 9)).map(({ key }) => key),
  };
}

const blockOf = (view: z.infer<typeof View> | undefined, id: string) =>
  view?.blocks.find(({ block_id }) => block_id === id);

describe('/gumshoe digest', () => {
  it('opens a modal with the usual days and time, in the person’s own time zone', async () => {
    const w = await world();
    await w.digest();
    const [modal] = w.modals();
    expect(modal).toMatchObject({ callback_id: 'digest:save', submit: { text: 'Save' } });
    expect(blockOf(modal, 'time')).toMatchObject({
      hint: { text: 'Your time zone: Europe/Berlin.' },
      element: { initial_time: '09:00' },
    });
    expect(blockOf(modal, 'days')).toMatchObject({
      element: { initial_options: ['1', '2', '3', '4', '5'].map((value) => ({ value })) },
    });
    expect(blockOf(modal, 'zone')).toBe(undefined);
    expect(await w.wanted()).toEqual([]);
  });

  it('of a digest that is set in another time zone asks which one holds', async () => {
    const w = await world({ people: { zone: async () => 'America/New_York' } });
    const set = { channel: 'C1', days: '1', time: '17:30', zone: 'Europe/Berlin' };
    await w.store.digests.save({ ...set, nextAt: 1 });
    await w.digest();
    const [modal] = w.modals();
    expect(blockOf(modal, 'time')).toMatchObject({ element: { initial_time: '17:30' } });
    expect(blockOf(modal, 'zone')).toMatchObject({
      element: {
        initial_option: { value: 'Europe/Berlin' },
        options: [{ value: 'Europe/Berlin' }, { value: 'America/New_York' }],
      },
    });
  });

  it('is in UTC where Slack names a time zone that nobody knows', async () => {
    const w = await world({ people: { zone: async () => 'Mars/Base' } });
    await w.digest();
    expect(blockOf(w.modals()[0], 'time')).toMatchObject({ hint: { text: 'Your time zone: Etc/UTC.' } });
  });

  it.each(['', 'now', 'off'])('“%s” is for those who may change the channel’s settings', async (words) => {
    const w = await world({ people: { maySet: async () => 'not_member' } });
    await w.digest(words);
    expect(w.told()).toEqual([expect.stringMatching(/^Only members of <#C1>/)]);
    expect([w.modals(), await w.wanted()]).toEqual([[], []]);
  });

  it('is for channels', async () => {
    const w = await world();
    await w.digest('', { channel_id: 'D1' });
    expect(w.told()).toEqual([expect.stringMatching(/^That only works in channels/)]);
  });

  it('with other words says which it knows', async () => {
    const w = await world();
    await w.digest('of');
    await w.digest('tomorrow <!here>');
    expect(w.told()).toEqual([
      expect.stringMatching(/^Did you mean `\/gumshoe digest off`\?/),
      expect.stringMatching(/^`\/gumshoe digest` schedules/),
    ]);
  });

  it('now sends one', async () => {
    const w = await world();
    await w.digest('NOW');
    expect(await w.wanted()).toEqual([expect.stringMatching(/^digest:C1:now:/)]);
    expect(w.told()).toEqual(['📊 The digest is on its way to this channel.']);
    expect(w.woken).toContain('outbox');
  });

  it('off ends it', async () => {
    const w = await world();
    await w.submit();
    await w.digest('off');
    expect(await w.store.digests.get('C1')).toBe(null);
    expect(w.told()).toEqual(['This channel has no digest. `/gumshoe digest` schedules one.']);
  });
});

describe('the modal of a digest', () => {
  it('sent off sets whether it says once a week which alerts nobody needed, and shows it when opened again', async () => {
    const w = await world();
    await w.digest();
    await w.submit({ hygiene: true });
    expect((await w.store.channels.get('C1')).settings.hygiene).toBe(true);
    await w.digest();
    expect(blockOf(w.modals().at(-1), 'hygiene')).toMatchObject({
      element: { initial_options: [{ value: 'on' }] },
    });
  });

  it('sent twice says so once', async () => {
    const w = await world();
    await w.submit();
    await w.submit();
    expect(w.acks).toEqual([null, null]);
    expect(await w.wanted()).toHaveLength(1);
  });

  it('without a day turns it off', async () => {
    const w = await world();
    await w.submit();
    await w.digest();
    await w.submit({ days: '' }, 'V2');
    expect(await w.store.digests.get('C1')).toBe(null);
  });

  it('takes the days, the time and the zone that are chosen', async () => {
    const w = await world();
    const chosen = { days: '15', time: '17:30', zone: 'America/New_York' };
    await w.submit(chosen);
    expect(await w.store.digests.get('C1')).toMatchObject(chosen);
  });

  it.each<[string, Form]>([
    ['time', { time: '25:00' }],
    ['zone', { zone: 'Mars/Base' }],
  ])('with a %s that there is not says so at the field', async (_, form) => {
    const w = await world();
    await w.submit(form);
    expect(w.acks).toEqual([
      { response_action: 'errors', errors: { time: expect.stringMatching(/Choose a time/) } },
    ]);
    expect(await w.store.digests.get('C1')).toBe(null);
  });

  it('says so where another has changed it meanwhile', async () => {
    const w = await world();
    await w.submit();
    await w.submit({ days: '7' }, 'V2');
    expect(w.acks.at(-1)).toEqual({
      response_action: 'errors',
      errors: { time: expect.stringMatching(/^Somebody changed the digest/) },
    });
    expect(await w.store.digests.get('C1')).toMatchObject({ days: '12345' });
  });
});

describe('Send one now', () => {
  it('sends one, once a modal, says so there, and keeps what is chosen', async () => {
    const w = await world();
    await w.pressSendNow({ days: '7', time: '10:30' });
    await w.pressSendNow();
    expect(await w.wanted()).toEqual([expect.stringMatching(/^digest:C1:now:/)]);
    const [updated] = w.modals('views.update');
    expect(blockOf(updated, 'time')).toMatchObject({ element: { initial_time: '10:30' } });
    expect(JSON.stringify(updated)).toContain('On its way');
    expect(await w.store.digests.get('C1')).toBe(null);
  });

  it('sends it although the modal is closed by then', async () => {
    const w = await world();
    w.slack.next('views.update', { error: 'not_found' });
    await w.pressSendNow();
    expect(await w.wanted()).toHaveLength(1);
  });
});
