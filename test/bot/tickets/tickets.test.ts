import { expect, it } from 'vitest';
import { ticketLine } from '../../../src/bot/render/issues/ticket.ts';
import { advanceTicket } from '../../../src/bot/tickets/tickets.ts';
import { createTracker } from '../../../src/bot/tickets/trackers.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { addCreated, theIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const SETTINGS = { tracker: 'github', repository: 'acme/incidents', token: 'secret-token' } as const;

/** GitHub as far as it is used, strict about what it gets; `answers` come first. */
function gitHub() {
  const issues: { number: number; html_url: string; state: string; title: string; body: string }[] = [];
  const comments: string[] = [];
  const answers: Response[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const scripted = answers.shift();
    if (scripted) return scripted;
    const { pathname } = new URL(String(input));
    const headers = new Headers(init?.headers);
    if (headers.get('authorization') !== 'Bearer secret-token') return new Response('{}', { status: 401 });
    const [, , owner, name, what, number, more] = pathname.split('/');
    if (`${owner}/${name}/${what}` !== 'acme/incidents/issues') return new Response('{}', { status: 404 });
    const sent: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
    if (more === 'comments') {
      comments.push(JSON.stringify(sent));
      return Response.json({ id: 1 }, { status: 201 });
    }
    if (number !== undefined) return Response.json(issues[Number(number) - 1]);
    if (init?.method !== 'POST') return Response.json(issues.toReversed());
    const { title, body } = Object.assign({ title: '', body: '' }, sent);
    const n = issues.length + 1;
    const made = {
      number: n,
      html_url: `https://github.com/acme/incidents/issues/${n}`,
      state: 'open',
      title,
      body,
    };
    issues.push(made);
    return Response.json(made, { status: 201 });
  };
  return { issues, comments, answers, tracker: createTracker(SETTINGS, fetch) };
}

