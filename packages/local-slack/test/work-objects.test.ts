import { describe, expect, test } from 'vitest';
import { readEntity } from '../src/validate/entity.ts';
import type { Workspace } from '../src/workspace.ts';
import {
  boltOn,
  clientOf,
  eventsOf,
  incident,
  postWithEntity,
  refusalOf,
  testWorkspace,
  until,
} from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const EVENT = 'entity_details_requested';

/** A message of the app in `#alerts` that bears the Work Object `ref-1`, and where its buttons are. */
async function posted(workspace: Workspace, entity: object = incident()) {
  const channel = workspace.channels.alerts;
  const message_ts = await postWithEntity(workspace, channel, entity);
  return { client: clientOf(workspace), place: { as: ALICE, channel, message_ts, ref: 'ref-1' } };
}

/** The trigger of the last event by which the app was asked for details. */
function triggerIn(events: readonly Record<string, unknown>[]): string | undefined {
  const asked = events.findLast(({ type }) => type === EVENT);
  return asked && String(asked.trigger_id);
}

/** What is wrong with an entity, and where. */
function faults(entity: object): string[] {
  const read = readEntity(entity);
  return 'faults' in read ? read.faults.map(({ message, path }) => `${path.join('/')}: ${message}`) : [];
}

const button = { text: 'x', action_id: 'x' };

test('a Work Object within the documented shape passes, of any type', () => {
  const type = (name: string) => ({ ...incident(), entity_type: `slack#/entities/${name}` });
  for (const entity of [incident(), type('task'), type('calendar_event')]) expect(faults(entity)).toEqual([]);
});

describe('a Work Object is refused', () => {
  test.each<[string, object, string]>([
    ['without an id', { ...incident(), external_ref: {} }, 'external_ref: missing required field: id'],
    ['without an address', { ...incident(), url: '' }, 'url: must be a valid enum value'],
    ['of an unknown type', { ...incident(), entity_type: 'x' }, 'entity_type: unsupported type: x'],
    [
      'without a title',
      incident('r', { attributes: {} }),
      'entity_payload/attributes: missing required field: title',
    ],
    [
      'with a field that incidents do not have',
      incident('r', { fields: { due_date: { value: 1 } } }),
      'entity_payload/fields: invalid additional property: due_date',
    ],
    [
      'with a status that is no text',
      incident('r', { fields: { status: { value: 3 } } }),
      'entity_payload/fields/status/value: must provide a string',
    ],
    [
      'with a date that is no whole number of seconds',
      incident('r', { fields: { date_created: { value: 1.5 } } }),
      'entity_payload/fields/date_created/value: must provide a int',
    ],
    [
      'with a colour that Slack does not have',
      incident('r', { fields: { status: { value: 'x', tag_color: 'pink' } } }),
      'entity_payload/fields/status/tag_color: must be a valid enum value',
    ],
    [
      'with a custom field without a type',
      incident('r', { custom_fields: [{ key: 'k', label: 'K', value: 'v' }] }),
      'entity_payload/custom_fields/0/type: must be a valid enum value',
    ],
    [
      'with two custom fields of one key',
      incident('r', {
        custom_fields: Array(2).fill({ key: 'k', label: 'K', type: 'string', value: 'v' }),
      }),
      'entity_payload/custom_fields: keys of custom fields must be unique',
    ],
    [
      'with three buttons',
      incident('r', { actions: { primary_actions: Array(3).fill(button) } }),
      'entity_payload/actions/primary_actions: no more than 2 items allowed',
    ],
    [
      'with a button without an id',
      incident('r', { actions: { overflow_actions: [{ text: 'x' }] } }),
      'entity_payload/actions/overflow_actions/0: missing required field: action_id',
    ],
  ])('%s', (_, entity, fault) => {
    expect(faults(entity)).toContain(fault);
  });
});

test('a message bears Work Objects beside other metadata; an edit replaces them, a faulty one changes nothing', async () => {
  const workspace = await testWorkspace();
  const { client, place } = await posted(workspace);
  const { channel, message_ts: ts } = place;
  const onPage = () => workspace.messages(channel).find((message) => message.ts === ts)?.entities;
  expect(onPage()).toEqual([incident()]);
  const { messages } = await client.conversations.history({ channel, include_all_metadata: true });
  expect(messages?.[0]?.metadata).toMatchObject({ event_type: 'kept', entities: [incident()] });

  const resolved = incident('ref-1', { fields: { status: { value: 'Resolved' } } });
  await client.apiCall('chat.update', { channel, ts, text: 'Resolved', metadata: { entities: [resolved] } });
  expect(onPage()).toEqual([resolved]);
  await client.chat.update({ channel, ts, text: 'Still there' });
  expect(onPage()).toEqual([resolved]);

  const faulty = { channel, ts, text: 'x', metadata: { entities: [{ ...resolved, url: 'nowhere' }] } };
  expect(await refusalOf(client.apiCall('chat.update', faulty))).toMatchObject({
    error: 'invalid_metadata_format',
    errors: ['must be a valid enum value [json-pointer:/metadata/entities/0/url]'],
  });
  expect(onPage()).toEqual([resolved]);
});

