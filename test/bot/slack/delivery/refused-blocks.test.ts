import { describe, expect, it } from 'vitest';
import { folded } from '../../../../src/bot/render/folded.ts';
import { planBlock } from '../../../../src/bot/render/issues/plan.ts';
import type { Rendered } from '../../../../src/bot/render/rendered.ts';
import { section } from '../../../../src/bot/render/rendered.ts';
import { createRefusedBlocks } from '../../../../src/bot/slack/delivery/refused-blocks.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import { createLogger } from '../../../../src/lib/log.ts';
import { delivering } from '../support/delivering.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;
const rendered: Rendered = {
  text: 'the results',
  blocks: [
    section('*Root cause*'),
    ...folded('Evidence · 1', [section('• Pool full')]),
    planBlock({ overview: false, evidence: 0, ruledOut: 0, causes: 0 }),
  ],
};
const content = { kind: 'messages', parts: [rendered], channel: 'C1', threadTs: '1.0' } as const;
const unfolded = section('*Evidence · 1*\n• Pool full');
const refusal = (line: string) => ({
  error: 'invalid_blocks',
  errors: [line],
  response_metadata: { messages: [`[ERROR] ${line}`] },
});
const UNSUPPORTED = refusal('unsupported type: container [json-pointer:/blocks/1/type]');

async function posting() {
  const d = await delivering();
  const written: string[] = [];
  const log = createLogger('warn', { write: (line) => void written.push(line) });
  const warned = () => written.map((line): unknown => JSON.parse(line));
  const { store, clock } = d;
  const begin = (teamId = 'T1') => {
    d.options = { ...d.options, refusedBlocks: createRefusedBlocks({ store, teamId, clock, log }) };
  };
  begin();
  d.content = { ...content, parts: [rendered] };
  const posts = () => d.slack.methods().filter((method) => method === 'chat.postMessage').length;
  const post = async (key: OutboxKey) => {
    await d.want({ key });
    await d.after(2_000);
  };
  return { d, warned, begin, posts, post, shown: () => d.slack.messages.map(({ blocks }) => blocks) };
}

describe('a type of block that this workspace does not have', () => {
  it('is sent in its plain form at once, and so from then on, also after a restart', async () => {
    const { d, posts, post, begin, shown, warned } = await posting();
    d.slack.next('chat.postMessage', UNSUPPORTED);
    await post('card:one');
    const [, , plan] = rendered.blocks;
    expect(shown()).toEqual([[section('*Root cause*'), unfolded, plan]]);
    expect(posts()).toBe(2);

    begin();
    await post('card:two');
    expect(posts()).toBe(3);
    expect(shown()[1]).toEqual(shown()[0]);
    expect(warned()).toEqual([expect.objectContaining({ block: 'container' })]);
    expect(await d.metrics.text()).toContain(
      'gumshoe_posts_total{kind="older_blocks",outcome="invalid_blocks"} 1',
    );
  });

  it('is found out one after the other, and no message is lost or sent twice', async () => {
    const { d, posts, post, shown, warned } = await posting();
    d.slack.next('chat.postMessage', UNSUPPORTED, refusal('unsupported type: plan [json-pointer:/blocks/2]'));
    await post('card:one');
    expect(shown()).toEqual([[section('*Root cause*'), unfolded]]);
    expect(posts()).toBe(3);
    expect(warned()).toMatchObject([{ block: 'container' }, { block: 'plan' }]);
  });

  it('is remembered of that workspace only', async () => {
    const { d, post, begin, shown } = await posting();
    d.slack.next('chat.postMessage', UNSUPPORTED);
    await post('card:one');
    begin('T2');
    await post('card:two');
    expect(shown()[1]).toEqual(rendered.blocks);
  });

  it('is tried again after a week, since Slack brings new blocks in steps', async () => {
    const { d, post, shown } = await posting();
    d.slack.next('chat.postMessage', UNSUPPORTED);
    await post('card:one');
    await d.clock.sleep(WEEK_MS);
    await post('card:two');
    expect(shown()[1]).toEqual(rendered.blocks);
  });

  it('is found out by an edit too', async () => {
    const { d, post, shown } = await posting();
    d.content = { ...content, parts: [{ text: 'before', blocks: [section('before')] }] };
    await post('card:one');
    d.content = { ...content, parts: [rendered] };
    d.slack.next('chat.update', UNSUPPORTED);
    await post('card:one');
    expect(shown()).toEqual([[section('*Root cause*'), unfolded, rendered.blocks[2]]]);
  });
});

describe('a refusal that is not about a type', () => {
  it.each([
    'must be less than 151 characters [json-pointer:/blocks/1/title/text]',
    'unsupported type: video [json-pointer:/blocks/1/child_blocks/0]',
    'unsupported type: section [json-pointer:/blocks/0]',
  ])('(%s) has that message sent plainly, and is not remembered', async (line) => {
    const { d, post, shown } = await posting();
    d.slack.next('chat.postMessage', refusal(line));
    await post('card:one');
    await post('card:two');
    expect(shown()).toEqual([[section('*Root cause*'), unfolded], rendered.blocks]);
  });
});
