import { describe, expect, it } from 'vitest';
import { fileHeld } from '../../../../src/bot/filing/held.ts';
import { heldIntent } from '../../../../src/bot/store/intents/issue-intents.ts';
import { type Deciding, deciding } from '../../../support/deciding.ts';
import { addCreated } from '../../../support/issues.ts';
import { messagesOf } from '../support/messages-of.ts';

const permalink = (channel: string, ts: string) =>
  `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`;

/** The words of a hold's message as it would be sent now; `null` where there is nothing to say. */
async function wordsOf(d: Deciding, hold: string): Promise<string | null> {
  const contentOf = messagesOf({
    store: d.store,
    clock: d.clock,
    permalink,
    maxIssuesPerDay: d.options.maxIssuesPerDay,
  });
  await d.store.outbox.want(heldIntent(hold, 'C1', d.clock.now()));
  const row = await d.store.outbox.get(`held:${hold}`);
  const content = row && (await contentOf(row));
  if (content?.kind !== 'messages') return null;
  expect(content).toMatchObject({ channel: 'C1', threadTs: null });
  return JSON.stringify(content.parts[0]?.blocks);
}

const disk = { fingerprint: 'disk', title: 'Disk is full', service: 'cart' };

describe('the message of a hold', () => {
  it('calls each tool as people do, and where its format knows none, as it signs itself', async () => {
    await using d = await deciding({ maxIssuesPerDay: 0 });
    await d.alert({ ...disk, format: 'uptime-kuma' });
    const { holdId = '' } = await d.alert(
      { fingerprint: 'cpu', format: 'generic', service: null },
      { sender: 'Night watch' },
    );
    const words = await wordsOf(d, holdId);
    expect(words).toContain('• *cart* · Uptime Kuma: 1 alert');
    expect(words).toContain('• _no service_ · Night watch: 1 alert');
  });

  it('says when the day has room again, while it has none', async () => {
    await using d = await deciding({ maxIssuesPerDay: 1 });
    await d.alert({ fingerprint: 'first' });
    const { holdId = '' } = await d.alert(disk);
    expect(await wordsOf(d, holdId)).toContain('the next slot frees up <!date^');
    await d.clock.sleep(24 * 3_600_000);
    expect(await wordsOf(d, holdId)).not.toContain('the next slot frees up');
  });

  it('links to an issue of this channel, and only names one that lives in another', async () => {
    await using d = await deciding({ maxIssuesPerDay: 0 });
    const { holdId = '', ts } = await d.alert(disk);
    await d.alert({ fingerprint: 'cpu', title: 'CPU is high' });
    await addCreated(d.store, d.clock.now(), {
      id: 'other',
      identity: 'cpu@production',
      channel: 'C0SECRET',
      number: 7,
    });
    const hold = await d.store.holds.get(holdId);
    if (hold) await fileHeld(hold, 'all', 'U1', { ...d.options, store: d.store, permalink });
    const words = await wordsOf(d, holdId);
    expect(words).toContain(`• <${permalink('C1', ts)}|being filed> Disk is full (1 alert)`);
    expect(words).toContain('• #7 CPU is high (1 alert)');
    expect(words).not.toContain('C0SECRET');
  });

  it('of a hold that is gone says nothing', async () => {
    await using d = await deciding();
    expect(await wordsOf(d, 'unknown')).toBeNull();
  });
});
