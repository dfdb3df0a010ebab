import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attach } from '../../../src/bot/filing/attach.ts';
import { splitIssue } from '../../../src/bot/filing/split-issue.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { theIssue } from '../../support/issues.ts';
import { runs } from '../../support/property-runs.ts';

type Act =
  | { act: 'fires' | 'recovers'; fingerprint: string; title: string; channel: string }
  | { act: 'apart' | 'attach' | 'resolve'; one: number; other: number };

const index = fc.nat({ max: 30 });
const alert = {
  fingerprint: fc.constantFrom('cpu', 'disk'),
  title: fc.constantFrom('on web-1', 'on web-2', 'on web-3'),
  channel: fc.constantFrom('C1', 'C2'),
};
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('fires' as const), ...alert }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('recovers' as const), ...alert }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom('apart' as const, 'attach' as const, 'resolve' as const),
      one: index,
      other: index,
    }),
  },
);

/** What people and tools did, and the messages that fired. */
class World {
  readonly d: Deciding;
  readonly fired: { channel: string; ts: string }[] = [];
  readonly issues: string[] = [];

  constructor(d: Deciding) {
    this.d = d;
  }

  /** The service knows every issue, under its place in the list. */
  private async know(id: string | null): Promise<void> {
    if (id === null || id === '' || this.issues.includes(id)) return;
    this.issues.push(id);
    const number = this.issues.length;
    await this.d.store.issues.rewrite(id, { state: 'created', number, uuid: `uuid-${number}` });
  }

  async do(act: Act): Promise<void> {
    const { d } = this;
    // Never so many in a minute, or in ten, that they are held.
    await d.clock.sleep(70_000);
    if ('fingerprint' in act) {
      const { fingerprint, title, channel } = act;
      const kind = act.act === 'fires' ? 'firing' : 'resolved';
      const { ts, issueId } = await d.alert({ fingerprint, title, kind }, { channel });
      if (kind === 'firing') this.fired.push({ channel, ts });
      return this.know(issueId);
    }
    const issueId = this.issues[act.one % this.issues.length];
    if (issueId === undefined) return;
    if (act.act === 'attach') {
      await attach(
        { issueId, number: act.other % (this.issues.length + 1), by: 'U1' },
        { store: d.store, clock: d.clock },
      );
    } else if (act.act === 'resolve') {
      await d.store.issues.rewrite(issueId, {
        status: 'resolved',
        isOpen: false,
        statusSince: d.clock.now(),
      });
    } else {
      const rows = await d.store.alerts.ofIssue(issueId, 100);
      const row = rows[act.other % Math.max(1, rows.length)];
      const place = { channel: row?.channel ?? 'C1', ts: row?.ts ?? '0' };
      const wish = { issueId, ...place, permalink: null, by: 'U1', cause: `V${d.clock.now()}-${act.one}` };
      const filed = await splitIssue(wish, { store: d.store, ...d.options, filePerUserHour: 1_000 });
      await this.know(typeof filed === 'string' ? filed : null);
    }
  }
}

it('whatever people tell apart and attach, every alert counts for one issue, and the next finds one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 25 }), async (acts) => {
      await using d = await deciding();
      const world = new World(d);
      for (const act of acts) await world.do(act);

      const counted = new Map<string, number>();
      for (const { channel, ts } of world.fired) {
        const row = await d.store.alerts.find(channel, ts);
        expect(['filed', 'repeat']).toContain(row?.decision);
        const issue = await theIssue(d.store, row?.issueId ?? '');
        expect(issue.joinedInto).toBe(null);
        if (row?.decision === 'repeat') counted.set(issue.id, (counted.get(issue.id) ?? 0) + 1);
      }
      for (const id of world.issues) {
        const issue = await theIssue(d.store, id);
        expect({ id, repeats: issue.repeats }).toEqual({ id, repeats: counted.get(id) ?? 0 });
      }
      for (const title of ['on web-1', 'on web-2', 'on web-3']) {
        const next = await d.alert({ fingerprint: 'cpu', title });
        expect(['filed', 'repeat']).toContain(next.decision);
        expect(await theIssue(d.store, next.issueId ?? '')).toMatchObject({ isOpen: true, joinedInto: null });
        expect(await d.alert({ fingerprint: 'cpu', title })).toMatchObject({
          decision: 'repeat',
          issueId: next.issueId,
        });
      }
    }),
    { numRuns: runs(25) },
  );
});
