import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { readSettings } from '../../../src/bot/store/channel-settings.ts';
import { decide } from '../../../src/bot/webhooks/decide.ts';
import type { EarlierAlert, ReceivedFacts } from '../../../src/bot/webhooks/facts.ts';
import { received } from './support.ts';

const NOW = Date.parse('2026-03-17T12:00:00.000Z');
const HOUR_MS = 60 * 60_000;
const ROUTE = { text: '*->C0AAAAAAA', source: '*', labels: {}, channel: 'C0AAAAAAA' };

/** A new alert in a channel with room; `of`: about the alert itself. */
function facts(more: Partial<ReceivedFacts> = {}, of: Partial<Alert> = {}): ReceivedFacts {
  return {
    received: {
      id: 'w1:0',
      source: 'tool',
      tool: 'The Tool',
      reading: received(of),
      at: NOW,
      delivery: { firing: 1, own: 0, mayHold: () => true },
    },
    now: NOW,
    route: ROUTE,
    settings: readSettings('{}'),
    maxIssuesPerDay: 500,
    joined: null,
    identity: {
      environment: 'production',
      severity: of.severity ?? 'medium',
      identity: 'w@production',
      ownIdentity: 'w@production',
      detail: '',
    },
    isAmbiguous: false,
    history: [],
    shown: null,
    open: null,
    aliases: [],
    fresh: { counts: { problemsInMinute: 0, filedInWindow: 0, filedInDay: 0 }, undecided: 0, ts: '1.2' },
    comesBack: false,
    unfiled: null,
    ...more,
  };
}

function earlier(of: Partial<Alert>, more: Partial<EarlierAlert> = {}): EarlierAlert {
  return {
    id: 'w0:0',
    state: 'noted',
    ts: null,
    overAt: null,
    receivedAt: NOW,
    reading: received(of),
    ...more,
  };
}

const crowded = {
  counts: { problemsInMinute: 10, filedInWindow: 0, filedInDay: 0 },
  undecided: 0,
  ts: '1.2',
};

describe('what becomes of a received alert', () => {
  it('that is new: a message of its own, with which the messages of the tool’s own app count', () => {
    const free = { identity: 'group@production', alone: false, open: null, isFree: true };
    expect(decide(facts({ aliases: [free] }))).toEqual({
      outcome: 'posting',
      stored: { identity: 'w@production', state: 'posting', channel: 'C0AAAAAAA', overAt: null },
      actions: [
        { kind: 'join', identity: 'group@production', target: 'w@production' },
        { kind: 'post', channel: 'C0AAAAAAA' },
      ],
    });
  });

  it('that is new in a storm: it is held, unless it is severe', () => {
    expect(decide(facts({ fresh: crowded }))).toMatchObject({
      outcome: 'held',
      stored: { state: 'decided', ts: '1.2' },
      actions: [{ kind: 'hold', by: 'storm', isOver: false }],
    });
    expect(decide(facts({ fresh: crowded }, { severity: 'high' })).outcome).toBe('posting');
  });

  it('whose recovery arrived first: it is over, if the recovery is of this firing and not older than an hour', () => {
    const overAt = (history: EarlierAlert[]) => decide(facts({ history })).stored.overAt;
    const recovery = { kind: 'resolved' } as const;
    expect(overAt([earlier(recovery)])).toBe(NOW);
    expect(overAt([earlier({ ...recovery, triggeredAt: '2026-03-17T11:00:00.000Z' })])).toBeNull();
    expect(overAt([earlier(recovery, { receivedAt: NOW - HOUR_MS - 1 })])).toBeNull();
  });

  it('that is sent again at another severity: its message says so', () => {
    const again = decide(
      facts(
        {
          shown: { id: 'w0:0', hadIssue: false },
          history: [earlier({ severity: 'low' }, { ts: '1.2', state: 'decided' })],
        },
        { severity: 'high' },
      ),
    );
    expect(again).toMatchObject({
      outcome: 'known',
      actions: [{ kind: 'fires_again', id: 'w0:0', reading: { alert: { severity: 'high' } } }],
    });
  });

  it('that recovers and may be of several: none of them is over', () => {
    expect(decide(facts({ isAmbiguous: true }, { kind: 'resolved' }))).toEqual({
      outcome: 'ambiguous',
      stored: { identity: 'w@production', state: 'noted', overAt: NOW },
      actions: [],
    });
  });
});
