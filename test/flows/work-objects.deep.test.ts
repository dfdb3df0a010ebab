import { type Entity, readEntity } from 'local-slack';
import { postWithEntity } from 'local-slack/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { BOB, CAROL } from '../support/talking.ts';
import { until } from '../support/until.ts';

type Where = 'alerts' | 'general' | 'secrets';

let around: Surroundings;
let bot: Bot | null = null;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const { alerts, secrets } = around.workspace.channels;
  bot = await startBotOn(around, {
    env: { ...around.env, ALERT_CHANNELS: `${alerts},${secrets}`, WORK_OBJECTS: 'true' },
  });
  views = channelViews(around);
});

afterEach(async () => {
  await bot?.stop();
  await around.close();
});

/** An alert's card that is ready to fix and bears a Work Object: where it stands, and what it bears. */
async function cardOf(title: string, where: Where) {
  const { ts } = await around.workspace.post({ ...alertmanagerAlert(title), channel: where });
  await views.seen(new RegExp(`${title}[\\s\\S]*Ready to fix`), where, ts);
  const found = await until(
    `the card of ${title} bears a Work Object that is ready to fix`,
    () =>
      views.thread(where, ts).flatMap((message) => {
        const [entity] = (message.entities ?? []).flatMap(read);
        return entity && /Ready to fix/.test(statusIn(entity)) ? { message, entity } : [];
      })[0],
  );
  const { message, entity } = found;
  const place = { channel: message.channel, message_ts: message.ts, ref: entity.external_ref.id };
  return { ts, entity, place };
}

function statusIn({ entity_payload: { fields } }: Entity): string {
  return JSON.stringify(fields?.status);
}

function read(value: unknown): Entity[] {
  const result = readEntity(value);
  return 'entity' in result ? [result.entity] : [];
}

/** The person's flexpane, once the app has filled it. */
function filled(user: string) {
  return until('the flexpane is filled', () => {
    const pane = around.workspace.flexpane(user);
    return pane?.state === 'loading' ? undefined : pane;
  });
}

/** What is said to one person alone in a channel. */
function toldTo(user: string, where: Where): string[] {
  const all = around.workspace.messages(around.workspace.channels[where]);
  return all.filter((message) => message.ephemeral_to === user).map(wordsOf);
}

describe('the Work Object of an issue', () => {
  it('opens for anybody in a public channel with the root cause, and resolves the issue from there', async () => {
    const { ts, entity, place } = await cardOf('HighErrorRate', 'alerts');
    expect(entity).toMatchObject({
      entity_type: 'slack#/entities/incident',
      external_ref: { id: expect.stringMatching(/^[0-9a-f-]{36}$/u) },
      entity_payload: {
        attributes: { display_id: '#1' },
        actions: { primary_actions: [{ text: 'Resolve' }, { text: 'Mute' }] },
      },
    });
    expect(await around.workspace.openEntity({ as: CAROL, ...place })).toEqual({ ok: true });
    const pane = await filled(CAROL);
    expect(pane).toMatchObject({ state: 'shown', entity: { external_ref: entity.external_ref } });
    expect(pane.entity?.entity_payload.custom_fields?.map(({ key }) => key)).toContain('root_cause');

    const resolve = { as: CAROL, ...place, where: 'flexpane' as const, action_id: 'issue:resolve' };
    expect(await around.workspace.entityAction(resolve)).toEqual({ ok: true });
    await views.seen(/HighErrorRate[\s\S]*✅ Resolved/, 'alerts', ts);
    const shown = await until('the flexpane shows it resolved', () => {
      const fresh = around.workspace.flexpane(CAROL)?.entity;
      return fresh && /Resolved/.test(statusIn(fresh)) ? fresh : undefined;
    });
    expect(shown.external_ref).toEqual(entity.external_ref);
    expect(shown.entity_payload.actions?.primary_actions).toEqual([]);
  });

  it('of a private channel shows nothing to who is not in it, and its buttons do nothing for them', async () => {
    const { ts, entity, place } = await cardOf('ZebraVaultLeak', 'secrets');
    expect(await around.workspace.openEntity({ as: BOB, ...place })).toEqual({ ok: true });
    expect(JSON.stringify(await filled(BOB))).toContain('ZebraVaultLeak');

    // The same reference and the same buttons, in a channel where Carol is.
    const general = around.workspace.channels.general;
    const attributes = { title: { text: 'Shared' } };
    const shared = { ...entity, entity_payload: { ...entity.entity_payload, attributes, fields: {} } };
    const message_ts = await postWithEntity(around.workspace, general, shared);
    const there = { channel: general, message_ts, ref: place.ref };
    expect(await around.workspace.openEntity({ as: CAROL, ...there })).toEqual({ ok: true });
    const refused = await filled(CAROL);
    expect(refused).toMatchObject({
      state: 'error',
      status: 'restricted',
      title: 'You cannot see this issue',
    });
    expect(JSON.stringify(refused)).not.toMatch(/zebra/i);

    const resolve = { where: 'card' as const, action_id: 'issue:resolve' };
    expect(await around.workspace.entityAction({ as: CAROL, ...there, ...resolve })).toEqual({ ok: true });
    await until('Carol is told', () =>
      toldTo(CAROL, 'general').some((text) => /no longer have this issue/.test(text)),
    );
    expect(wordsOf(await views.seen(/ZebraVaultLeak/, 'secrets', ts))).toContain('Ready to fix');
    // A member may, wherever it was shared.
    expect(await around.workspace.entityAction({ as: BOB, ...there, ...resolve })).toEqual({ ok: true });
    await views.seen(/ZebraVaultLeak[\s\S]*✅ Resolved/, 'secrets', ts);
  });

  it('whose reference and button name different issues does nothing to either', async () => {
    const first = await cardOf('HighErrorRate', 'alerts');
    const second = await cardOf('QueueIsFull', 'alerts');
    const { actions } = second.entity.entity_payload;
    const forged = { ...first.entity, entity_payload: { ...first.entity.entity_payload, actions } };
    const general = around.workspace.channels.general;
    const message_ts = await postWithEntity(around.workspace, general, forged);
    const press = {
      as: CAROL,
      channel: general,
      message_ts,
      where: 'card' as const,
      action_id: 'issue:resolve',
    };
    expect(await around.workspace.entityAction({ ...press, ref: first.place.ref })).toEqual({ ok: true });
    await until('Carol is told', () =>
      toldTo(CAROL, 'general').some((text) => /no longer have this issue/.test(text)),
    );
    for (const [title, { ts }] of [
      ['HighErrorRate', first],
      ['QueueIsFull', second],
    ] as const) {
      expect(wordsOf(await views.seen(new RegExp(title), 'alerts', ts))).toContain('Ready to fix');
    }
  });
});
