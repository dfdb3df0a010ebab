import { describe, expect, it } from 'vitest';
import { degradations, faultNames, freshPanel, listed, optionsOf } from '../../page/model/panel.ts';
import { type Change, reduce, type State, stateAt } from '../../page/model/state.ts';
import { NO_FAULTS } from '../../src/faults.ts';
import { PagePanel } from '../../src/page-panel.ts';

const panel: PagePanel = {
  sections: [],
  webhooks: [],
  faults: NO_FAULTS,
};
const pump = { id: 'pump', short: 'Pump', title: 'The pump', about: 'Pumps.' };
const isDown: PagePanel = { ...panel, sections: [{ ...pump, warning: 'The pump is down' }] };
const upon = (...changes: Change[]): State => changes.reduce(reduce, stateAt(null));
const told = (now: PagePanel): Change => ({ type: 'event', event: { type: 'stage', stage: now } });

describe('what happens around the app, on the page', () => {
  it('is what was fetched, or what was told while that was under way', () => {
    expect(freshPanel(panel, [])).toBe(panel);
    expect(freshPanel(panel, [{ type: 'bot', online: true }])).toBe(panel);
    const state = upon({ type: 'loading', key: 'stage' }, told(isDown), { type: 'loaded_panel', panel });
    expect([state.panel, state.fetching]).toEqual([isDown, {}]);
    expect(upon({ type: 'loaded_panel', panel }, told(isDown)).panel).toBe(isDown);
  });

  it('is read as the workspace tells it, and not otherwise', () => {
    expect(PagePanel.parse(panel)).toEqual(panel);
    expect(PagePanel.safeParse({ ...panel, sections: [{ ...pump, state: 'asleep' }] }).success).toBe(false);
  });

  it('names what is switched so that things do not work', () => {
    expect(degradations(panel)).toEqual([]);
    expect(degradations({ ...panel, sections: [pump] })).toEqual([]);
    const faults = { ...NO_FAULTS, rateLimited: 0.1, twins: true, methods: ['chat.update'] };
    expect(degradations({ ...isDown, faults })).toEqual(['The pump is down', 'Slack: 429, duplicate events']);
    expect(faultNames({ ...NO_FAULTS, methods: ['chat.update'] })).toEqual([]);
  });

  it('stands beside the channel where a thread would', () => {
    const beside = ({ thread, isPanelOpen }: State) => ({ thread, isPanelOpen });
    const open: Change = { type: 'panel', isOpen: true };
    const thread: Change = { type: 'open_thread', thread: '1.1' };
    expect(beside(upon(thread, open))).toEqual({ thread: '1.1', isPanelOpen: true });
    expect(beside(upon(open, thread))).toEqual({ thread: '1.1', isPanelOpen: false });
    expect(beside(upon(thread, open, { type: 'panel', isOpen: false }))).toEqual({
      thread: '1.1',
      isPanelOpen: false,
    });
  });

  it('reads a list with commas or without', () => {
    expect(listed(' chat.update,chat.postMessage  chat.update ')).toEqual([
      'chat.update',
      'chat.postMessage',
    ]);
    expect(listed('')).toEqual([]);
  });

  it('offers no share of the calls that would be more than all of them', () => {
    const open = (rates: Partial<PagePanel['faults']>) =>
      optionsOf('serverErrors', { ...NO_FAULTS, ...rates })
        .filter(({ isDisabled }) => !isDisabled)
        .map(({ name }) => name);
    expect(open({})).toEqual(['None', '10%', '30%', '50%', 'All']);
    expect(open({ serverErrors: 1 })).toEqual(['None', '10%', '30%', '50%', 'All']);
    expect(open({ rateLimited: 0.3, resetsBefore: 0.1, resetsAfter: 0.5 })).toEqual(['None', '10%']);
    expect(optionsOf('shuffleMs', NO_FAULTS).map(({ name }) => name)).toEqual([
      'No',
      'Within 300 ms',
      'Within 1 s',
      'Within 5 s',
    ]);
  });
});
