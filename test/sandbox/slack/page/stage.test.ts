import { describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../../src/sandbox/slack/faults/state.ts';
import {
  faultNames,
  freshStage,
  listed,
  matching,
  troubles,
} from '../../../../src/sandbox/slack/page/model/stage.ts';
import { pageStage } from '../../../../src/sandbox/slack/page/model/stage-schema.ts';
import { type Change, reduce, type State, stateAt } from '../../../../src/sandbox/slack/page/model/state.ts';
import { optionsOf } from '../../../../src/sandbox/slack/page/stage/fault-options.ts';
import type { PageStage } from '../../../../src/sandbox/slack/page-stage.ts';

const stage: PageStage = {
  scenarios: [],
  tools: [],
  shop: null,
  service: { down: false },
  bot: { state: 'running' },
  faults: NO_FAULTS,
};
const isDown: PageStage = { ...stage, bot: { state: 'down' } };
const upon = (...changes: Change[]): State => changes.reduce(reduce, stateAt(null));
const told = (now: PageStage): Change => ({ type: 'event', event: { type: 'stage', stage: now } });

describe('what happens around the bot, on the page', () => {
  it('is what was fetched, or what was told while that was under way', () => {
    expect(freshStage(stage, [])).toBe(stage);
    expect(freshStage(stage, [{ type: 'bot', online: true }])).toBe(stage);
    const state = upon({ type: 'loading', key: 'stage' }, told(isDown), { type: 'loaded_stage', stage });
    expect([state.stage, state.fetching]).toEqual([isDown, {}]);
    expect(upon({ type: 'loaded_stage', stage }, told(isDown)).stage).toBe(isDown);
  });

  it('is read as the workspace tells it, and not otherwise', () => {
    expect(pageStage.parse(stage)).toEqual(stage);
    expect(pageStage.safeParse({ ...stage, bot: { state: 'asleep' } }).success).toBe(false);
  });

  it('names what is switched so that things do not work', () => {
    expect(troubles(stage)).toEqual([]);
    expect(troubles({ ...stage, bot: null, service: null })).toEqual([]);
    const faults = { ...NO_FAULTS, rateLimited: 0.1, twins: true, methods: ['chat.update'] };
    expect(troubles({ ...stage, bot: { state: 'starting' }, service: { down: true }, faults })).toEqual([
      'The bot is starting',
      'The service is down',
      'Slack: 429, twins',
    ]);
    expect(faultNames({ ...NO_FAULTS, methods: ['chat.update'] })).toEqual([]);
  });

  it('stands beside the channel where a thread or the app’s pane would', () => {
    const beside = ({ thread, pane, isPanel }: State) => ({ thread, pane: pane.isOpen, isPanel });
    const pane: Change = { type: 'pane', user: '', pane: { isOpen: true, isHistory: false, chat: null } };
    const open: Change = { type: 'panel', isOpen: true };
    const thread: Change = { type: 'open_thread', thread: '1.1' };
    expect(beside(upon(thread, pane, open))).toEqual({ thread: '1.1', pane: false, isPanel: true });
    expect(beside(upon(open, pane))).toEqual({ thread: null, pane: true, isPanel: false });
    expect(beside(upon(open, thread))).toEqual({ thread: '1.1', pane: false, isPanel: false });
    const closedPane: Change = {
      type: 'pane',
      user: '',
      pane: { isOpen: false, isHistory: false, chat: null },
    };
    expect(beside(upon(open, closedPane)).isPanel).toBe(true);
    expect(beside(upon(thread, open, { type: 'panel', isOpen: false }))).toEqual({
      thread: '1.1',
      pane: false,
      isPanel: false,
    });
  });

  it('finds a tool by its words in any order, and reads a list with commas or without', () => {
    const tools = ['AWS CloudWatch', 'Grafana', 'Uptime Kuma'].map((name) => ({ name }));
    expect(matching(tools, '')).toEqual(tools);
    expect(matching(tools, ' watch aws').map(({ name }) => name)).toEqual(['AWS CloudWatch']);
    expect(matching(tools, 'nagios')).toEqual([]);
    expect(listed(' chat.update,chat.postMessage  chat.update ')).toEqual([
      'chat.update',
      'chat.postMessage',
    ]);
    expect(listed('')).toEqual([]);
  });

  it('offers no share of the calls that would be more than all of them', () => {
    const open = (rates: Partial<PageStage['faults']>) =>
      optionsOf('serverErrors', { ...NO_FAULTS, ...rates })
        .filter(({ isRefused }) => !isRefused)
        .map(({ name }) => name);
    expect(open({})).toEqual(['None', '10 %', '30 %', '50 %', 'All']);
    expect(open({ serverErrors: 1 })).toEqual(['None', '10 %', '30 %', '50 %', 'All']);
    expect(open({ rateLimited: 0.3, resetsBefore: 0.1, resetsAfter: 0.5 })).toEqual(['None', '10 %']);
    expect(optionsOf('shuffleMs', NO_FAULTS).map(({ name }) => name)).toEqual([
      'No',
      'Within 300 ms',
      'Within 1 s',
      'Within 5 s',
    ]);
  });
});
