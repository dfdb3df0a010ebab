import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { decide } from '../../../src/bot/filing/decide.ts';
import type { Facts, NewAlert } from '../../../src/bot/filing/facts.ts';
import type { EarlierReport, ReportFacts } from '../../../src/bot/filing/report-facts.ts';
import { readSettings } from '../../../src/bot/store/channel-settings.ts';
import { received } from '../webhooks/support.ts';

const NOW = Date.parse('2026-03-17T12:00:00.000Z');
const TS = '1773748800.000123456';

const NEW: NewAlert = {
  kind: 'new',
  heldIn: null,
  paused: false,
  plan: null,
  resolved: null,
  offered: { before: null, inMinute: 0 },
  counts: { problemsInMinute: 0, filedInWindow: 0, filedInDay: 0 },
  isStorming: false,
};

/** A report of a new alert in a channel with room; `of`: about the alert itself. */
function facts(more: Partial<Facts> = {}, report: Partial<ReportFacts> = {}, of: Partial<Alert> = {}): Facts {
  const { alert } = received(of);
  return {
    seen: {
      ...{ channel: 'C0AAAAAAA', ts: TS, threadTs: null, permalink: null, alert, sender: 'The Tool' },
      ...{ byPerson: false, edited: false, note: null },
    },
    settings: readSettings('{}'),
    maxIssuesPerDay: 500,
    now: NOW,
    needsConsent: false,
    earlier: null,
    identity: {
      environment: 'production',
      severity: of.severity ?? 'medium',
      identity: 'w@production',
      ownIdentity: 'w@production',
      detail: '',
    },
    asNear: null,
    recoveredAt: null,
    report: {
      channel: 'C0AAAAAAA',
      delivery: { firing: 1, own: 0, hasConsent: () => true },
      groupResolved: alert.kind === 'resolved',
      joined: null,
      history: [],
      shown: null,
      aliases: [],
      unposted: 0,
      ...report,
    },
    about: NEW,
    ...more,
  };
}

function earlier(of: Partial<Alert>, more: Partial<EarlierReport> = {}): EarlierReport {
  return {
    id: 'w0:0',
    state: 'noted',
    channel: null,
    ts: null,
    overAt: null,
    receivedAt: NOW,
    reading: received(of),
    ...more,
  };
}

const crowded: NewAlert = { ...NEW, counts: { ...NEW.counts, problemsInMinute: 10 } };

describe('what becomes of a report', () => {
  it('that is new: an issue, and a message of its own, with which the messages of the tool’s own app count', () => {
    const free = { identity: 'group@production', alone: false, open: null, isFree: true };
    expect(decide(facts({}, { aliases: [free] }))).toEqual({
      decision: 'filed',
      reason: 'new_alert',
      issueId: null,
      action: { kind: 'file', eyes: true },
      recoveredAt: null,
      isRecorded: true,
      offerToAuthor: false,
      receipt: {
        outcome: 'posting',
        state: 'decided',
        identity: 'w@production',
        overAt: null,
        effects: [{ kind: 'join', identity: 'group@production', target: 'w@production' }],
        isPosted: true,
      },
    });
  });

  it('that is new in a storm: it is held without a message, unless it is severe', () => {
    expect(decide(facts({ about: crowded }))).toMatchObject({
      decision: 'held',
      action: { kind: 'hold', by: 'storm' },
      isRecorded: true,
      receipt: { outcome: 'held', state: 'decided', isPosted: false },
    });
    expect(decide(facts({ about: crowded }, {}, { severity: 'high' }))).toMatchObject({
      decision: 'held',
      action: { kind: 'hold', by: 'storm' },
      receipt: { outcome: 'posting', isPosted: true },
    });
  });

  it('that is new while as many messages as make a storm are still to be posted: it is held without one', () => {
    expect(decide(facts({}, { unposted: 10 })).receipt).toMatchObject({ outcome: 'held', isPosted: false });
  });

  it('of a channel whose members have not agreed to issues: it gets a message, and waits', () => {
    expect(decide(facts({ needsConsent: true, about: crowded }))).toMatchObject({
      action: { kind: 'none' },
      isRecorded: false,
      receipt: { outcome: 'posting', state: 'waiting', isPosted: true },
    });
  });

  it('that no route covers: it waits for one, once', () => {
    const about = { kind: 'nothing' } as const;
    expect(decide(facts({ about }, { channel: null })).receipt).toMatchObject({
      outcome: 'unrouted',
      state: 'waiting',
      isPosted: false,
    });
    for (const state of ['waiting', 'unrouted'] as const) {
      const history = [earlier({ triggeredAt: null }, { state })];
      const again = decide(facts({ about }, { channel: null, history }));
      expect(again.receipt).toMatchObject({ outcome: 'counted', state: 'noted' });
      const over = decide(facts({ about }, { channel: null, history }, { kind: 'resolved' }));
      expect(over.receipt?.effects).toEqual([{ kind: 'settle', id: 'w0:0' }]);
    }
  });

  it('that is sent again at another severity: its message says so', () => {
    const history = [earlier({ severity: 'low' }, { ts: '1.2', state: 'decided' })];
    const again = decide(
      facts({}, { shown: { id: 'w0:0', hadIssue: false }, history }, { severity: 'high' }),
    );
    expect(again).toMatchObject({
      isRecorded: false,
      receipt: {
        outcome: 'known',
        isPosted: false,
        effects: [{ kind: 'fires_again', id: 'w0:0', reading: { alert: { severity: 'high' } } }],
      },
    });
  });

  it('that recovers and may be of several: none of them is over', () => {
    expect(decide(facts({ asNear: 2 }, {}, { kind: 'resolved' }))).toMatchObject({
      action: { kind: 'none' },
      isRecorded: false,
      receipt: {
        outcome: 'ambiguous',
        state: 'noted',
        identity: 'w@production',
        overAt: NOW,
        effects: [],
        isPosted: false,
      },
    });
  });
});
