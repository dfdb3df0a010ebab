import { afterEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { corpusMessage, wordsOf } from '../support/alerts.ts';
import { BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

afterEach(async () => {
  await bot.stop();
  await around.close();
});

/** An alert with a fault behind it; answers its `ts`. */
async function alerted(): Promise<string> {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
  views = channelViews(around);
  return (await around.workspace.post(corpusMessage('alertmanager', 'alertmanager-default-firing'))).ts;
}

const typesIn = (blocks: readonly unknown[] = []) => blocks.map((block) => Object(block).type);

describe('the results of an investigation', () => {
  it('have their charts as soon as the evidence is there, upload nothing, and show everything in a window', async () => {
    const ts = await alerted();
    const { workspace } = around;
    const message = await until('there are charts', () =>
      views.thread('alerts', ts).find(({ blocks }) => typesIn(blocks).includes('data_visualization')),
    );
    expect(wordsOf(message)).toMatch(/root cause: Bad deploy of payments/);
    expect(workspace.files()).toEqual([]);

    await views.press('alerts', message, 'issue:everything');
    const { modal } = await views.modal();
    expect(JSON.stringify(modal.blocks)).toContain('Causal chain');
    expect(JSON.stringify(modal.blocks)).toContain('If it did, fix forward instead.');
    // All of it stands in the message: nothing was cut, so there is no file.
    expect(views.thread('alerts', ts).filter(({ files }) => files)).toEqual([]);
  });

  it('have a write-up with the figures of their metrics', async () => {
    const ts = await alerted();
    const { workspace } = around;
    await until('the evidence is there', () =>
      views.thread('alerts', ts).find(({ blocks }) => typesIn(blocks).includes('data_visualization')),
    );
    await workspace.command({
      as: BOB,
      channel: workspace.channels.alerts,
      command: '/issue',
      text: '1 writeup',
    });
    const message = await until('the write-up is there', () =>
      views.thread('alerts', ts).find(({ files = [] }) => files.length > 0),
    );
    expect((message.files ?? []).map(({ name }) => name)).toEqual(['write-up-1.md']);
    const text = workspace.fileBytes(message.files?.[0]?.id ?? '')?.toString() ?? '';
    expect(text).toMatch(/Error rate · payments: [\d.]+% at the peak, [\d.]+% before, /);
  });

  it('of a newer version that finds the same are an edit and a line, and the older one can be looked at', async () => {
    const ts = await alerted();
    const { workspace } = around;
    await views.seen(/Root cause/, 'alerts', ts);
    const card = await views.seen(/Ready to fix/, 'alerts', ts);
    await views.press('alerts', card, 'issue:more', /again/i);
    await views.seen(/Looked again: the same root cause/, 'alerts', ts);
    const newer = await views.seen(/Results of[\s\S]*· version 2/, 'alerts', ts);

    await views.press('alerts', newer, 'issue:everything');
    const { id, modal } = await views.modal();
    expect(JSON.stringify(modal.blocks)).toContain('· version 2');
    await workspace.viewAction({
      as: BOB,
      view_id: id,
      block_id: 'above',
      action_id: 'results:version',
      state: {
        type: 'static_select',
        selected_option: { text: { type: 'plain_text', text: 'Version 1' }, value: '1' },
      },
    });
    await until('the window shows version 1', () =>
      JSON.stringify(workspace.views(BOB)[0]?.modal.blocks).includes('· version 1'),
    );
  });
});
