import { describe, expect, it } from 'vitest';
import { tablesOf } from '../../../../support/tables-of.ts';
import { BOT } from '../../support/deps.ts';
import { pickingShortcuts, TOOLS_ALERT } from '../../support/shortcuts.ts';

const WATCHED = { id: 'C0WATCHED', name: 'watched' };

async function asking() {
  const p = await pickingShortcuts();
  return {
    ...p,
    live: (more: object = {}) =>
      p.event({ ...TOOLS_ALERT, channel: WATCHED.id, subtype: 'bot_message', ...more }),
    why: async (message: object = TOOLS_ALERT, more: Record<string, unknown> = { channel: WATCHED }) => {
      await p.pick('why_filed', message, more);
      return JSON.stringify(p.opened().at(-1)?.blocks ?? null);
    },
  };
}

describe('Why was this (not) filed?', () => {
  it('of a filed alert: tool, sender, decision, reason, issue, fields, fingerprint', async () => {
    const a = await asking();
    await a.live();
    const [issue] = await a.store.issues.pending(a.clock.now(), 9);
    await a.store.issues.rewrite(issue?.id ?? '', { state: 'created', number: 12 });
    const shown = await a.why();
    expect(shown).toContain('*✅ Filed* · ');
    expect(shown).toContain('a new alert');
    expect(shown).toContain('|#12> ');
    expect(shown).toContain('Posted by Tool, read as ');
    expect(shown).toContain('disk is full');
    const row = await a.store.alerts.find(WATCHED.id, '10.000000');
    expect(shown).toContain(`Fingerprint \`${row?.fingerprint}\``);
    expect(shown).toContain(`tracked as \`${row?.identity}\``);
  });

  it('of one that a rule left out names the rule', async () => {
    const a = await asking();
    const { settings } = await a.store.channels.get(WATCHED.id);
    await a.store.channels.watch(WATCHED.id, { ...settings, exclude: ['disk <b>'] }, '1.0');
    await a.live({ text: '[FIRING:1] disk <b> is full' });
    const shown = await a.why();
    expect(shown).toContain('⏭️ Not filed');
    expect(shown).toContain('the channel excludes alerts matching “disk &lt;b&gt;”');
  });

  it('of one that was held says what holds it', async () => {
    const a = await asking();
    await a.store.flags.pause({ by: 'U1', at: 0 });
    await a.live();
    const shown = await a.why();
    expect(shown).toContain('✋ On hold');
    expect(shown).toContain('held: filing is paused');
    expect(shown).toContain('*Held*');
  });

  it('in a channel that is not watched says so, and what would be decided, and keeps nothing', async () => {
    const a = await asking();
    const before = await a.store.channels.get('C0OTHER');
    const shown = await a.why(TOOLS_ALERT, { channel: { id: 'C0OTHER', name: 'other' } });
    expect(shown).toContain('*Not processed*\\nthis channel is not watched');
    expect(shown).toContain('*If it came now: ✅ Filed*');
    expect(await a.store.channels.get('C0OTHER')).toEqual(before);
    expect(await a.store.alerts.find('C0OTHER', '10.000000')).toBeNull();
    expect(await a.store.issues.pending(a.clock.now(), 9)).toEqual([]);
    expect(a.woken).toEqual([]);
  });

  it('of a message older than the watch says that', async () => {
    const a = await asking();
    await a.live();
    const shown = await a.why({ ...TOOLS_ALERT, ts: '9.000000' });
    expect(shown).toContain('it was posted before this channel was watched');
    expect(shown).toContain('*If it came now: 🔁 Repeat*');
    expect(shown).toContain('|#…> disk is full · ⏳ Filing');
  });

  it('of a person’s reply in a thread says that it never is', async () => {
    const a = await asking();
    const shown = await a.why({
      type: 'message',
      ts: '12.000000',
      thread_ts: '10.000000',
      user: 'U2',
      text: 'on it',
    });
    expect(shown).toContain('a person’s reply in a thread is never read as an alert');
    expect(shown).not.toContain('Were it decided now');
    expect(shown).toContain('Posted by a person');
  });

  it('of a message of ours says that it is ours', async () => {
    const a = await asking();
    expect(await a.why({ ...TOOLS_ALERT, bot_id: BOT.botId })).toContain('That is one of my own messages.');
  });

  it('of an endless alert full of marks stays within a modal', async () => {
    const a = await asking();
    await a.live({ text: `[FIRING:1] ${'<!channel> & *x* '.repeat(2000)}` });
    const shown = await a.why();
    expect(shown.length).toBeLessThan(10_000);
    expect(shown).not.toContain('<!channel>');
  });
});

it('the explanation changes no table', async () => {
  const a = await asking();
  await a.live();
  const before = tablesOf(a.file);
  await a.why({ ...TOOLS_ALERT, ts: '11.000000' });
  expect(tablesOf(a.file)).toEqual(before);
});
