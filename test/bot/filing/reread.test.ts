import { expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { observed } from '../../../src/bot/alerts/senders/history.ts';
import { confirmSender, senderNamed, sendersIn } from '../../../src/bot/filing/senders.ts';
import { payloadOf } from '../../../src/bot/store/intents/payloads.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { toolMessage } from '../alerts/fixtures.ts';

/** What a checker posts whose messages first sight takes for one problem, since only a number differs. */
function posts(d: Deciding, text: string, more: { ts?: string; username?: string } = {}) {
  const { username = 'ups', ts } = more;
  const raw = toolMessage({ text, username, channel: 'C1' });
  const alert = parseAlert(raw);
  const shown = observed(raw, alert);
  return d.alert(alert, {
    sender: username,
    ...(shown === null ? {} : { observed: shown }),
    ...(ts === undefined ? {} : { ts }),
  });
}

const down = (line: number) => `Interface ${line} down on sw-par-12`;
const up = (line: number) => `Interface ${line} up on sw-par-12`;

const EARLY = [down(23), down(24), down(25), up(25), down(25), up(25)];

async function played(
  texts: readonly string[],
): Promise<Deciding & { sent: Awaited<ReturnType<typeof posts>>[] }> {
  const d = await deciding();
  const sent = [];
  for (const text of texts) sent.push(await posts(d, text));
  return { ...d, sent };
}

/** The line in an issue's thread that says that another problem was parted from it. */
async function lineIn({ store }: Deciding, issue = '', other = '') {
  const row = await store.outbox.get(`notice:parted:${issue}:${other}`);
  return row === null ? null : { ...payloadOf('notice', row), state: row.state, threadTs: row.threadTs };
}

it('problems that were counted as one are parted once the sender’s messages show it, and what was over is not', async () => {
  await using d = await played(EARLY);
  const [first, second] = d.sent;
  expect(second).toMatchObject({ decision: 'repeat', issueId: first?.issueId });
  // Now it is clear that the number tells them apart, and 24 is still down.
  expect(await posts(d, up(23))).toMatchObject({ decision: 'recovered', issueId: first?.issueId });
  const over = await posts(d, up(24));
  expect(over.decision).toBe('recovered');
  expect(over.issueId).not.toBe(first?.issueId);
  const parted = await d.store.issues.get(over.issueId ?? '');
  expect(parted).toMatchObject({ apartFrom: first?.issueId, threadTs: second?.ts, repeats: 0 });
  expect((await d.store.issues.get(first?.issueId ?? ''))?.repeats).toBe(2);
  const row = await d.store.alerts.find('C1', second?.ts ?? '');
  expect(row).toMatchObject({ decision: 'filed', reason: 'parted', issueId: over.issueId });
});

it('each thread says so, and delivering the message again changes nothing', async () => {
  await using d = await played([...EARLY, up(23)]);
  const [first, second] = d.sent;
  const again = async () => {
    const row = await d.store.alerts.find('C1', second?.ts ?? '');
    const [one, other] = [first?.issueId ?? '', row?.issueId ?? ''];
    return {
      one,
      other,
      lines: [await lineIn(d, one, other), await lineIn(d, other, one)],
      due: await d.store.outbox.countDue(),
    };
  };
  const before = await again();
  expect(before.lines).toMatchObject([
    { notice: 'parted', other: before.other, threadTs: first?.ts },
    { notice: 'parted', other: before.one, threadTs: second?.ts },
  ]);
  await posts(d, up(23), { ts: d.sent.at(-1)?.ts ?? '' });
  expect(await again()).toStrictEqual(before);
});

it('while filing is paused nothing is parted, and afterwards it is', async () => {
  await using d = await played(EARLY.slice(0, -1));
  await d.store.flags.pause({ by: 'U1', at: 1 });
  await posts(d, up(25));
  const issueOf = async () => (await d.store.alerts.find('C1', d.sent[1]?.ts ?? ''))?.issueId;
  expect(await issueOf()).toBe(d.sent[0]?.issueId);
  await d.store.flags.resume();
  await posts(d, down(26));
  expect(await issueOf()).not.toBe(d.sent[0]?.issueId);
});

it('a person’s word about a sender is stored, audited, announced once, and what is open goes on under it', async () => {
  await using d = await deciding();
  await d.settings({});
  const texts = ['Job nightly hung on alpha', 'Job nightly hung on beta'];
  const filed = [];
  for (const text of texts) filed.push(await posts(d, text, { username: 'jobs' }));
  const [sender] = await sendersIn(d.store, 'C1', {});
  const map = {
    problems: [{ trouble: [['job nightly hung on {object}']], recovery: [['job nightly fine on {object}']] }],
    noAlert: [['job weekly *']],
  };
  const word = { cause: 'c1', channel: 'C1', sender: sender ?? { sender: '', name: '' }, map, by: 'U1' };
  await d.store.transaction((tx) => confirmSender(tx, word, d.options));
  await d.store.transaction((tx) => confirmSender(tx, word, d.options));
  expect((await d.store.audit.ofChannel('C1', 10)).entries.map(({ who, what }) => [who, what])).toStrictEqual(
    [['U1', 'confirmed how messages of jobs are read']],
  );
  const own = filed.map(({ issueId }) => issueId);
  const over = await posts(d, 'Job nightly fine on beta', { username: 'jobs' });
  expect(over).toMatchObject({ decision: 'recovered', issueId: own[1] });
  expect((await posts(d, 'Job nightly hung on alpha', { username: 'jobs' })).issueId).toBe(own[0]);
  expect((await posts(d, 'Job weekly failed', { username: 'jobs' })).decision).toBe('not_an_alert');
  const known = await senderNamed(d.store, { channel: 'C1', id: sender?.id ?? '' }, {});
  expect(known?.confirmed).toStrictEqual({ by: 'U1', at: expect.any(Number) });
});

it('an ALERT_MAP of the sender’s name is read like a person’s word, which wins over it', async () => {
  const messages = { problems: [], noAlert: [['job nightly hung on *']] };
  await using d = await deciding({ webhooks: { maps: new Map([['the_jobs', { messages }]]) } });
  await d.settings({});
  expect((await posts(d, 'Job nightly hung on alpha', { username: 'The jobs!' })).decision).toBe(
    'not_an_alert',
  );
  const map = { problems: [{ trouble: [['job nightly hung on {object}']], recovery: [] }], noAlert: [] };
  const sender = { sender: 'C1 The jobs!', name: 'The jobs!' };
  await d.store.transaction((tx) =>
    confirmSender(tx, { cause: 'c', channel: 'C1', sender, map, by: 'U1' }, d.options),
  );
  expect((await posts(d, 'Job nightly hung on beta', { username: 'The jobs!' })).decision).toBe('filed');
});
