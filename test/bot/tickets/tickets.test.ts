import { describe, expect, it } from 'vitest';
import type { TicketSettings } from '../../../src/bot/config.ts';
import { ticketLine } from '../../../src/bot/render/issues/ticket.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { advanceTicket, wantByRule } from '../../../src/bot/tickets/tickets.ts';
import { createTracker } from '../../../src/bot/tickets/trackers.ts';
import { redactor } from '../../../src/lib/redact.ts';
import { addCreated } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { scriptedTracker, settingsOf, TOKEN, wordsOfDocument } from '../../support/trackers.ts';

const NAMES = ['github', 'jira', 'linear'] as const;
const HOUR = 60 * 60_000;
const SLACK = 'https://acme.slack.com/archives/C1/p10';

async function ticketing(name: TicketSettings['tracker'], title = 'Checkout answers 502', isPrivate = false) {
  const opened = await openTestStore();
  const { store, clock } = opened;
  await addCreated(store, clock.now(), { number: 12, title, threadTs: '1.0' });
  const there = scriptedTracker(name, clock.now);
  const told: string[] = [];
  let dies: string | null = null;
  const redact = redactor([TOKEN]);
  const options = {
    store,
    clock,
    tracker: createTracker(settingsOf[name], there.fetch, clock),
    random: () => 0.5,
    log: createLogger('silent'),
    checkpoint: async (at: string) => {
      if (at === dies) throw new Error('killed');
    },
    permalink: () => SLACK,
    identity: { botUserId: 'U0BOT' },
    isPrivateChannel: async () => isPrivate,
    redact: (text: string) => redact(text).trim(),
    onRefused: async (_: unknown, row: { wantedBy: string }, failure: string) => {
      told.push(`${row.wantedBy}: ${failure}`);
    },
  };
  const row = async () => {
    const found = await store.tickets.get('issue-1');
    if (found === null) throw new Error('nobody wants one');
    return found;
  };
  /** What is due, until nothing is for now. */
  const work = async (turns = 5) => {
    for (let turn = 0; turn < turns; turn += 1) {
      for (const due of await store.tickets.due(clock.now(), 10)) await advanceTicket(due, options);
    }
  };
  return {
    ...there,
    store,
    clock,
    row,
    work,
    told,
    want: () => store.tickets.want('issue-1', 'U0ALICE', clock.now()),
    /** Works once, and is killed at a checkpoint. */
    killedAt: async (at: string) => {
      dies = at;
      await expect(work(1)).rejects.toThrow('killed');
      dies = null;
    },
    line: async () => ticketLine(await row()),
    comments: () => there.tickets[0]?.comments.map(({ body }) => said(body)) ?? [],
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const said = (body: string) => (body.startsWith('{') ? wordsOfDocument(JSON.parse(body)) : body);

describe.each(NAMES)('a ticket in %s', (name) => {
  it('says title, cause and steps, leads back, and is made once however often it is wanted', async () => {
    await using t = await ticketing(name);
    const results = {
      rootCause: { rootCauseSummary: 'A deploy of payments broke it' },
      remediation: { actions: [{ title: 'Roll back', steps: [{ title: 'payments to 1.2' }] }] },
    };
    await t.store.results.save('issue-1', 1, JSON.stringify(results), t.clock.now());
    expect(await t.want()).toBe(true);
    expect(await t.want()).toBe(false);
    await t.work();
    expect(await t.want()).toBe(false);
    await t.work();
    expect(t.tickets.map(({ title, body }) => ({ title, body }))).toEqual([
      {
        title: 'Checkout answers 502 (Gumshoe #12)',
        body: [
          'medium, production',
          'Root cause: A deploy of payments broke it',
          `${name === 'jira' ? '☐' : '- [ ]'} Roll back: payments to 1.2`,
          `${name === 'jira' ? '' : '---\n'}Slack: ${SLACK}`,
          'Reference: gumshoe-issue-1',
        ]
          .join('\n\n')
          .replaceAll(name === 'jira' ? '\n\n' : /\n\n(?=Reference)/gu, '\n'),
      },
    ]);
    expect(await t.row()).toMatchObject({ state: 'made', wantedBy: 'U0ALICE', failure: null, sentAt: null });
  });

  it('is made once where the process is killed before that is stored, also if the index lags', async () => {
    await using t = await ticketing(name);
    await t.want();
    await t.killedAt('ticket: made');
    t.state.lag = 1;
    await t.work();
    await t.clock.sleep(5_000);
    await t.work();
    expect(t.tickets).toHaveLength(1);
    expect(await t.row()).toMatchObject({ state: 'made', key: t.tickets[0]?.key });
  });

  it('is made once where its answer is lost, and where the request never arrived', async () => {
    await using t = await ticketing(name);
    await t.want();
    if (name === 'linear') t.answers.push(Response.json({ data: { teams: { nodes: [{ id: 'team-1' }] } } }));
    t.answers.push('lost');
    await t.work();
    expect(await t.row()).toMatchObject({
      state: 'wanted',
      failure: expect.stringMatching(/cannot be reached \(ECONNRESET\)/u),
    });
    await t.clock.sleep(5_000);
    await t.work();
    expect(t.tickets).toHaveLength(1);
    expect(await t.line()).toMatch(
      new RegExp(`🎫 <https://[^|]+\\|${t.tickets[0]?.key}>: (?:open|to do|backlog)$`, 'u'),
    );

    await using other = await ticketing(name);
    await other.want();
    other.answers.push('unreachable');
    for (let times = 0; times < 4; times += 1) {
      await other.work();
      await other.clock.sleep(5_000);
    }
    expect(other.tickets).toHaveLength(1);
  });

  it('says within five minutes that it was closed, reopened, and deleted', async () => {
    await using t = await ticketing(name);
    await t.want();
    await t.work();
    const [ticket] = t.tickets;
    if (!ticket) throw new Error('none was made');
    const seen: string[] = [];
    for (const state of ['In Progress', 'Done', 'QA']) {
      ticket.state = state;
      await t.clock.sleep(5 * 60_000);
      await t.work();
      seen.push((await t.line()).replace(/^.*>: /u, ''));
    }
    ticket.isGone = true;
    await t.clock.sleep(5 * 60_000);
    await t.work();
    seen.push((await t.line()).replace(/^.*>: /u, ''));
    expect(seen).toEqual(['in progress', 'done', 'QA', 'deleted, or hidden from me']);
    expect(await t.want()).toBe(true);
    await t.work();
    expect(t.tickets).toHaveLength(2);
    expect(await t.row()).toMatchObject({ state: 'made', key: t.tickets[1]?.key });
  });

  it('hears once when the issue is resolved, open again, and fires again, but of firings once an hour', async () => {
    await using t = await ticketing(name);
    await t.want();
    await t.work();
    const at = t.clock.now();
    const fires = (repeats: number, status = 'investigating') =>
      t.store.issues.rewrite('issue-1', { repeats, lastRepeatAt: at, status });
    await fires(1);
    await t.work();
    await fires(2);
    await t.work();
    await fires(3);
    await t.work();
    await t.clock.sleep(HOUR);
    await t.work();
    await t.store.issues.rewrite('issue-1', { status: 'resolved', statusSince: at });
    await t.work();
    await t.store.issues.rewrite('issue-1', { status: 'investigating', statusSince: at + 60_000 });
    await t.work();
    await fires(3, 'resolved');
    await t.work();
    await t.clock.sleep(HOUR);
    await fires(4);
    await t.work();
    expect(t.comments()).toEqual([
      'Fired again on 2026-03-17 at 12:00:00 UTC.',
      'Fired again 2 times, last on 2026-03-17 at 12:00:00 UTC.',
      'Resolved in Slack on 2026-03-17 at 12:00:00 UTC.',
      'Reopened in Slack on 2026-03-17 at 12:01:00 UTC.',
      'Resolved in Slack on 2026-03-17 at 12:01:00 UTC.',
      'Fired again on 2026-03-17 at 12:00:00 UTC. The issue is open again.',
    ]);
  });

  it.each([false, true])(
    'is told the cause at the end unless its channel is private by then: %s',
    async (isPrivate) => {
      await using t = await ticketing(name, 'Checkout answers 502', isPrivate);
      const results = { rootCause: { rootCauseSummary: 'A deploy of payments broke it' } };
      await t.store.results.save('issue-1', 1, JSON.stringify(results), t.clock.now());
      await t.want();
      await t.work();
      await t.store.issues.rewrite('issue-1', { status: 'resolved', endedVersion: 1 });
      await t.killedAt('ticket: commented');
      await t.work();
      const cause = isPrivate ? '' : ' Root cause: A deploy of payments broke it';
      expect(t.comments()).toEqual([`Resolved in Slack on 2026-03-17 at 12:00:00 UTC.${cause}`]);
    },
  );

  it('gets a comment once, also where the process is killed before that is stored', async () => {
    await using t = await ticketing(name);
    await t.want();
    await t.work();
    await t.store.issues.rewrite('issue-1', { status: 'resolved' });
    await t.killedAt('ticket: commented');
    await t.work();
    expect(t.comments()).toEqual(['Resolved in Slack on 2026-03-17 at 12:00:00 UTC.']);
    expect(await t.row()).toMatchObject({ said: 'resolved', saying: null });
  });

  it('that is refused is made once that is mended and somebody asks again', async () => {
    await using t = await ticketing(name);
    await t.want();
    t.answers.push(Response.json({ message: `no ${TOKEN}` }, { status: 401 }));
    await t.work();
    const variable = { github: 'GITHUB_TOKEN', jira: 'JIRA_USER and JIRA_TOKEN', linear: 'LINEAR_TOKEN' }[
      name
    ];
    expect(t.told).toEqual([
      expect.stringMatching(
        new RegExp(`^U0ALICE: .* does not accept the (?:token|key): check ${variable}\\.$`, 'u'),
      ),
    ]);
    expect(await t.line()).toContain('🎫 No ticket · ⚠️');
    await t.work();
    expect(t.asked).toHaveLength(1);
    expect(await t.want()).toBe(true);
    await t.work();
    expect(t.tickets).toHaveLength(1);
    expect(await t.row()).toMatchObject({ state: 'made', failure: null });
  });

  it('quotes untrusted text as it is: it notifies nobody, links nothing, loads nothing, and holds no secret', async () => {
    const title = `Down ${TOKEN} @acme/oncall #7`;
    await using t = await ticketing(name, title);
    const cause =
      '![x](https://evil.example/p.png) @acme/oncall broke #7 <img src=x> &#64;alice `a[1m] @ #7` https://github.com/acme/x/issues/1';
    await t.store.results.save('issue-1', 1, JSON.stringify({ rootCause: { rootCauseSummary: cause } }), 1);
    await t.want();
    await t.work();
    const [{ title: written, body } = { title: '', body: '' }] = t.tickets;
    expect(`${written}${body}`).not.toContain(TOKEN);
    expect(written).toMatch(/^Down \[redacted\] @/u);
    if (name === 'jira') return expect(body).toContain(`Root cause: ${cause}`);
    expect(written).not.toMatch(/@\w/u);
    expect(body).toContain(
      'Root cause: !\\[x\\](https://evil.example/p.png) @\u200bacme/oncall broke #\u200b7 &lt;img src=x&gt; &amp;#\u200b64;alice `a[1m] @ #7` https://github.com\u200b/acme/x/issues/1',
    );
  });
});

it('at GitHub it is found behind more than a hundred newer ones', async () => {
  await using t = await ticketing('github');
  await t.want();
  await t.killedAt('ticket: made');
  const [mine] = t.tickets;
  if (!mine) throw new Error('none was made');
  for (let n = 2; n <= 250; n += 1) t.tickets.push({ ...mine, key: `#${n}`, body: 'Another', comments: [] });
  await t.work();
  expect(await t.row()).toMatchObject({ state: 'made', key: '#1' });
  expect(t.tickets).toHaveLength(250);
});

it.each([
  ['github', '#1', 'acme/other#5', 'acme/incidents#1'],
  ['jira', 'FIX-12', 'OPS-3', 'FIX-12'],
] as const)('at %s it is followed to where it is moved', async (name, key, moved, from) => {
  await using t = await ticketing(name);
  await t.want();
  await t.work();
  const [ticket] = t.tickets;
  if (!ticket) throw new Error('none was made');
  expect(ticket.key).toBe(key);
  ticket.key = moved;
  ticket.state = 'closed';
  t.state.moved.set(from, moved);
  await t.clock.sleep(5 * 60_000);
  await t.work();
  expect(await t.line()).toContain(`|${moved}>: closed`);
  await t.store.issues.rewrite('issue-1', { status: 'resolved' });
  await t.work();
  expect(t.comments()).toEqual(['Resolved in Slack on 2026-03-17 at 12:00:00 UTC.']);
});

it('one of another repository or tracker, from before the settings were changed, is left alone', async () => {
  await using t = await ticketing('github');
  await t.want();
  await t.work();
  for (const [key, url] of [
    ['#1', 'https://github.com/acme/former/issues/1'],
    ['FIX-1', 'https://acme.atlassian.net/browse/FIX-1'],
  ]) {
    await t.store.tickets.update('issue-1', { key, url, nextAt: 0 });
    t.asked.length = 0;
    await t.store.issues.rewrite('issue-1', { status: 'resolved' });
    await t.work();
    expect(t.asked).toEqual([]);
  }
});

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
const NOON = Date.parse('2026-03-17T12:00:00Z');
const linearError = (code: string, message: string, userPresentableMessage = message) => ({
  errors: [{ message, extensions: { code, type: code.toLowerCase(), userPresentableMessage } }],
});

it.each([
  [
    'github',
    answer(403, { message: 'Resource not accessible by personal access token' }),
    'failed',
    'GitHub does not permit it (Resource not accessible by personal access token): let GITHUB_TOKEN write issues in acme/incidents (fine-grained: Issues, read and write; classic: repo).',
  ],
  [
    'github',
    answer(404, { message: 'Not Found' }),
    'failed',
    'GitHub knows no such repository, or the token may not see it: check GITHUB_TICKETS_REPOSITORY (acme/incidents) and what GITHUB_TOKEN may see.',
  ],
  [
    'github',
    answer(410, { message: 'Issues are disabled for this repo' }),
    'failed',
    'acme/incidents takes no issues: switch them on in its settings, or change GITHUB_TICKETS_REPOSITORY.',
  ],
  [
    'github',
    answer(422, { message: 'Validation Failed', errors: [{ field: 'team', code: 'missing_field' }] }),
    'failed',
    'GitHub refuses it (422): Validation Failed; team: missing_field.',
  ],
  [
    'github',
    answer(403, { message: 'You have exceeded a secondary rate limit' }, { 'x-ratelimit-remaining': '90' }),
    60,
    'GitHub allows no more requests for now.',
  ],
  [
    'github',
    answer(403, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOON / 1000 + 900) }),
    900,
    'GitHub allows no more requests for now.',
  ],
  ['github', answer(429, {}, { 'retry-after': '30' }), 30, 'GitHub allows no more requests for now.'],
  [
    'github',
    answer(503, {}, { 'x-ratelimit-reset': String(NOON / 1000 + 900) }),
    3.75,
    'GitHub answers with 503.',
  ],
  [
    'jira',
    answer(403, { errorMessages: ['No'] }),
    'failed',
    'Jira does not permit it (No): let JIRA_USER browse FIX, create issues and add comments there.',
  ],
  [
    'jira',
    answer(404, { errorMessages: ['dead link'] }),
    'failed',
    'Jira does not find it (dead link): check JIRA_URL, JIRA_PROJECT (FIX) and what JIRA_USER may see.',
  ],
  [
    'jira',
    answer(400, { errors: { project: 'valid project is required' } }),
    'failed',
    'Jira refuses the project (valid project is required): check JIRA_PROJECT (FIX), and that JIRA_USER may create issues there.',
  ],
  [
    'jira',
    answer(400, { errors: { issuetype: 'Specify a valid issue type' } }),
    'failed',
    'Jira refuses the issue type (Specify a valid issue type): set JIRA_ISSUE_TYPE (Task) to a type that FIX has.',
  ],
  [
    'jira',
    answer(400, { errorMessages: [], errors: { customfield_10050: 'Team is required.' } }),
    'failed',
    'Jira demands what Gumshoe does not fill in (customfield_10050: Team is required): make that optional for Task in FIX, or give it a default value.',
  ],
  [
    'jira',
    answer(429, {}, { 'x-ratelimit-reset': '2026-03-17T12:02Z' }),
    120,
    'Jira allows no more requests for now.',
  ],
  [
    'linear',
    answer(400, linearError('RATELIMITED', 'Rate limit exceeded'), {
      'x-ratelimit-requests-remaining': '0',
      'x-ratelimit-requests-reset': String(NOON + 240_000),
      'x-ratelimit-complexity-remaining': '9',
      'x-ratelimit-complexity-reset': String(NOON + 999_000),
    }),
    240,
    'Linear allows no more requests for now.',
  ],
  [
    'linear',
    answer(200, linearError('FORBIDDEN', 'You lack the scope')),
    'failed',
    'Linear does not permit it (You lack the scope): give LINEAR_TOKEN the permissions Read, Create issues and Create comments, for the team of LINEAR_TEAM.',
  ],
  [
    'linear',
    answer(200, { data: { teams: { nodes: [] } } }),
    'failed',
    'Linear knows no team OPS, or the key may not see it: check LINEAR_TEAM, which is the key of a team, and LINEAR_TOKEN.',
  ],
  [
    'linear',
    answer(400, linearError('INPUT_ERROR', 'Argument Validation Error', 'A label is required in this team.')),
    'failed',
    'Linear refuses it: A label is required in this team.',
  ],
] as const)(
  '%s: what it answers is said in words, and tried again where that helps (%#)',
  async (name, given, then, failure) => {
    await using t = await ticketing(name);
    await t.want();
    t.answers.push(given);
    await t.work(1);
    const { state, nextAt, failure: why } = await t.row();
    expect([why, state === 'failed' ? state : (nextAt - NOON) / 1000]).toEqual([failure, then]);
    if (state === 'failed') expect(await t.want()).toBe(true);
    await t.clock.sleep(HOUR);
    await t.work();
    expect(await t.row()).toMatchObject({ failure: null, state: 'made' });
    expect(t.tickets).toHaveLength(1);
  },
);

