import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rejected } from '../../../../support/fake-service.ts';
import { addCreated, uuidOf } from '../../../../support/issues.ts';
import { listening } from '../../support/listening.ts';

const View = z.looseObject({
  title: z.object({ text: z.string() }),
  private_metadata: z.string(),
  blocks: z.array(z.looseObject({ type: z.string() })),
});

const cause = (rootCauseSummary: string) => JSON.stringify({ rootCause: { rootCauseSummary } });

/** An issue of `C1` with two versions of results, the first of which only the service has. */
async function investigated() {
  const l = await listening();
  const issue = await addCreated(l.store, 0, { number: 12 });
  await l.store.issues.rewrite(issue.id, { endedVersion: 2, version: 2 });
  await l.store.results.save(issue.id, 2, cause('The second finding.'), 0);
  l.slack.answers('views.open', { view: {} });
  l.slack.answers('views.update', { view: {} });
  const act = (action: object, more: object) =>
    l.give({
      type: 'block_actions',
      team: { id: 'T1', domain: 'acme' },
      user: { id: 'U1', name: 'alice' },
      trigger_id: '1.2.3',
      actions: [{ block_id: 'b', action_ts: '1.0', ...action }],
      ...more,
    });
  /** Presses *Everything* under the results. */
  const everything = (more: object = {}) =>
    act(
      { type: 'button', action_id: 'issue:everything', value: '2:issue-1' },
      { channel: { id: 'C1' }, response_url: 'http://127.0.0.1:9/expired', ...more },
    );
  /** Acts in the modal. */
  const inWindow = (action: object, more: object = {}) => {
    const private_metadata = JSON.stringify({ issueId: 'issue-1', version: 2, page: 0, channel: 'C1' });
    return act(action, { view: { id: 'V1', type: 'modal', private_metadata }, ...more });
  };
  const choose = (version: string, more: object = {}) =>
    inWindow(
      { type: 'static_select', action_id: 'results:version', selected_option: { value: version } },
      more,
    );
  const shown = (method: 'views.open' | 'views.update') =>
    l.slack.calls
      .filter((call) => call.method === method)
      .map(({ args }) => View.parse(JSON.parse(args.view ?? '')));
  return { ...l, everything, inWindow, choose, shown };
}

describe('*Everything* under results', () => {
  it('opens a modal with all of that version, from what is kept, without asking the service', async () => {
    const { everything, shown, service } = await investigated();
    await everything();
    const [view] = shown('views.open');
    expect(view?.title.text).toBe('Results of #12');
    expect(JSON.stringify(view?.blocks)).toContain('The second finding.');
    expect(service.calls).toEqual([]);
  });
});

describe('in the modal', () => {
  it('another version is fetched where it was not kept, and kept from then on', async () => {
    const { choose, shown, service, store } = await investigated();
    service.results.set(uuidOf(12), JSON.parse(cause('The first finding.')));
    await choose('1');
    await choose('1');
    expect(shown('views.update').map(({ blocks }) => JSON.stringify(blocks))).toEqual([
      expect.stringContaining('The first finding.'),
      expect.stringContaining('The first finding.'),
    ]);
    expect(service.calls).toHaveLength(1);
    const stored = await store.results.get('issue-1', 1);
    expect(stored?.results).toEqual(JSON.parse(cause('The first finding.')));
  });

  it('a service that fails is told of in a sentence', async () => {
    const { choose, shown, service } = await investigated();
    service.break('results', rejected(503, 'down'));
    await choose('1');
    expect(JSON.stringify(shown('views.update')[0]?.blocks)).toMatch(/⚠️ .*investigation service/u);
  });

  it('another page is shown, and a modal closed meanwhile is nobody’s trouble', async () => {
    const { inWindow, shown, slack } = await investigated();
    slack.next('views.update', { error: 'not_found' });
    const next = { type: 'button', action_id: 'results:on', value: '1' };
    await inWindow(next);
    await inWindow({ ...next, action_id: 'results:back', value: '0' });
    expect(shown('views.update')).toHaveLength(2);
  });
});
