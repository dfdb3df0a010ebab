import { describe, expect, it, onTestFinished } from 'vitest';
import type { Content } from '../../../../src/bot/slack/delivery/content.ts';
import { endedIntent } from '../../../../src/bot/store/intents/issue-intents.ts';
import { type OutboxKey, shortCardKey, verdictKey } from '../../../../src/bot/store/intents/keys.ts';
import { deciding } from '../../../support/deciding.ts';
import { messagesOf } from '../support/messages-of.ts';

const HOME = 'C0PRIVATE1';
const SECOND = 'C0SECOND01';
/** What the private channel's people and tools said, and where. */
const HIDDEN = /zebra|C0PRIVATE1|U0PRIVATE|acme\.slack\.com\/archives\/C0PRIVATE1/iu;

const RESULTS = {
  rootCause: {
    rootCauseSummary:
      'Zebra pool on fire: the pool is full, see https://acme.slack.com/archives/C0PRIVATE1/p1 and <#C0PRIVATE1|zebra-room>.',
    incidentOverview: 'The alert “Zebra pool on fire” in #zebra-room fired.',
  },
  causalTreeV2: { nodes: [{ id: 'a', nodeType: 'cause', title: 'Zebra', confidence: 'high' }], edges: [] },
};

/** An issue of HOME that has everything that could be let out, with its alert in SECOND too. */
async function inTwoChannels(isPrivate: boolean) {
  const d = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  await d.store.channels.learn(HOME, isPrivate);
  await d.store.channels.learn(SECOND, false);
  const home = await d.alert({ title: 'Zebra pool on fire', description: 'zebra' }, { channel: HOME });
  const issueId = home.issueId ?? '';
  const second = await d.alert({ title: 'Pool on fire' }, { channel: SECOND });
  await d.alert({ kind: 'not_an_alert' }, { channel: HOME, note: 'Zebra keeper acknowledged' });
  const at = d.clock.now();
  await d.store.issues.rewrite(issueId, {
    state: 'created',
    number: 12,
    status: 'ready_to_fix',
    endedVersion: 1,
    requestedBy: 'U0PRIVATE',
    lastAction: JSON.stringify({ userId: 'U0PRIVATE', what: 'called it zebra', at }),
  });
  await d.store.results.save(issueId, 1, JSON.stringify(RESULTS), at);
  await d.store.outbox.wantVerdicts(issueId, 1, at);
  const contentOf = messagesOf({
    ...d.options,
    store: d.store,
  });
  const of = async (key: OutboxKey): Promise<Content> => {
    const row = await d.store.outbox.get(key);
    if (row === null) throw new Error(`nothing was wanted under ${key}`);
    return contentOf(row);
  };
  const card = shortCardKey(issueId, { channel: SECOND, ts: second.ts });
  await d.store.outbox.recordSent(card, '[{"ts":"9.000000","hash":""}]');
  return { d, of, issueId, home, second, card, verdict: verdictKey(card, 1) };
}

