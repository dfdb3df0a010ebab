import { describe, expect, it, onTestFinished } from 'vitest';
import type { DecidedAlert } from '../../../../src/bot/store/alerts.ts';
import { digestIntent, digestNowIntent } from '../../../../src/bot/store/intents/channel-intents.ts';
import { addCreated } from '../../../support/issues.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { messagesOf } from '../support/messages-of.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-20T09:00:00Z');
const SINCE = NOW - 7 * 24 * HOUR;

async function world() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  let now = NOW;
  const contentOf = messagesOf({
    store,
    clock: { now: () => now, sleep: async () => undefined },
  });
  return {
    store,
    /** Issue `number` of a channel, filed so many hours ago. */
    issue: async (number: number, hoursAgo: number, change: { channel?: string; status?: string } = {}) => {
      const { channel = 'C1', status = 'ready_to_fix' } = change;
      const id = `issue-${number}`;
      await addCreated(store, NOW - hoursAgo * HOUR, {
        id,
        identity: `${id}@production`,
        number,
        title: `Title ${number} of ${channel}`,
        channel,
        status,
        threadTs: `${number}.0`,
      });
      return id;
    },
    repeats: async (issueId: string, channel: string, times: number) => {
      for (let n = 0; n < times; n += 1)
        await store.alerts.record(repeat(issueId, channel, `${issueId}-${n}`));
    },
    words: async (
      more: {
        due?: number | null;
        by?: string | null;
        asked?: number;
        at?: number;
        sending?: boolean;
        hygiene?: boolean;
      } = {},
    ) => {
      const { due = NOW, by = null, asked = NOW, at = asked, hygiene = false } = more;
      const intent =
        by === null
          ? digestIntent('C1', { since: SINCE, until: asked, due: due ?? NOW, by, hygiene })
          : digestNowIntent('C1', 'press', { since: SINCE, until: asked, by });
      await store.outbox.want(intent);
      if (more.sending) await store.outbox.sending(intent.key, 0);
      now = at;
      const row = await store.outbox.get(intent.key);
      const content = row && (await contentOf(row));
      if (content?.kind !== 'messages') throw new Error('a digest always has something to say');
      expect(content).toMatchObject({ channel: 'C1', threadTs: null });
      return `${content.parts[0]?.text}\n${JSON.stringify(content.parts[0]?.blocks)}`;
    },
  };
}

function repeat(issueId: string, channel: string, ts: string): DecidedAlert {
  return {
    channel,
    ts,
    decision: 'repeat',
    reason: 'it fired again',
    kind: 'firing',
    format: 'alertmanager',
    fingerprint: 'f',
    issueId: issueId,
    alert: '{}',
    decidedAt: NOW - HOUR,
    identity: 'f@production',
    detail: null,
    threadTs: null,
    sender: 'Tool',
    holdId: null,
    outcome: null,
  };
}

describe('a digest', () => {
  it('counts what is open, new and resolved, and links to the cards', async () => {
    const w = await world();
    await w.issue(1, 24 * 10, { status: 'muted' });
    await w.issue(2, 5);
    const third = await w.issue(3, 4);
    await w.store.issues.rewrite(third, { status: 'resolved', isOpen: false, statusSince: NOW - 2 * HOUR });
    const words = await w.words();
    expect(words).toMatch(/^Digest: 2 open, 2 new, 1 resolved\n/);
    expect(words).toContain('*New*\\n• <https://acme.slack.com/archives/C1/p30|#3> Title 3 of C1\\n•');
    expect(words).toContain('*Resolved* 1\\nmedian 2 h');
    expect(words).not.toContain('*Stuck*');
  });

  it('tells of this channel’s issues alone', async () => {
    const w = await world();
    const here = await w.issue(1, 5);
    const there = await w.issue(2, 5, { channel: 'C0SECRET' });
    await w.repeats(here, 'C1', 2);
    await w.repeats(here, 'C0SECRET', 5);
    await w.repeats(there, 'C1', 9);
    await w.store.votes.cast({ subject: 'result:x:1', who: 'U1', value: -1, channel: 'C0SECRET', at: NOW });
    await w.store.votes.cast({ subject: 'result:y:1', who: 'U1', value: 1, channel: 'C1', at: NOW });
    const words = await w.words();
    expect(words).toMatch(/^Digest: 1 open, 1 new, 0 resolved\n/);
    expect(words).not.toContain('C0SECRET');
    expect(words).toContain('*Noisiest*\\n• <https://acme.slack.com/archives/C1/p10|#1>');
    expect(words).toContain('Title 1 of C1 · 2 times');
    expect(words).toContain('👍 1 · 👎 0');
  });

  it('leaves out what was filed or resolved before, what was deleted, and what was attached to another', async () => {
    const w = await world();
    const old = await w.issue(1, 24 * 20);
    await w.store.issues.rewrite(old, { status: 'resolved', isOpen: false, statusSince: SINCE });
    const gone = await w.issue(2, 5);
    await w.store.issues.rewrite(gone, { state: 'gone' });
    const attached = await w.issue(3, 5);
    await w.store.issues.rewrite(attached, { joinedInto: gone });
    expect(await w.words()).toContain('All quiet');
  });

  it('names what is stuck, and why', async () => {
    const w = await world();
    await w.issue(1, 24 * 5);
    await w.issue(2, 1, { status: 'investigating' });
    const words = await w.words();
    expect(words).toMatch(
      /\*Stuck\*.*#1> Title 1 of C1 · open since .*#2> Title 2 of C1 · investigating since/,
    );
  });

  it('says that it is late where it is', async () => {
    const w = await world();
    expect(await w.words({ at: NOW + 60_000 })).not.toContain('comes late');
    expect(await w.words({ at: NOW + HOUR })).toContain('Late: it was due <!date^1795165200^');
  });

  it('that may stand in Slack already is not called late only because that is looked up later', async () => {
    const w = await world();
    expect(await w.words({ at: NOW + HOUR, sending: true })).not.toContain('comes late');
  });

  it('that was asked for late is called late, although at first each is looked for in Slack', async () => {
    const w = await world();
    const words = await w.words({ asked: NOW + HOUR, sending: true });
    expect(words).toContain('Late: it was due <!date^1795165200^');
  });

  it('says which alerts of its channel nobody needed only where that is due', async () => {
    const w = await world();
    await w.repeats(await w.issue(1, 5), 'C1', 2);
    await w.repeats(await w.issue(2, 5, { channel: 'C0SECRET' }), 'C0SECRET', 9);
    expect(await w.words()).not.toContain('hygiene');
    const words = await w.words({ due: NOW + 1, hygiene: true });
    expect(words).toContain('*Alert hygiene*, the last 14 days\\n• *Title 1 of C1* fired 2 times, 1 issue');
    expect(words).not.toContain('C0SECRET');
  });

  it('that somebody asked for names them', async () => {
    const w = await world();
    const words = await w.words({ due: null, by: 'U1', at: NOW + HOUR });
    expect(words).toContain('Requested by <@U1>');
    expect(words).not.toContain('comes late');
  });
});
