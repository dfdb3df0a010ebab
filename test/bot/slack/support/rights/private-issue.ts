import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, askAgain } from '../../../../../src/bot/asking/ask.ts';
import { considerMessage } from '../../../../../src/bot/filing/carry-out.ts';
import { checklistOf } from '../../../../../src/bot/issues/checklist.ts';
import type { People } from '../../../../../src/bot/slack/access/people.ts';
import { ChannelSettings } from '../../../../../src/bot/store/channel-settings.ts';
import { shortCardIntent } from '../../../../../src/bot/store/intents/issue-intents.ts';
import { InvestigationResults } from '../../../../../src/contract/answers.ts';
import { anAlert } from '../../../../support/an-alert.ts';
import { addCreated, newIssue, uuidOf } from '../../../../support/issues.ts';
import { openTestStore, type TestStore } from '../../../../support/open-test-store.ts';
import { tablesOf } from '../../../../support/tables-of.ts';
import { listening, responseAddress } from '../listening.ts';
import { type Names, SECRET, SENDER } from './probe.ts';

const MEMBERS: Record<string, string[]> = { C0SECRET: ['U1', 'U0ADMIN', 'U0GUEST', 'U0EVE'] };
const NOT_MEMBERS: Record<string, 'guest' | 'external'> = { U0GUEST: 'guest', U0EVE: 'external' };
const ADMINS = ['U0ADMIN', 'U0ROOT'];

const NOT_FOUND = { ok: false, error: 'channel_not_found' };
const isThere = (channel: string) => channel.startsWith('C0');

const RESULTS = {
  rootCause: {
    rootCauseSummary: `${SECRET} ran out of memory`,
    relevantEvidence: [
      { title: SECRET, artifacts: [{ documentId: 'a', title: SECRET }] },
      { title: SECRET, artifacts: [{ documentId: 'b', title: `${SECRET} again` }] },
    ],
  },
  remediation: {
    actions: [
      {
        title: SECRET,
        markdownPrompt: `Mend ${SECRET}`,
        steps: [{ title: `Restart ${SECRET}` }, { title: `Watch ${SECRET}` }],
      },
    ],
  },
};

/** By whether the open channel has short cards. Everything in it is written once per worker: that takes longer than a probe. */
const written = new Map<boolean, Promise<Written>>();

interface Written {
  file: string;
  names: Names;
}

/**
 * A private channel with everything that a button can be about, and an open one. U1 and U0ADMIN are in both, a guest and
 * somebody of another organization are in the private one, U0BOB and the admin U0ROOT are only in the open one.
 */
export async function privateIssue(
  people: Partial<People> = {},
  /** Whether the open channel has short cards of the private channel's issues. */
  { shortCards = false }: { shortCards?: boolean } = {},
) {
  const writing = written.get(shortCards) ?? writeAll(shortCards);
  written.set(shortCards, writing);
  const { file, names } = await writing;
  const l = await listening({
    copyOf: file,
    people: {
      isAdmin: async (id) => ADMINS.includes(id),
      maySet: async (id, channel) =>
        NOT_MEMBERS[id] ?? (MEMBERS[channel]?.includes(id) === true ? null : 'not_member'),
      ...people,
    },
  });
  const { store, slack, clock, service } = l;
  const { url, bodies } = await responseAddress();
  slack.answers('conversations.members', ({ channel = '' }) => ({
    members: MEMBERS[channel] ?? ['U1', 'U0ADMIN', 'U0BOB', 'U0ROOT'],
    ...(isThere(channel) ? {} : NOT_FOUND),
  }));
  slack.answers('conversations.info', ({ channel = '' }) =>
    isThere(channel) ? { channel: { is_member: true, is_private: channel !== 'C0OPEN' } } : NOT_FOUND,
  );
  for (const method of ['views.open', 'views.push', 'views.update', 'views.publish']) {
    slack.answers(method, { view: { id: 'V1', hash: 'h' } });
  }
  slack.answers('assistant.threads.setSuggestedPrompts', {});
  const told = { type: 'message', text: `[FIRING:1] ${SECRET} burns`, bot_id: 'B0TOOL', username: 'Tool' };
  slack.answers('conversations.history', ({ latest }) => ({
    messages: [{ ...told, ts: latest ?? '66.0' }],
  }));
  for (const [number, status] of [
    [12, 'ready_to_fix'],
    [13, 'ready_to_fix'],
    [14, 'muted'],
  ] as const) {
    const uuid = uuidOf(number);
    const title = number === 14 ? SECRET : `${SECRET} ${number}`;
    service.issues.set(uuid, { uuid, number, status, latestVersion: 1, title });
  }
  service.client.artifacts.get = async () => [
    { id: 'a', type: 'change', provider: 'demo', data: { title: SECRET } },
    { id: 'b', type: 'change', provider: 'demo', data: { title: SECRET } },
  ];

  const mutates = (call: string) => /^(?:create|update|delete)/u.test(call);
  return {
    names,
    askAgain: () => askAgain('q-failed', 'U1', ceilingsOf({ store, clock })),
    /** What somebody's delivery did and what it had us say to anybody. */
    async give(body: Record<string, unknown>) {
      const before = { tables: tablesOf(l.file), calls: service.calls.length };
      const [from, heard, acked] = [slack.calls.length, bodies.length, l.acks.length];
      const event = body.type === 'event_callback';
      await l.give(event ? body : { ...body, response_url: url });
      const asked = slack.calls
        .slice(from)
        .filter(({ method }) => /^(?:chat|views|assistant)\./u.test(method));
      const said = [...asked.map(({ args }) => args), ...bodies.slice(heard), ...l.acks.slice(acked)];
      return {
        changed:
          JSON.stringify(tablesOf(l.file)) !== JSON.stringify(before.tables) ||
          service.calls.slice(before.calls).some(mutates),
        said: JSON.stringify(said.filter((one) => one !== null)),
        modal: asked.some(({ method }) => method === 'views.open'),
        opened: asked.some(({ method }) => /^(?:views\.(?:open|update|publish)|assistant)/u.test(method)),
      };
    },
  };
}

