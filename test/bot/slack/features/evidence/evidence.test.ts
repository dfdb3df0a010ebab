import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addCreated } from '../../../../support/issues.ts';
import { listening, responseAddress } from '../../support/listening.ts';

const View = z.looseObject({
  title: z.object({ text: z.string() }),
  private_metadata: z.string().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })),
});

const RESULTS = JSON.stringify({
  rootCause: {
    relevantEvidence: [{ title: 'The pool', artifacts: [{ documentId: 'a1', title: 'Connections in use' }] }],
    irrelevantEvidence: [{ title: 'The disk', artifacts: [{ documentId: 'a2', title: 'Disk full' }] }],
  },
});
const artifact = (id: string, note: string) => JSON.stringify({ id, type: 'note', data: { note } });

/** An issue of `C1` whose evidence is kept. */
async function investigated() {
  const l = await listening();
  const issue = await addCreated(l.store, 0, { number: 12 });
  await l.store.issues.rewrite(issue.id, { endedVersion: 1, version: 1 });
  await l.store.results.save(issue.id, 1, RESULTS, 0);
  await l.store.artifacts.want(issue.id, ['a1', 'a2']);
  await l.store.artifacts.keep(issue.id, 'a1', artifact('a1', 'All 40 are taken.'), 0);
  await l.store.artifacts.keep(issue.id, 'a2', artifact('a2', 'It is at 31 %.'), 0);
  l.slack.answers('views.open', { view: { id: 'V1', hash: 'h' } });
  l.slack.answers('views.update', { view: { id: 'V1', hash: 'h' } });
  const act = (action: object, more: object) =>
    l.give({
      type: 'block_actions',
      team: { id: 'T1', domain: 'acme' },
      user: { id: 'U1', name: 'alice' },
      trigger_id: '1.2.3',
      actions: [{ block_id: 'b', action_ts: '1.0', type: 'button', ...action }],
      ...more,
    });
  /** Presses *Evidence* on the card. */
  const evidence = (more: object = {}) =>
    act(
      { action_id: 'issue:evidence', value: 'issue-1' },
      { channel: { id: 'C1' }, response_url: 'http://127.0.0.1:9/expired', ...more },
    );
  /** Acts in the modal, which was opened in `C1`. */
  const inWindow = (action: object, more: object = {}) => {
    const private_metadata = JSON.stringify({ owner: 'issue-1', version: 1, index: 0, channel: 'C1' });
    return act(action, { view: { id: 'V1', type: 'modal', private_metadata }, ...more });
  };
  const shown = (method: 'views.open' | 'views.update') =>
    l.slack.calls
      .filter((call) => call.method === method)
      .map(({ args }) => View.parse(JSON.parse(args.view ?? '')));
  return { ...l, evidence, inWindow, shown };
}

describe('*Evidence*', () => {
  it('opens with the first piece that counts, from what is kept, without asking the service', async () => {
    const { evidence, shown, service } = await investigated();
    await evidence();
    const [view] = shown('views.open');
    expect(view?.title.text).toBe('Evidence of #12');
    expect(JSON.stringify(view?.blocks)).toMatch(/1 of 2.*Connections in use.*All 40 are taken\./u);
    expect(service.calls).toEqual([]);
  });

  it('says so in words where the modal comes too late', async () => {
    const { evidence, slack } = await investigated();
    const { url, sent } = await responseAddress();
    slack.next('views.open', { error: 'expired_trigger_id' });
    await evidence({ response_url: url });
    expect(sent.map(({ text }) => text)).toEqual([
      'Slack timed out before I could open the modal. Please try again.',
    ]);
  });
});

describe('in the modal', () => {
  it('the next piece is shown, and another that is chosen', async () => {
    const { inWindow, shown } = await investigated();
    await inWindow({ action_id: 'evidence:on', value: '1' });
    const chosen = { type: 'static_select', action_id: 'evidence:jump', selected_option: { value: '0' } };
    await inWindow(chosen);
    expect(shown('views.update').map(({ blocks }) => JSON.stringify(blocks))).toEqual([
      expect.stringMatching(/Ruled out · 2 of 2.*Disk full.*It is at 31 %\./u),
      expect.stringMatching(/Evidence · 1 of 2.*All 40 are taken\./u),
    ]);
  });

  it('nothing more is shown in another channel once the issue’s own is private', async () => {
    const { inWindow, shown, store } = await investigated();
    await store.channels.learn('C1', true);
    const private_metadata = JSON.stringify({ owner: 'issue-1', version: 1, index: 0, channel: 'C2' });
    const view = { id: 'V1', type: 'modal', private_metadata };
    await inWindow({ action_id: 'evidence:on', value: '1' }, { view });
    const words = JSON.stringify(shown('views.update'));
    expect(words).not.toContain('Disk full');
    expect(words).toContain('I no longer have this issue.');
  });

  it('its raw JSON is wanted once, as a file in the issue’s thread', async () => {
    const { inWindow, shown, store } = await investigated();
    await inWindow({ action_id: 'evidence:json', value: '0' });
    await inWindow({ action_id: 'evidence:json', value: '0' });
    const row = await store.outbox.get('file:artifact:issue-1:a1');
    expect(row).toMatchObject({ kind: 'file', issueId: 'issue-1', wanted: 1 });
    expect(JSON.stringify(shown('views.update').at(-1)?.blocks)).toContain('posted in the thread');
  });
});
