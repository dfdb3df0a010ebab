import type { EntityMetadata } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { issueEntity } from '../../../../src/bot/render/issues/entity.ts';
import type { Content } from '../../../../src/bot/slack/delivery/content.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import { cardView } from '../../../support/views.ts';
import { delivering, KEY, words } from '../support/delivering.ts';

const about = { uuid: 'uuid-1', url: 'https://acme.slack.com/archives/C1/p1', createdAt: 0 };
const entity = (status: string): EntityMetadata => issueEntity(cardView({ status }), about);
const event = (key: OutboxKey = KEY) => ({
  event_type: 'gumshoe_message',
  event_payload: { key: `${key}#0` },
});

/** A card with its Work Object. */
function card(text: string, own: EntityMetadata | null): Content {
  return { kind: 'messages', parts: [{ ...words(text), entity: own }], channel: 'C1', threadTs: '1.0' };
}

/** A delivery that remembers what Slack refuses, as the program's does. */
async function remembering() {
  const d = await delivering();
  d.options.slack.refusesEntities = new Set();
  const warned: string[] = [];
  d.options.slack.log.warn = (...args: unknown[]) => void warned.push(String(args.at(-1)));
  const said = () => warned.filter((text) => text.includes('Work Object'));
  /** Delivers a content under a key. */
  const bring = async (content: Content, key: OutboxKey = KEY) => {
    d.content = content;
    await d.want({ key });
    await d.after(2_000);
  };
  const sent = (method: string) =>
    d.slack.calls
      .filter((one) => one.method === method)
      .map(({ args }) => (args.metadata === undefined ? null : JSON.parse(args.metadata)));
  return { d, said, bring, sent };
}

describe('a Work Object', () => {
  it('goes with its message beside the key by which that is found again, and with every edit', async () => {
    const { bring, sent } = await remembering();
    await bring(card('new', entity('investigating')));
    await bring(card('resolved', entity('resolved')));
    expect(sent('chat.postMessage')).toEqual([{ ...event(), entities: [entity('investigating')] }]);
    expect(sent('chat.update')).toEqual([{ ...event(), entities: [entity('resolved')] }]);
  });

  it('that changes alone is reason enough for an edit', async () => {
    const { bring, sent } = await remembering();
    await bring(card('new', entity('investigating')));
    await bring(card('new', entity('ready_to_fix')));
    expect(sent('chat.update')).toEqual([{ ...event(), entities: [entity('ready_to_fix')] }]);
  });

  it('is taken away where there is none any more', async () => {
    const { bring, sent } = await remembering();
    await bring(card('new', entity('investigating')));
    await bring(card('deleted', null));
    expect(sent('chat.update')).toEqual([event()]);
  });

  it.each(['invalid_metadata_format', 'invalid_metadata', 'invalid_entity_type'])(
    'that Slack refuses in a post (%s) is left out, from then on of every message, and said once',
    async (error) => {
      const { d, said, bring, sent } = await remembering();
      d.slack.next('chat.postMessage', { error });
      await bring(card('first', entity('investigating')));
      await bring(card('second', entity('investigating')), 'card:issue-2');
      await bring(card('changed', entity('resolved')));
      expect(sent('chat.postMessage').slice(1)).toEqual([event(), event('card:issue-2')]);
      expect(sent('chat.update')).toEqual([null]);
      expect(d.slack.messages.map(({ text }) => text)).toEqual(['changed', 'second']);
      expect(said()).toHaveLength(1);
      expect(await d.metrics.text()).toContain(
        `gumshoe_posts_total{kind="without_entity",outcome="${error}"} 1`,
      );
    },
  );

  it('that Slack refuses in edits only stays as it was posted', async () => {
    const { d, said, bring, sent } = await remembering();
    await bring(card('first', entity('investigating')));
    d.slack.next('chat.update', { error: 'invalid_metadata_format' });
    await bring(card('changed', entity('resolved')));
    await bring(card('changed again', entity('muted')));
    await bring(card('second', entity('investigating')), 'card:issue-2');
    expect(sent('chat.update').slice(1)).toEqual([null, null]);
    expect(sent('chat.postMessage').at(-1)).toHaveProperty('entities');
    expect(d.slack.messages[0]).toMatchObject({ text: 'changed again', metadata: { entities: [{}] } });
    expect(said()).toHaveLength(1);
  });

  it('is no reason for a message to be lost: other refusals are what they were', async () => {
    const { d, bring } = await remembering();
    d.slack.next('chat.postMessage', { error: 'channel_not_found' });
    await bring(card('first', entity('investigating')));
    expect(d.slack.messages).toEqual([]);
    expect(d.slack.methods().filter((method) => method === 'chat.postMessage')).toHaveLength(1);
  });
});