it('by rule a ticket is made once of each severe issue that is unresolved after an hour, and of none of a private channel', async () => {
  const opened = await openTestStore();
  await using _ = opened;
  const { store, clock } = opened;
  const on = { ...ChannelSettings.parse({}), tickets: true };
  for (const channel of ['C1', 'C2', 'C3', 'C4']) {
    await store.channels.watch(channel, channel === 'C2' ? ChannelSettings.parse({}) : on, '1.0');
    await store.channels.learn(channel, channel === 'C3');
  }
  let number = 0;
  const add = (id: string, more: { channel?: string; severity?: string; status?: string } = {}) => {
    number += 1;
    return addCreated(store, clock.now(), { id, identity: id, severity: 'high', number, ...more });
  };
  await add('severe');
  await add('mild', { severity: 'low' });
  await add('resolved', { status: 'resolved' });
  await add('muted', { status: 'muted' });
  await add('without-rule', { channel: 'C2' });
  await add('private', { channel: 'C3' });
  await add('private-since', { channel: 'C4' });
  await store.issues.rewrite((await add('escalated', { severity: 'low' })).id, { raisedSeverity: 'high' });
  await clock.sleep(30 * 60_000);
  await add('fresh');
  const wanted = async () => {
    await wantByRule({
      store,
      clock,
      log: createLogger('silent'),
      identity: { botUserId: 'U0BOT' },
      isPrivateChannel: async (channel) => channel === 'C4',
    });
    return (await store.tickets.due(clock.now(), 10))
      .map(({ issueId, wantedBy }) => `${issueId} ${wantedBy}`)
      .sort();
  };
  expect(await wanted()).toEqual([]);
  await clock.sleep(30 * 60_000);
  expect(await wanted()).toEqual(['escalated U0BOT', 'severe U0BOT']);
  await store.tickets.update('severe', { state: 'failed' });
  expect(await wanted()).toEqual(['escalated U0BOT']);
});

