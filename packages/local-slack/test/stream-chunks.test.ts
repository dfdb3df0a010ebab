import { describe, expect, test } from 'vitest';
import { clientOf, refusalOf, testWorkspace } from '../testing/index.ts';

type Chunks = NonNullable<
  NonNullable<Parameters<ReturnType<typeof clientOf>['chat']['startStream']>[0]>['chunks']
>;

const DM = 'D0ALICE001';
const ALICE = 'U0ALICE001';

/** The blocks that stand after each of these calls, without their ids. */
async function grownBy(task_display_mode: 'timeline' | 'plan', ...calls: Chunks[]): Promise<unknown[]> {
  const workspace = await testWorkspace();
  const { chat } = clientOf(workspace);
  const { ts: thread_ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  const { ts = '' } = await chat.startStream({ channel: DM, thread_ts, task_display_mode });
  for (const chunks of calls) await chat.appendStream({ channel: DM, ts, chunks });
  const { message } = await chat.stopStream({ channel: DM, ts });
  const text = JSON.stringify(message?.blocks ?? [], (key, value) =>
    key === 'block_id' ? undefined : value,
  );
  return JSON.parse(text);
}

const said = (text: string) => ({ type: 'markdown_text' as const, text });
const task = (status: 'in_progress' | 'complete', more: { details?: string; output?: string } = {}) => ({
  type: 'task_update' as const,
  id: 'look',
  title: `Looking (${status})`,
  status,
  ...more,
});
const rich = (...texts: string[]) => ({
  type: 'rich_text',
  elements: texts.map((text) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] })),
});

describe('what a stream shows', () => {
  test('text goes on where text stands last; blocks come between', async () => {
    const blocks = await grownBy(
      'timeline',
      [said('One, '), said('two')],
      [said(', three.')],
      [{ type: 'blocks', blocks: [{ type: 'divider' }] }],
      [said('Four.')],
    );
    expect(blocks).toEqual([
      { type: 'markdown', text: 'One, two, three.' },
      { type: 'divider' },
      { type: 'markdown', text: 'Four.' },
    ]);
  });

  test('a task is changed where it stands, and its details grow', async () => {
    const blocks = await grownBy(
      'timeline',
      [task('in_progress', { details: 'metrics' })],
      [said('It is DNS.')],
      [task('complete', { details: 'logs', output: 'found' })],
    );
    expect(blocks).toEqual([
      {
        type: 'task_card',
        task_id: 'look',
        title: 'Looking (complete)',
        status: 'complete',
        details: rich('metrics', 'logs'),
        output: rich('found'),
      },
      { type: 'markdown', text: 'It is DNS.' },
    ]);
  });

  test('in a plan the tasks stand together, under its title', async () => {
    const blocks = await grownBy(
      'plan',
      [task('in_progress')],
      [{ type: 'plan_update', title: 'Looking' }, said('It is DNS.'), task('complete')],
    );
    expect(blocks).toEqual([
      {
        type: 'plan',
        title: 'Looking',
        tasks: [{ type: 'task_card', task_id: 'look', title: 'Looking (complete)', status: 'complete' }],
      },
      { type: 'markdown', text: 'It is DNS.' },
    ]);
  });
});

test('12,000 characters are the limit of each piece, not of the whole', async () => {
  const long = 'x'.repeat(12_000);
  expect(await grownBy('timeline', [said(long)], [said(long)])).toEqual([
    { type: 'markdown', text: long + long },
  ]);
});

test('text and chunks in one call are refused, and so are more blocks than a message may have', async () => {
  const workspace = await testWorkspace();
  const { chat } = clientOf(workspace);
  const { ts: thread_ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  const both = chat.startStream({ channel: DM, thread_ts, markdown_text: 'a', chunks: [said('b')] });
  expect(await refusalOf(both)).toMatchObject({ error: 'invalid_arguments' });
  const dividers = Array.from({ length: 30 }, () => ({ type: 'divider' as const }));
  const { ts = '' } = await chat.startStream({
    channel: DM,
    thread_ts,
    chunks: [{ type: 'blocks', blocks: dividers }],
  });
  const more = chat.stopStream({ channel: DM, ts, blocks: dividers });
  expect(await refusalOf(more)).toMatchObject({ error: 'msg_blocks_too_long' });
});