test('opening a Work Object asks the app for its details, which that person alone is shown', async () => {
  const workspace = await testWorkspace({ events: [EVENT] });
  const events = await eventsOf(workspace);
  const { client, place } = await posted(workspace);
  expect(await workspace.openEntity(place)).toEqual({ ok: true });
  expect(workspace.flexpane(ALICE)).toMatchObject({ state: 'loading', ref: 'ref-1' });
  const trigger_id = await until(() => triggerIn(events));
  expect(events).toMatchObject([
    {
      type: EVENT,
      user: ALICE,
      entity_url: 'https://gumshoe.example/issues/ref-1',
      link: { url: 'https://gumshoe.example/issues/ref-1', domain: 'gumshoe.example' },
      external_ref: { id: 'ref-1' },
      channel: place.channel,
      message_ts: place.message_ts,
    },
  ]);
  const another = incident('ref-2');
  expect(
    await refusalOf(client.apiCall('entity.presentDetails', { trigger_id, metadata: another })),
  ).toMatchObject({
    error: 'entity_metadata_does_not_match_trigger',
  });
  const faulty = { trigger_id, metadata: { entities: [incident()] } };
  expect(await refusalOf(client.apiCall('entity.presentDetails', faulty))).toMatchObject({
    error: 'invalid_metadata',
  });
  await client.apiCall('entity.presentDetails', { trigger_id, metadata: incident() });
  expect(workspace.flexpane(ALICE)).toMatchObject({ state: 'shown', entity: incident() });
  expect(workspace.flexpane(BOB)).toBeUndefined();
  expect(
    await refusalOf(client.apiCall('entity.presentDetails', { trigger_id, metadata: incident() })),
  ).toMatchObject({
    error: 'exchanged_trigger_id',
  });
});

test('instead of details the app may give an error or have the person sign in, within three seconds', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ events: [EVENT], clock });
  const events = await eventsOf(workspace);
  const { client, place } = await posted(workspace);
  const present = async (content: object, late = 0) => {
    events.length = 0;
    await workspace.openEntity(place);
    const trigger_id = await until(() => triggerIn(events));
    clock.advance(late);
    return client.apiCall('entity.presentDetails', { trigger_id, ...content });
  };
  const error = { status: 'restricted', custom_title: 'Private', custom_message: 'Ask in its channel.' };
  await present({ error });
  expect(workspace.flexpane(ALICE)).toMatchObject({
    state: 'error',
    status: 'restricted',
    title: 'Private',
    message: 'Ask in its channel.',
  });
  await present({ user_auth_required: true, user_auth_url: 'https://gumshoe.example/in' });
  expect(workspace.flexpane(ALICE)).toMatchObject({ state: 'sign_in', url: 'https://gumshoe.example/in' });
  expect(await refusalOf(present({ error }, 3_001))).toMatchObject({ error: 'expired_trigger_id' });
});

test('an app that does not subscribe to the event is not asked: the flexpane shows what the card does', async () => {
  const workspace = await testWorkspace({ events: [] });
  const { place } = await posted(workspace);
  await workspace.openEntity(place);
  expect(workspace.flexpane(ALICE)).toMatchObject({ state: 'shown', entity: incident() });
});

test('buttons of the card and of the flexpane reach the app with the Work Object that they are of', async () => {
  const workspace = await testWorkspace({ events: [] });
  const pressed: Record<string, unknown>[] = [];
  await boltOn(workspace, (app) => {
    app.action({ type: 'block_actions' }, async ({ ack, body }) => {
      await ack();
      pressed.push({ ...body });
    });
  });
  const { place } = await posted(workspace);
  const resolve = { ...place, action_id: 'resolve' };
  expect(await workspace.entityAction({ ...resolve, where: 'flexpane' })).toEqual({
    ok: false,
    error: 'The details are not open.',
  });
  await workspace.openEntity(place);
  for (const where of ['card', 'flexpane'] as const) {
    expect(await workspace.entityAction({ ...resolve, where })).toEqual({ ok: true });
  }
  const common = { channel_id: place.channel, message_ts: place.message_ts, external_ref: { id: 'ref-1' } };
  const actions = [{ type: 'button', action_id: 'resolve', value: 'issue-12' }];
  expect(pressed).toMatchObject([
    { container: { type: 'message_attachment', ...common }, channel: { id: place.channel }, actions },
    { container: { type: 'entity_detail', ...common }, user: { id: ALICE }, actions },
  ]);
  expect(pressed[1]).not.toHaveProperty('channel');
  expect(pressed[1]).not.toHaveProperty('response_url');
});

test('what a person does not see, or is not there, can be neither opened nor pressed', async () => {
  const workspace = await testWorkspace();
  const { place } = await posted(workspace);
  const outcomes = [
    await workspace.openEntity({ ...place, ref: 'ref-2' }),
    await workspace.openEntity({ ...place, channel: workspace.channels.secrets, as: BOB }),
    await workspace.entityAction({ ...place, where: 'card', action_id: 'delete' }),
  ];
  expect(outcomes).toMatchObject([
    { error: 'That Work Object is no longer on the message.' },
    { ok: false },
    { error: 'That button is no longer there.' },
  ]);
});
