import { describe, expect, it } from 'vitest';
import { addCreated, uuidOf } from '../../../../support/issues.ts';
import { listening, responseAddress } from '../../support/listening.ts';

const START = Date.parse('2026-11-20T08:00:00Z');

async function world() {
  const l = await listening();
  const { url, sent, blocks } = await responseAddress();
  l.slack.answers('conversations.info', { channel: { id: 'C1', is_member: true, is_private: true } });
  await l.store.channels.learn('C1', true);
  return {
    ...l,
    sent,
    /** Each answer’s lines, with moments as their clock times. */
    lines: () =>
      blocks.map((json) =>
        JSON.parse(json)
          .flatMap((block: { text?: { text: string }; elements?: { text: string }[] }) => [
            ...(block.text ? [block.text.text] : []),
            ...(block.elements ?? []).map(({ text }) => text),
          ])
          .join('\n')
          .replace(/<!date[^>]*(\d\d:\d\d) UTC>/gu, '$1')
          .split('\n'),
      ),
    audit: (words = '', more: Record<string, string> = {}) =>
      l.give({
        command: '/gumshoe',
        text: `audit ${words}`,
        team_id: 'T1',
        channel_id: 'C1',
        user_id: 'U1',
        trigger_id: '1.2.3',
        response_url: url,
        ...more,
      }),
    did: (minute: number, who: string, what: string) =>
      l.store.audit.add({ at: START + minute * 60_000, who, what, issueId: 'issue-1' }),
  };
}

describe('/gumshoe audit', () => {
  it('tells an issue’s history: when, who, what, the newest last, to the asker only', async () => {
    const w = await world();
    await addCreated(w.store, START, { number: 12, source: 'alertmanager' });
    await w.did(2, 'U2', 'resolved it');
    await w.did(1, 'U1', 'muted it <!here>');
    await w.audit('#12');
    expect(w.sent).toMatchObject([{ response_type: 'ephemeral' }]);
    expect(w.lines()).toEqual([
      [
        '*History of <https://acme.slack.com/archives/C1/p10|#12> CPU is high · 🔍 Investigating*',
        '• 08:00 · filed automatically from Alertmanager’s alert',
        '• 08:01 · <@U1> muted it &lt;!here&gt;',
        '• 08:02 · <@U2> resolved it',
        '3 entries',
      ],
    ]);
  });

  it('begins with whoever filed it', async () => {
    const w = await world();
    await addCreated(w.store, START, { number: 12, requestedBy: 'U3' });
    await w.audit('12');
    await w.did(0, 'U3', 'filed it');
    await w.audit('12');
    expect(w.lines().map((lines) => lines.slice(1))).toEqual([
      ['• 08:00 · <@U3> filed it', '1 entry'],
      ['• 08:00 · <@U3> filed it', '1 entry'],
    ]);
  });

  it('of a long history shows the newest, and says how many are older', async () => {
    const w = await world();
    await addCreated(w.store, START, { number: 12 });
    for (let minute = 1; minute <= 55; minute += 1) await w.did(minute, 'U1', `act ${minute}`);
    await w.audit('12');
    const [lines = []] = w.lines();
    expect([lines[1], lines[2], lines.at(-2), lines.at(-1)]).toEqual([
      '… and 5 older',
      '• 08:06 · <@U1> act 6',
      '• 08:55 · <@U1> act 55',
      '55 entries',
    ]);
  });

  it('says so where there is no such issue, and how it goes', async () => {
    const w = await world();
    await w.audit('12');
    await w.audit('twelve');
    expect(w.lines()).toEqual([
      ['I have no history for #12: it was not filed through me, or is still being filed.'],
      [expect.stringMatching(/^For an issue’s history, add its number: `\/gumshoe audit 12`/)],
    ]);
  });

  it('alone tells who changed the channel’s settings, and nothing of other channels', async () => {
    const w = await world();
    await w.audit();
    const line = { at: START, who: 'U1', issueId: null };
    await w.store.audit.add({ ...line, what: 'had C1 watched', channel: 'C1' });
    await w.store.audit.add({ ...line, what: 'changed the settings of C2: include: “C1”', channel: 'C2' });
    await w.store.audit.add({ ...line, what: 'paused filing' });
    await w.audit();
    await w.audit('', { channel_id: 'D1' });
    expect(w.lines()).toEqual([
      ['*Changes to Gumshoe’s settings in <#C1>*', 'No changes yet.'],
      ['*Changes to Gumshoe’s settings in <#C1>*', '• 08:00 · <@U1> had C1 watched', '1 entry'],
      [expect.stringMatching(/^That only works in channels/)],
    ]);
  });

  describe('of a number that only a private issue has here', () => {
    const guess = 'Did you mean #P2?';
    const privateIssue = (w: Awaited<ReturnType<typeof world>>, channel: string) =>
      addCreated(w.store, START, { id: 'p2', number: 2, channel, organization: 'private' });

    it('asks whether that one is meant, in its channel', async () => {
      const w = await world();
      await privateIssue(w, 'C1');
      await w.audit('2');
      expect(w.sent.at(-1)?.text).toBe(
        `I have no history for #2: it was not filed through me, or is still being filed. ${guess}`,
      );
      await w.audit('P2');
      expect(w.lines().at(-1)?.[0]).toContain('#P2> CPU is high');
    });

    it('asks the same where the number itself is another channel’s', async () => {
      const w = await world();
      await w.store.channels.learn('C0OTHER', true);
      await privateIssue(w, 'C1');
      await addCreated(w.store, START, {
        id: 'two',
        identity: 'two',
        number: 2,
        uuid: uuidOf(102),
        channel: 'C0OTHER',
      });
      await w.audit('2');
      expect(w.sent.at(-1)?.text).toBe(
        `#2 belongs to a private channel; its history is only shown there. ${guess}`,
      );
    });

    it('says nothing of it elsewhere', async () => {
      const w = await world();
      await w.store.channels.learn('C0OTHER', true);
      await privateIssue(w, 'C0OTHER');
      await w.audit('2');
      expect(w.sent.at(-1)?.text).toBe(
        'I have no history for #2: it was not filed through me, or is still being filed.',
      );
    });
  });
});