async function ticketing() {
  const opened = await openTestStore();
  const { store, clock } = opened;
  await addCreated(store, 0, { number: 12, title: 'Checkout answers 502', threadTs: '1.0' });
  const there = gitHub();
  let dies: string | null = null;
  const options = {
    store,
    clock,
    tracker: there.tracker,
    random: () => 0.5,
    log: createLogger('silent'),
    checkpoint: async (name: string) => {
      if (name === dies) throw new Error('killed');
    },
    permalink: () => 'https://acme.slack.com/archives/C1/p10',
  };
  const row = async () => {
    const found = await store.tickets.get('issue-1');
    if (found === null) throw new Error('nobody wants one');
    return found;
  };
  return {
    ...there,
    store,
    row,
    work: async () => advanceTicket(await row(), options),
    dieAt: (name: string | null) => {
      dies = name;
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

it('a ticket is made once per issue, also where the process is killed before that is stored', async () => {
  await using t = await ticketing();
  expect(await t.store.tickets.want('issue-1', 'U0ALICE', 1)).toBe(true);
  expect(await t.store.tickets.want('issue-1', 'U0BOB', 2)).toBe(false);
  t.dieAt('ticket: made');
  await expect(t.work()).rejects.toThrow('killed');
  t.dieAt(null);
  await t.work();
  expect(t.issues).toHaveLength(1);
  expect(t.issues[0]?.title).toBe('Checkout answers 502 (Gumshoe #12)');
  expect(t.issues[0]?.body).toContain(
    'Slack: https://acme.slack.com/archives/C1/p10\nReference: gumshoe-issue-1',
  );
  expect(await t.row()).toMatchObject({ state: 'made', key: '#1', wantedBy: 'U0ALICE', failure: null });
});

it('its state comes back, and it hears when the issue is resolved and when it is open again', async () => {
  await using t = await ticketing();
  await t.store.tickets.want('issue-1', 'U0ALICE', 1);
  await t.work();
  const [issue] = t.issues;
  if (issue) issue.state = 'closed';
  await t.work();
  expect(ticketLine(await t.row())).toBe('🎫 <https://github.com/acme/incidents/issues/1|#1>: closed');
  await t.store.issues.rewrite('issue-1', { status: 'resolved' });
  await t.work();
  await t.work();
  await t.store.issues.rewrite('issue-1', { status: 'investigating' });
  await t.work();
  expect(t.comments).toEqual([
    '{"body":"The issue was resolved in Slack."}',
    '{"body":"The issue is open again."}',
  ]);
  expect(await theIssue(t.store)).toMatchObject({ status: 'investigating' });
});

it.each([
  [
    new Response('{}', { status: 401 }),
    'GitHub does not accept the token: check GITHUB_TOKEN and GITHUB_TICKETS_REPOSITORY.',
    'failed',
  ],
  [
    Response.json(
      { message: 'Validation Failed', errors: [{ field: 'team', code: 'missing_field' }] },
      { status: 422 },
    ),
    'GitHub refuses it (422): Validation Failed; team: missing_field.',
    'failed',
  ],
  [
    new Response('', { status: 403, headers: { 'x-ratelimit-remaining': '0', 'retry-after': '30' } }),
    'GitHub allows no more requests for now.',
    'wanted',
  ],
  [new Response('down', { status: 503 }), 'GitHub answers with 503.', 'wanted'],
])(
  'what it answers is said in words, and tried again where that can help (%#)',
  async (answer, failure, state) => {
    await using t = await ticketing();
    await t.store.tickets.want('issue-1', 'U0ALICE', 1);
    t.answers.push(answer);
    await t.work();
    expect(await t.row()).toMatchObject({ failure, state });
    expect(await t.store.tickets.want('issue-1', 'U0ALICE', 1)).toBe(state === 'failed');
    await t.work();
    expect(await t.row()).toMatchObject({ failure: null, state: 'made' });
  },
);

it('Jira and Linear get what they demand', async () => {
  const asked: [string, unknown][] = [];
  const scripted =
    (...replies: unknown[]): typeof globalThis.fetch =>
    async (input, init) => {
      asked.push([String(input), typeof init?.body === 'string' ? JSON.parse(init.body) : null]);
      return Response.json(replies.shift() ?? null);
    };
  const draft = { title: 'Down', body: 'It is.\n\nReference: gumshoe-a', reference: 'gumshoe-a' };
  const jira = createTracker(
    { tracker: 'jira', url: 'https://acme.atlassian.net', project: 'FIX', user: 'a@b.c', token: 't' },
    scripted({ issues: [] }, { key: 'FIX-12' }, { fields: { status: { name: 'Done' } } }),
  );
  expect(await jira.find('gumshoe-a')).toBeNull();
  expect(await jira.create(draft)).toEqual({
    key: 'FIX-12',
    url: 'https://acme.atlassian.net/browse/FIX-12',
  });
  expect(await jira.stateOf('FIX-12')).toBe('Done');
  const linear = createTracker(
    { tracker: 'linear', team: 'OPS', token: 't' },
    scripted(
      { data: { teams: { nodes: [{ id: 'team-1' }] } } },
      { data: { issueCreate: { issue: { identifier: 'OPS-3', url: 'https://linear.app/x/OPS-3' } } } },
      { errors: [{ message: 'Entity not found: Issue' }] },
    ),
  );
  expect(await linear.create(draft)).toEqual({ key: 'OPS-3', url: 'https://linear.app/x/OPS-3' });
  await expect(linear.stateOf('OPS-3')).rejects.toThrow('Linear refuses it: Entity not found: Issue.');
  expect(asked.map(([url]) => url)).toEqual([
    'https://acme.atlassian.net/rest/api/3/search/jql',
    'https://acme.atlassian.net/rest/api/3/issue',
    'https://acme.atlassian.net/rest/api/3/issue/FIX-12?fields=status',
    ...Array.from({ length: 3 }, () => 'https://api.linear.app/graphql'),
  ]);
  expect(asked[1]?.[1]).toMatchObject({
    fields: { project: { key: 'FIX' }, issuetype: { name: 'Task' }, summary: 'Down', labels: ['gumshoe-a'] },
  });
  expect(asked[4]?.[1]).toMatchObject({
    variables: { input: { teamId: 'team-1', title: 'Down', description: draft.body } },
  });
});