describe('in a second channel', () => {
  it('the card and the verdict of a public channel’s issue say where everything is', async () => {
    const t = await inTwoChannels(false);
    const card = JSON.stringify(await t.of(t.card));
    expect(card).toContain('*#12 Pool on fire*');
    expect(card).toContain(`<#${HOME}>`);
    expect(card).toContain('Zebra keeper acknowledged');
    expect(card).toContain('<@U0PRIVATE> called it zebra');
    const verdict = await t.of(t.verdict);
    expect(verdict).toMatchObject({ channel: SECOND, threadTs: t.second.ts, broadcast: false });
    expect(JSON.stringify(verdict)).toContain('What happened');
    expect(JSON.stringify(verdict)).toContain(`Full results> in <#${HOME}>`);
  });

  it('of a private channel’s issue they say nothing that was said there', async () => {
    const t = await inTwoChannels(true);
    const card = JSON.stringify(await t.of(t.card));
    expect(card).toContain('*#12 Pool on fire*');
    expect(card).toContain('This alert belongs to issue #12 in a private channel');
    expect(card).not.toMatch(HIDDEN);
    const verdict = JSON.stringify(await t.of(t.verdict));
    expect(verdict).toContain('the pool is full');
    expect(verdict).toContain('confidence high');
    // The overview tells of the alert as that channel reported it.
    expect(verdict).not.toContain('What happened');
    expect(verdict).not.toMatch(HIDDEN);
  });

  it('a private channel’s tool is not quoted on the card of a public channel’s issue', async () => {
    const t = await inTwoChannels(false);
    await t.d.store.channels.learn(SECOND, true);
    const noted = (text: string) => t.d.alert({ kind: 'not_an_alert' }, { channel: SECOND, note: text });
    await noted('Acknowledged by the giraffe');
    expect(JSON.stringify(await t.of(`card:${t.issueId}`))).not.toMatch(/giraffe/);
    expect(JSON.stringify(await t.of(t.card))).toMatch(/giraffe/);
    await t.d.store.channels.learn(SECOND, false);
    expect(JSON.stringify(await t.of(`card:${t.issueId}`))).toMatch(/giraffe/);
  });

  it('the verdict follows the card, however they fall due', async () => {
    const t = await inTwoChannels(false);
    await t.d.store.outbox.recordSent(t.card, '[]');
    expect(await t.of(t.verdict)).toEqual({ kind: 'later' });
    await t.d.store.outbox.recordSent(t.card, '[{"ts":"9.000000","hash":""}]');
    expect(await t.of(t.verdict)).toMatchObject({ kind: 'messages' });
  });

  it('the verdict is shown in the channel too where that channel says so', async () => {
    const t = await inTwoChannels(false);
    await t.d.settings({ broadcast: true }, SECOND);
    expect(await t.of(t.verdict)).toMatchObject({ broadcast: true });
  });

  it('an end without results is told, and one that failed', async () => {
    const t = await inTwoChannels(false);
    await t.d.store.outbox.wantVerdicts(t.issueId, 2, t.d.clock.now());
    const verdict = verdictKey(t.card, 2);
    expect(await t.of(verdict)).toMatchObject({
      parts: [{ text: 'The investigation of #12, version 2 ended without results.' }],
    });
    await t.d.store.outbox.want(
      endedIntent(
        { id: t.issueId, channel: HOME, threadTs: t.home.ts },
        2,
        { notice: 'failed' },
        t.d.clock.now(),
      ),
    );
    expect(await t.of(verdict)).toMatchObject({
      parts: [{ text: 'The investigation of #12, version 2 failed.' }],
    });
  });

  it('a message that was told apart has no verdict any more, and its card says where it belongs', async () => {
    const t = await inTwoChannels(false);
    const row = await t.d.store.alerts.find(SECOND, t.second.ts);
    const { id: _id, ...decided } = row ?? Object(null);
    await t.d.store.alerts.record({ ...decided, issueId: null });
    expect(await t.of(t.verdict)).toEqual({ kind: 'nothing' });
    expect(await t.of(t.card)).toMatchObject({
      parts: [{ text: 'This alert no longer counts toward #12; it now belongs to its own issue.' }],
    });
  });
});

describe('the card', () => {
  it('tells of escalation, mute, what it was told apart from and joined with, and who asked', async () => {
    const t = await inTwoChannels(false);
    const { store } = t.d;
    await store.issues.rewrite(t.issueId, {
      status: 'muted',
      mutedUntil: 1_900_000_000_000,
      hidden: 3,
      severity: 'medium',
      raisedSeverity: 'high',
      earlier: JSON.stringify({ number: 7, resolvedAt: 1_700_000_000_000, rootCause: 'A bad deploy.' }),
    });
    const { issueId: other } = await t.d.alert({ fingerprint: 'disk', title: 'Disk' }, { channel: HOME });
    await store.issues.rewrite(other ?? '', { number: 13, apartFrom: t.issueId, state: 'created' });
    const card = JSON.stringify(await t.of(`card:${t.issueId}`));
    for (const words of [
      '🔴 High (raised from Medium)',
      'Muted until <!date',
      '3 repeats hidden',
      'Fired before: #7, resolved <!date',
      ': A bad deploy.',
      'Split off from this: #13',
      'Filed by <@U0PRIVATE>',
      'Zebra keeper acknowledged',
    ]) {
      expect(card).toContain(words);
    }
    const apart = JSON.stringify(await t.of(`card:${other}`));
    expect(apart).toContain('Split off from #12');
    expect(apart).toContain('"text":"Attach to #12"');
    await store.issues.rewrite(t.issueId, { isOpen: false, status: 'resolved' });
    expect(JSON.stringify(await t.of(`card:${other}`))).not.toContain('Attach to #12');
  });
});