async function writeAll(shortCards: boolean): Promise<Written> {
  await using opened = await openTestStore();
  const { store, clock } = opened;
  await store.channels.watch('C0SECRET', ChannelSettings.parse({}), '0.000000');
  const shown = `${SECRET} backup of db1 failed`;
  const observed = { lines: [shown], color: null, kind: 'firing', fingerprint: null, environment: null };
  const observation = JSON.stringify({ ...observed, isStated: false });
  for (const ts of ['20.000000', '21.000000'])
    await store.senders.keep({ channel: 'C0SECRET', ts, sender: SENDER, observation, at: clock.now() });
  await store.channels.learn('C0SECRET', true);
  await store.channels.learn('C0OPEN', false);

  const deciding = {
    store,
    clock,
    defaultEnvironment: 'production',
    maxIssuesPerDay: 500,
    needsConsent: async () => false,
  };
  const say = (
    ts: string,
    fingerprint: string,
    more: { limit?: number; byPerson?: boolean; channel?: string } = {},
  ) =>
    considerMessage(
      {
        channel: more.channel ?? 'C0SECRET',
        ts,
        threadTs: null,
        permalink: null,
        alert: anAlert({ title: more.channel ?? `${SECRET} ${fingerprint}`, fingerprint }),
        sender: 'Alertmanager',
        byPerson: more.byPerson === true,
        edited: false,
        note: null,
      },
      { ...deciding, maxIssuesPerDay: more.limit ?? 500 },
    );
  const issue = (await say('1.000000', 'cpu')).issueId ?? '';
  await say('2.000000', 'cpu');
  const other = (await say('3.000000', 'disk')).issueId ?? '';
  const hold = (await say('4.000000', 'held', { limit: 0 })).holdId ?? '';
  await say('5.000000', 'report', { byPerson: true });
  for (const [number, id] of [
    [12, issue],
    [13, other],
  ] as const) {
    const uuid = uuidOf(number);
    const status = 'ready_to_fix';
    await store.issues.rewrite(id, {
      state: 'created',
      number,
      uuid,
      status,
      endedVersion: 1,
      threadTs: '1.000000',
    });
    await store.results.save(id, 1, JSON.stringify(RESULTS), 0);
  }
  await store.issues.rewrite(other, { apartFrom: issue });
  if (shortCards) {
    await say('11.000000', 'cpu', { channel: 'C0OPEN' });
    await say('12.000000', 'disk', { channel: 'C0OPEN' });
  }
  const planned = {
    by: 'U1',
    scope: [SECRET],
    from: clock.now(),
    until: clock.now() + 3_600_000,
    title: SECRET,
  };
  await store.flags.plan({ id: 'plan-1', channel: 'C0SECRET', ...planned });
  const quiet = { channel: 'C0SECRET', identity: null, title: SECRET };
  await addCreated(store, 0, { ...quiet, id: 'muted', number: 14, status: 'muted', threadTs: '6.0' });
  await store.issues.add(newIssue({ ...quiet, id: 'failed', state: 'failed', threadTs: '8.0' }));
  if (shortCards) {
    for (const issueId of ['muted', 'failed']) {
      const alert = { channel: 'C0OPEN', ts: '13.000000', threadTs: null };
      await store.outbox.want(shortCardIntent(issueId, alert, 0));
    }
  }
  const [first, second] = checklistOf(InvestigationResults.parse(RESULTS), [])[0] ?? [];
  await store.checklistSteps.add({ issueId: issue, step: second?.key ?? '', who: 'U1', at: 7 });

  const ceilings = ceilingsOf({ store, clock });
  const question = { channel: 'C0SECRET', threadTs: '1.000000', asker: 'U1', text: `Why ${SECRET}?` };
  await ask({ ...question, id: 'q-asking' }, ceilings);
  const artifacts = JSON.stringify([{ id: 'a', summary: SECRET, data_type: 'change' }]);
  await store.questions.update('q-asking', { state: 'asking', answer: SECRET, artifacts }, 0);
  await ask({ ...question, id: 'q-failed' }, ceilings);
  await store.questions.update('q-failed', { state: 'failed' }, 0);
  await ask({ ...question, id: 'q-late', writtenAt: clock.now() - 7_200_000 }, ceilings);

  const names: Names = {
    channel: 'C0SECRET',
    issue,
    other,
    failed: 'failed',
    muted: 'muted',
    uuid: uuidOf(12),
    number: '12',
    mutedNumber: '14',
    otherNumber: '13',
    hold,
    held: '4.000000',
    question: 'q-asking',
    failedQuestion: 'q-failed',
    offer: 'late:q-late',
    report: '5.000000',
    repeat: '2.000000',
    step: first?.key ?? '',
    done: `${second?.key}.7`,
    plan: 'plan-1',
  };
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-private-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'gumshoe.db');
  await opened.execute('vacuum into $1', [file]);
  return { file, names };
}

function ceilingsOf({ store, clock }: Pick<TestStore, 'store' | 'clock'>) {
  return { store, clock, askPerUserHour: 30, askPerChannelHour: 120 };
}
