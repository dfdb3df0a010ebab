import { describe, expect, it } from 'vitest';
import { withLoadedViews, withViewEvent } from '../../page/model/views.ts';
import type { PageView } from '../../src/page-api.ts';

const view = (id: string, user = 'U1', hash = '1'): PageView => ({ id, user, hash, title: {}, blocks: [] });
const shown = (id: string, user?: string, hash?: string) => ({
  type: 'view' as const,
  view: view(id, user, hash),
});
const closed = (id: string, user = 'U1') => ({ type: 'view_closed' as const, user, id });

describe('the open modals', () => {
  it('lie on each other as they come, change in their places, and go', () => {
    const two = [shown('V1'), shown('V2')].reduce(withViewEvent, []);
    expect(two).toEqual([view('V1'), view('V2')]);
    const changed = withViewEvent(two, shown('V1', 'U1', '2'));
    expect(changed).toEqual([view('V1', 'U1', '2'), view('V2')]);
    expect(withViewEvent(changed, closed('V2'))).toEqual([view('V1', 'U1', '2')]);
    expect(withViewEvent(two, { type: 'bot', online: true })).toBe(two);
  });

  it('are what was fetched, with what happened since, and those of others as they were', () => {
    const before = [view('V0'), view('V9', 'U2')];
    const since = [shown('V2', 'U1', '2'), shown('V3'), shown('V8', 'U2'), closed('V1')];
    expect(withLoadedViews(before, 'U1', [view('V1'), view('V2')], since)).toEqual([
      view('V9', 'U2'),
      view('V2', 'U1', '2'),
      view('V3'),
    ]);
  });
});
