import { describe, expect, it } from 'vitest';
import { type Change, reduce, stateAt } from '../../page/model/state.ts';
import type { PageFlexpane } from '../../src/page-api.ts';

const flexpane = (user: string, more: Partial<PageFlexpane> = {}): Change => ({
  type: 'event',
  event: {
    type: 'flexpane',
    pane: { user, channel: 'C1', message_ts: '1.0', ref: 'ref-1', state: 'loading', ...more },
  },
});
/** What stands beside the channel after these changes, for `U1`. */
function beside(...changes: Change[]) {
  const before = reduce(stateAt(null), { type: 'act_as', user: 'U1' });
  const { flexpane: pane, isPanelOpen, thread } = changes.reduce(reduce, before);
  return { state: pane?.state ?? null, isPanelOpen, thread };
}

describe('the flexpane on the page', () => {
  it('opens in the place of the panel, and is filled when the app answers', () => {
    const panel: Change = { type: 'panel', isOpen: true };
    expect(beside(panel, flexpane('U1'))).toEqual({ state: 'loading', isPanelOpen: false, thread: null });
    expect(beside(flexpane('U1'), flexpane('U1', { state: 'shown' }))).toMatchObject({ state: 'shown' });
    expect(beside(flexpane('U1'), panel)).toEqual({ state: null, isPanelOpen: true, thread: null });
  });

  it('leaves the thread below it as it was, and gives way to another', () => {
    const open: Change = { type: 'open_thread', thread: '1.0' };
    expect(beside(open, flexpane('U1'))).toMatchObject({ state: 'loading', thread: '1.0' });
    expect(beside(open, flexpane('U1'), { type: 'close_flexpane' })).toMatchObject({
      state: null,
      thread: '1.0',
    });
    expect(beside(flexpane('U1'), open)).toMatchObject({ state: null, thread: '1.0' });
  });

  it('is its person’s alone', () => {
    expect(beside(flexpane('U2'))).toMatchObject({ state: null });
    expect(beside(flexpane('U1'), { type: 'act_as', user: 'U2' })).toMatchObject({ state: null });
  });
});
