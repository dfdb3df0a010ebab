import { describe, expect, it, onTestFinished } from 'vitest';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { considerMessage } from '../../../src/bot/filing/carry-out.ts';
import { type DryRunDecision, decideInDryRun } from '../../../src/bot/filing/dry-run.ts';
import type { DecisionResult, Occurrence } from '../../../src/bot/filing/occurrence.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { anAlert } from '../../support/an-alert.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { tablesOf } from '../../support/tables-of.ts';

const MINUTE = 60_000;

/** Decides live on what fires, and remembers the messages as the channel's history has them. */
async function history() {
  const d: Deciding = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  const messages: Occurrence[] = [];
  let number = 11;
  return {
    ...d,
    messages,
    /** A message that nobody decided on. */
    unseen: async (alert: Partial<Alert> = {}) => {
      await d.clock.sleep(1_000);
      messages.push(seenAt((d.clock.now() / 1_000).toFixed(6), alert));
    },
    /** One that was decided on as it came; what it filed has its number at once. */
    live: async (alert: Partial<Alert> = {}) => {
      const { ts, issueId, decision } = await d.alert(alert);
      messages.push(seenAt(ts, alert));
      if (decision === 'filed' && issueId !== null) {
        number += 1;
        await d.store.issues.rewrite(issueId, { state: 'created', number, statusBefore: 'investigating' });
      }
      return issueId ?? '';
    },
    resolve: (id: string) =>
      d.store.issues.rewrite(id, { isOpen: false, status: 'resolved', statusSince: d.clock.now() }),
    run: () => decideInDryRun(messages, { store: d.store, ...d.options }),
  };
}

function seenAt(ts: string, alert: Partial<Alert>): Occurrence {
  return {
    channel: 'C1',
    ts,
    threadTs: null,
    permalink: null,
    alert: anAlert(alert),
    sender: 'Alertmanager',
    byPerson: false,
    edited: false,
    note: null,
  };
}

/** `filed new 1`, `repeat of 3f…`: what the rows say, in short. */
function short(rows: DryRunDecision[]): string[] {
  return rows.map(({ decision, before, issue }) => {
    const which = issue === null ? '' : 'nth' in issue ? ` new ${issue.nth}` : ` ${issue.id}`;
    return `${decision}${before ? ' before' : ''}${which}`;
  });
}

const resolved = { kind: 'resolved' } as const;

describe('a dry run over a channel that nobody watched', () => {
  it('says what would be filed, what repeats it, and what recovers it', async () => {
    const h = await history();
    await h.unseen();
    await h.unseen();
    await h.unseen({ title: 'Disk is full', fingerprint: 'disk' });
    await h.unseen(resolved);
    await h.unseen({ kind: 'not_an_alert', fingerprint: null });
    const rows = await h.run();
    expect(short(rows)).toEqual([
      'filed new 1',
      'repeat new 1',
      'filed new 2',
      'recovered new 1',
      'not_an_alert',
    ]);
    expect(rows[0]?.reason).toBe('new_alert');
  });

  it('keeps nothing: every table is as before', async () => {
    const h = await history();
    await h.settings({ onRecovery: 'resolve' });
    await h.live();
    await h.resolve(await h.live({ fingerprint: 'disk' }));
    await h.store.flags.pause({ by: 'U1', at: h.clock.now() });
    for (let n = 0; n < 30; n += 1) await h.unseen({ fingerprint: `other-${n % 14}` });
    await h.unseen(resolved);
    const before = tablesOf(h.file);
    expect(before.issues).toHaveLength(2);
    const rows = await h.run();
    expect(rows).toHaveLength(33);
    expect(tablesOf(h.file)).toEqual(before);
  });

  it('holds what is over the budget, as it would be held live', async () => {
    const h = await history();
    await h.settings({ budget: { issues: 2, minutes: 10 } });
    for (const name of ['a', 'b', 'c']) await h.unseen({ fingerprint: name });
    await h.clock.sleep(11 * MINUTE);
    await h.unseen({ fingerprint: 'd' });
    expect(short(await h.run())).toEqual(['filed new 1', 'filed new 2', 'held', 'filed new 3']);
  });

  it('goes by the time of each message: a problem that comes back late is a new issue', async () => {
    const h = await history();
    await h.settings({ onRecovery: 'resolve', coolDownMinutes: 30 });
    await h.unseen();
    await h.unseen(resolved);
    await h.clock.sleep(10 * MINUTE);
    await h.unseen();
    await h.unseen(resolved);
    await h.clock.sleep(31 * MINUTE);
    await h.unseen();
    const rows = await h.run();
    expect(short(rows)).toEqual([
      'filed new 1',
      'recovered new 1',
      'repeat new 1',
      'recovered new 1',
      'filed new 2',
    ]);
    expect(rows[2]?.reason).toEqual({ code: 'fired_anew', minutes: 10 });
  });

  it('of no messages at all is empty', async () => {
    const h = await history();
    expect(await h.run()).toEqual([]);
  });
});

