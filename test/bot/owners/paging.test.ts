import { describe, expect, it, onTestFinished } from 'vitest';
import type { Page, Pager } from '../../../src/bot/owners/pager.ts';
import { look, wantPage } from '../../../src/bot/owners/paging.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { TrackerError } from '../../../src/bot/tickets/tracker.ts';
import { readOwners } from '../../../src/lib/owners.ts';
import { addCreated } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const MINUTE = 60_000;
const [OWNER] = readOwners('payments  team-payments  page:R0UTINGKEY').entries;

/** An issue, and a tool that keeps one incident for each key. */
async function paging({ isPrivate = false } = {}) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const issue = await addCreated(store, 1, { id: 'issue-1', threadTs: '1.1' });
  const incidents = new Map<string, Page | 'over'>();
  let failing: TrackerError | null = null;
  const pager: Pager = {
    name: 'PagerDuty',
    can: () => true,
    open: async (_, page) => {
      incidents.set(page.key, page);
      if (failing !== null) throw failing;
    },
    close: async (_, key) => void incidents.set(key, 'over'),
  };
  const options = {
    store,
    clock,
    log: createLogger('silent'),
    random: () => 0.5,
    pager,
    ownerNamed: () => OWNER ?? null,
    permalink: (channel: string, ts: string) => `https://acme.slack.com/${channel}/${ts}`,
    isPrivateChannel: async () => isPrivate,
    nameOf: async (id: string) => (id === 'UALICE' ? 'Alice s3cret' : null),
    redact: (text: string) => text.replaceAll('s3cret', '***'),
  };
  return {
    ...opened,
    incidents,
    press: (by: string) =>
      store.transaction((tx) => wantPage(tx, { issue, owner: 'team-payments', by, now: clock.now() })),
    fails: (error: TrackerError | null) => {
      failing = error;
    },
    look: async () => {
      for (const row of await store.flags.pages()) await look(row, options);
    },
    resolve: () => store.issues.rewrite(issue.id, { status: 'resolved' }),
    told: async () =>
      (
        await opened.execute(
          "select payload from outbox where key like 'notice:page:%' order by created_at, key",
        )
      ).map(({ payload }) => JSON.parse(String(payload))),
  };
}

describe('a page', () => {
  it('of two people at once is one, with who pressed first, and ends with its issue', async () => {
    const p = await paging();
    expect(await Promise.all([p.press('UALICE'), p.press('UBOB')])).toEqual([true, false]);
    await p.look();
    await p.look();
    expect(await p.press('UBOB')).toBe(false);
    expect([...p.incidents.values()]).toMatchObject([
      {
        lines: ['Root cause: not found yet', 'Paged from Slack by Alice ***'],
        url: expect.stringContaining('/1.1'),
      },
    ]);
    expect((await p.store.audit.ofIssue('issue-1', 50)).entries).toMatchObject([
      { who: 'UALICE', what: 'paged team-payments' },
    ]);
    await p.resolve();
    await p.look();
    expect([...p.incidents.values()]).toEqual(['over']);
    expect(await p.store.flags.pages()).toEqual([]);
    expect((await p.told()).map(({ notice, by }) => [notice, by]).sort()).toEqual([
      ['page_over', 'UALICE'],
      ['paged', 'UALICE'],
    ]);
  });

  it('that may have arrived before a crash is sent again as the same', async () => {
    const p = await paging();
    await p.press('UALICE');
    p.fails(new TrackerError('PagerDuty cannot be reached; I will keep trying', { isAmbiguous: true }));
    await p.look();
    p.fails(null);
    await p.clock.sleep(MINUTE);
    await p.look();
    expect(p.incidents.size).toBe(1);
    expect(await p.told()).toMatchObject([{ notice: 'paged', owner: 'team-payments' }]);
  });

  it('that nobody takes is said in the thread within minutes, and may be pressed again', async () => {
    const p = await paging();
    await p.press('UALICE');
    p.fails(new TrackerError('PagerDuty cannot be reached; I will keep trying', { isAmbiguous: true }));
    for (let minute = 0; minute < 8; minute += 1) {
      await p.look();
      await p.clock.sleep(MINUTE);
    }
    expect(await p.told()).toMatchObject([
      { notice: 'paged', reason: expect.stringContaining('cannot be reached') },
    ]);
    p.fails(null);
    expect(await p.press('UBOB')).toBe(true);
    await p.look();
    expect([p.incidents.size, (await p.told()).at(-1)?.by]).toEqual([1, 'UBOB']);
  });

  it('of a private channel’s issue says nothing of it elsewhere', async () => {
    const p = await paging({ isPrivate: true });
    await p.press('UALICE');
    await p.look();
    expect([...p.incidents.values()]).toMatchObject([
      {
        title: 'Gumshoe #1: you are asked to look at its thread in Slack',
        lines: ['Paged from Slack by Alice ***'],
      },
    ]);
  });
});