describe('the check for the doctor makes nothing, and says', () => {
  const checked = async (name: TicketSettings['tracker'], demands = '', first: Response | null = null) => {
    const there = scriptedTracker(name, () => NOON);
    there.state.demands = demands;
    if (first !== null) there.answers.push(first);
    const says = await createTracker(settingsOf[name], there.fetch)
      .check()
      .catch((error: Error) => error.message);
    expect(there.tickets).toEqual([]);
    return says;
  };

  it('that tickets can be made', async () => {
    expect(await checked('github')).toBe('acme/incidents takes issues');
    expect(await checked('jira')).toBe('FIX takes issues of type Task');
    expect(await checked('linear')).toMatch(/^the key is accepted, and the team OPS is there\./u);
  });

  it('what is missing', async () => {
    expect(await checked('github', '', answer(401, {}))).toMatch(/check GITHUB_TOKEN\.$/u);
    expect(await checked('github', '', answer(200, { has_issues: false }))).toMatch(
      /^acme\/incidents takes no issues/u,
    );
    expect(await checked('jira', 'CREATE_ISSUES')).toBe(
      'JIRA_USER lacks CREATE_ISSUES in FIX: check JIRA_PROJECT, and grant them in the permission scheme of the project.',
    );
    expect(await checked('jira', 'customfield_10050')).toMatch(/demands .* \(Team \(customfield_10050\)\)/u);
    expect(await checked('linear', '', answer(401, linearError('AUTHENTICATION_ERROR', 'No')))).toMatch(
      /check LINEAR_TOKEN\.$/u,
    );
  });
});
