import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AlertKind, Severity } from '../../../src/bot/alerts/types.ts';
import type { ChannelMessage } from '../../../src/bot/filing/channel-message.ts';
import { considerMessage } from '../../../src/bot/filing/decide.ts';
import { type DryRow, dryRun } from '../../../src/bot/filing/dry-run.ts';
import { anAlert } from '../../support/an-alert.ts';
import { deciding } from '../../support/deciding.ts';
import { runs } from '../../support/property-runs.ts';
import { tablesOf } from '../../support/tables-of.ts';

const START = 1_773_748_800;

const message = fc.record({
  /** Seconds since the one before. */
  gap: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 60, max: 4_000 })),
  fingerprint: fc.constantFrom('a', 'b', 'c', 'd', 'e', null),
  kind: fc.constantFrom<AlertKind>('firing', 'firing', 'firing', 'resolved', 'not_an_alert'),
  severity: fc.constantFrom<Severity | null>('low', 'high', null),
  byPerson: fc.boolean(),
});

type Sent = typeof message extends fc.Arbitrary<infer T> ? T : never;

const settings = fc.record({
  mode: fc.constantFrom('automatic' as const, 'automatic' as const, 'suggest' as const),
  people: fc.boolean(),
  minimumSeverity: fc.constantFrom<Severity>('low', 'medium'),
  exclude: fc.constantFrom<string[]>([], ['number 3']),
  budget: fc.record({ issues: fc.integer({ min: 1, max: 4 }), minutes: fc.integer({ min: 1, max: 60 }) }),
});

function seenOf(messages: readonly Sent[]): ChannelMessage[] {
  let at = START;
  return messages.map(({ gap, fingerprint, kind, severity, byPerson }, index) => {
    at += gap;
    return {
      channel: 'C1',
      ts: `${at}.000000`,
      threadTs: null,
      permalink: null,
      alert: anAlert({ fingerprint, kind, severity, title: `number ${index}` }),
      sender: byPerson ? null : 'Alertmanager',
      byPerson,
      edited: false,
      note: null,
    };
  });
}

/** Two storms far apart: the live hold of the second is there when the dry run comes to its first alert. */
const heldTwice = (['a', 'd', 'a', 'c', 'b'] as const).map(
  (fingerprint, index): Sent => ({
    gap: [1, 1, 60, 1_736, 4][index] ?? 1,
    fingerprint,
    kind: 'firing',
    severity: 'low',
    byPerson: false,
  }),
);
const heldTwiceSettings = {
  mode: 'automatic' as const,
  people: false,
  minimumSeverity: 'low' as const,
  exclude: [],
  budget: { issues: 1, minutes: 1 },
};

const short = ({ decision, reason }: { decision: string; reason: string }) => `${decision}: ${reason}`;

it('a dry run decides as live decisions do, before them and after them, and changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 25 }), settings, async (some, steering) => {
      await using d = await deciding();
      await d.settings(steering);
      const messages = seenOf(some);
      const options = { store: d.store, ...d.options };
      const empty = tablesOf(d.file);
      const beforehand = await dryRun(messages, options);
      expect(tablesOf(d.file)).toEqual(empty);

      const live: string[] = [];
      for (const seen of messages) {
        const clock = { ...d.clock, now: () => Number(seen.ts) * 1_000 };
        live.push(short(await considerMessage(seen, { ...options, clock })));
      }
      expect(beforehand.map(short)).toEqual(live);
      const afterwards: DryRow[] = await dryRun(messages, options);
      expect(afterwards.map(short)).toEqual(live);
      expect(afterwards.filter(({ decision, before }) => (decision === 'filed') !== before)).toEqual([]);
    }),
    { numRuns: runs(25), examples: [[heldTwice, heldTwiceSettings]] },
  );
});