describe('a dry run over messages that were decided on', () => {
  it('leaves filed what was filed, and decides the rest again', async () => {
    const h = await history();
    const id = await h.live();
    await h.live();
    await h.unseen({ fingerprint: 'disk' });
    expect(short(await h.run())).toEqual([`filed before ${id}`, `repeat ${id}`, 'filed new 1']);
  });

  it('goes by the present settings', async () => {
    const h = await history();
    await h.settings({ minimumSeverity: 'high' });
    await h.live({ severity: 'low', fingerprint: 'quiet' });
    await h.settings({});
    expect(short(await h.run())).toEqual(['filed new 1']);
    await h.settings({ mode: 'suggest' });
    expect(short(await h.run())).toEqual(['ignored']);
  });

  it('sees each issue as it was then: resolved since, it took the repeats of its time', async () => {
    const h = await history();
    const first = await h.live();
    await h.live();
    await h.clock.sleep(5 * MINUTE);
    await h.resolve(first);
    await h.clock.sleep(60 * MINUTE);
    const second = await h.live();
    await h.live();
    expect(short(await h.run())).toEqual([
      `filed before ${first}`,
      `repeat ${first}`,
      `filed before ${second}`,
      `repeat ${second}`,
    ]);
  });

  it('does not count what came later against an earlier message’s budget', async () => {
    const h = await history();
    await h.settings({ budget: { issues: 2, minutes: 10 } });
    await h.unseen({ fingerprint: 'early' });
    for (const name of ['a', 'b']) await h.live({ fingerprint: name });
    expect(short(await h.run())[0]).toBe('filed new 1');
  });

  it('is without a pause', async () => {
    const h = await history();
    await h.store.flags.pause({ by: 'U1', at: h.clock.now() });
    await h.live();
    expect(short(await h.run())).toEqual(['filed new 1']);
  });
});

describe('what a dry run previews', () => {
  it.each([
    ['files automatically', {}],
    ['suggests', { mode: 'suggest' }],
    ['has a small budget', { budget: { issues: 2, minutes: 10 } }],
    ['has a minimum severity, and excludes some', { minimumSeverity: 'high', exclude: ['disk'] }],
  ] as const)('is what happens, in a channel that %s', async (_, settings) => {
    const h = await history();
    await h.settings(ChannelSettings.parse(settings));
    const fingerprints = ['cpu', 'disk', 'memory', 'queue'];
    for (let n = 0; n < 40; n += 1) {
      const fingerprint = fingerprints[(n * 7) % 4] ?? 'cpu';
      const severity = n % 3 === 0 ? 'high' : 'medium';
      const kind = n % 5 === 3 ? 'resolved' : n % 11 === 10 ? 'not_an_alert' : 'firing';
      await h.unseen({ title: fingerprint, fingerprint, severity, kind });
      if (n % 13 === 12) await h.clock.sleep(9 * MINUTE);
    }
    const previewed = await h.run();
    const decided: DecisionResult[] = [];
    for (const seen of h.messages) {
      const clock = { ...h.clock, now: () => Math.floor(Number(seen.ts) * 1_000) };
      const decision = await considerMessage(seen, { store: h.store, ...h.options, clock });
      decided.push(decision);
      // Each is investigated at once.
      const ended = { state: 'created', uuid: `uuid-${decision.issueId}`, endedVersion: 1 } as const;
      if (decision.decision === 'filed') await h.store.issues.rewrite(decision.issueId ?? '', ended);
    }
    const brief = ({ decision, reason }: Pick<DryRunDecision, 'decision' | 'reason'>) => ({
      decision,
      reason,
    });
    expect(previewed.map(brief)).toEqual(decided.map(brief));
  });
});
