import type { TicketSettings } from '../../src/bot/config.ts';

/** A ticket as a scripted tracker keeps it. */
interface ScriptedTicket {
  id: string;
  key: string;
  title: string;
  body: string;
  state: string;
  createdAt: string;
  labels: readonly string[];
  isGone: boolean;
  comments: { id: string; body: string }[];
}

export const TOKEN = 'secret-token-of-the-tests';
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u;

export const settingsOf: { [Name in TicketSettings['tracker']]: Extract<TicketSettings, { tracker: Name }> } =
  {
    github: { tracker: 'github', api: 'https://api.github.com', repository: 'acme/incidents', token: TOKEN },
    jira: {
      tracker: 'jira',
      url: 'https://acme.atlassian.net',
      project: 'FIX',
      user: 'gumshoe@acme.com',
      token: TOKEN,
    },
    linear: { tracker: 'linear', team: 'OPS', token: TOKEN },
  };

/**
 * A tracker in memory, as strict as the real one about addresses, headers, fields and ids. What it would not take is
 * refused as it would be there.
 */
export function scriptedTracker(name: TicketSettings['tracker'], now: () => number) {
  const tickets: ScriptedTicket[] = [];
  /** Answered in place of its own; `lost` is done, and then the connection breaks. */
  const answers: (Response | 'lost' | 'unreachable')[] = [];
  const asked: string[] = [];
  const state: State & { asked: string[] } = {
    now,
    tickets,
    asked,
    lag: 0,
    demands: '',
    moved: new Map<string, string>(),
  };
  const handle = { github: onGitHub, jira: onJira, linear: onLinear }[name];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    asked.push(`${request.method} ${url.pathname}`);
    const scripted = answers.shift();
    if (scripted instanceof Response) return scripted;
    if (scripted === 'unreachable') throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const isJson = request.headers.get('content-type') === 'application/json';
    if (request.method === 'POST' && !isJson) return refused(415, 'Unsupported Media Type');
    if (!request.headers.get('user-agent')) return refused(403, 'Request forbidden by administrative rules');
    const body: unknown = request.method === 'POST' ? await request.json() : null;
    const answer = handle(request, url, body, state);
    if (scripted === 'lost') throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    return answer;
  };
  return { tickets, asked, state, answers, fetch };
}

interface State {
  now: () => number;
  tickets: ScriptedTicket[];
  /** How many searches do not know of what was made. */
  lag: number;
  /** A field that is demanded, or a permission that is missing. */
  demands: string;
  /** Keys by those that they had before. */
  moved: Map<string, string>;
}

function add(
  state: State,
  ticket: Pick<ScriptedTicket, 'key' | 'title' | 'body' | 'state'> & Partial<ScriptedTicket>,
) {
  const added = {
    id: ticket.key,
    createdAt: new Date(state.now()).toISOString(),
    labels: [],
    isGone: false,
    comments: [],
    ...ticket,
  };
  state.tickets.push(added);
  return added;
}

const refused = (status: number, message: string, more: object = {}) =>
  Response.json({ message, ...more }, { status });

/** The fields of a document; throws for one that is not known. */
function fields(value: unknown, known: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(Object(value));
  const unknown = entries.find(([name]) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`unknown field ${unknown[0]}`);
  return Object.fromEntries(entries);
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

function onGitHub(request: Request, url: URL, sent: unknown, state: State): Response {
  const { headers } = request;
  if (headers.get('authorization') !== `Bearer ${TOKEN}`) return refused(401, 'Bad credentials');
  if (headers.get('x-github-api-version') !== '2022-11-28') return refused(400, 'Unsupported API version');
  if (headers.get('accept') !== 'application/vnd.github+json') return refused(415, 'Unsupported media type');
  const [, , owner, repository, what, number, more] = url.pathname.split('/');
  const of = `${owner}/${repository}`;
  const shown = (ticket: ScriptedTicket) => ({
    number: Number(ticket.key.split('#')[1]),
    html_url: `https://github.com/${ticket.key.startsWith('#') ? of : ticket.key.split('#')[0]}/issues/${ticket.key.split('#')[1]}`,
    state: ticket.state,
    state_reason: null,
    title: ticket.title,
    body: ticket.body,
    created_at: ticket.createdAt,
  });
  const moved = state.moved.get(`${of}#${number}`);
  if (moved !== undefined) {
    return new Response('', {
      status: 301,
      headers: { location: `https://api.github.com/repos/${moved.replace('#', '/issues/')}` },
    });
  }
  const isOurs = of === 'acme/incidents';
  const ticket = state.tickets.find(({ key }) => key === (isOurs ? `#${number}` : `${of}#${number}`));
  if (number !== undefined && ticket === undefined) return refused(404, 'Not Found');
  if (!isOurs && ticket === undefined) return refused(404, 'Not Found');
  if (ticket?.isGone) return refused(410, 'This issue was deleted');
  if (what === undefined) return Response.json({ full_name: of, has_issues: true, archived: false });
  if (what !== 'issues') return refused(404, 'Not Found');
  if (ticket === undefined && request.method === 'GET') {
    const { page = '1', per_page: size = '30' } = Object.fromEntries(url.searchParams);
    const newest = state.tickets.toReversed().filter(({ isGone }) => !isGone);
    const from = (Number(page) - 1) * Number(size);
    return Response.json(newest.slice(from, from + Number(size)).map(shown));
  }
  if (ticket === undefined) {
    const { title, body } = fields(sent, ['title', 'body', 'labels', 'assignees', 'milestone', 'type']);
    if (text(title) === '') return refused(422, 'Invalid request.\n\n"title" wasn\'t supplied.');
    const made = add(state, {
      key: `#${state.tickets.length + 1}`,
      title: text(title),
      body: text(body),
      state: 'open',
    });
    return Response.json(shown(made), { status: 201 });
  }
  if (more === undefined) return Response.json(shown(ticket));
  if (more !== 'comments') return refused(404, 'Not Found');
  if (request.method === 'GET') return Response.json(ticket.comments);
  const { body } = fields(sent, ['body']);
  ticket.comments.push({ id: String(ticket.comments.length), body: text(body) });
  return Response.json({ id: 1 }, { status: 201 });
}

/** The text of a document of Jira, a line a block. */
export function wordsOfDocument(node: unknown): string {
  const { type, text: own = '', content = [] } = Object(node);
  const within = content.map(wordsOfDocument).join(type === 'paragraph' ? '' : '\n');
  return `${own}${within}`;
}

function onJira(request: Request, url: URL, sent: unknown, state: State): Response {
  const expected = `Basic ${Buffer.from(`gumshoe@acme.com:${TOKEN}`).toString('base64')}`;
  const errors = (status: number, errorMessages: string[], named: object = {}) =>
    Response.json({ errorMessages, errors: named }, { status });
  if (request.headers.get('authorization') !== expected)
    return errors(401, ['Client must be authenticated to access this resource.']);
  const [, , , version, what, key = '', more] = url.pathname.split('/').map(decodeURIComponent);
  if (version !== '3') return errors(404, ['null for uri']);
  if (what === 'mypermissions') {
    const asks = (url.searchParams.get('permissions') ?? '').split(',');
    return Response.json({
      permissions: Object.fromEntries(asks.map((one) => [one, { havePermission: one !== state.demands }])),
    });
  }
  if (what === 'search' && key === 'jql') {
    const { jql } = fields(sent, ['jql', 'fields', 'maxResults', 'nextPageToken', 'reconcileIssues']);
    const [, project, label] = /^project = "(\w+)" AND labels = "([\w-]+)"$/u.exec(text(jql)) ?? [];
    if (project !== 'FIX') return errors(400, ['Unbounded JQL queries are not allowed here.']);
    state.lag -= 1;
    const found = state.tickets.filter(({ labels, isGone }) => !isGone && labels.includes(label ?? ''));
    return Response.json({
      issues: state.lag >= 0 ? [] : found.map((one) => ({ id: one.id, key: one.key })),
      isLast: true,
    });
  }
  if (what !== 'issue') return errors(404, ['null for uri']);
  if (key === 'createmeta') return meta(url, state);
  if (key === '') {
    const all = fields(Object(sent).fields, ['project', 'issuetype', 'summary', 'description', 'labels']);
    if (Object(all.project).key !== 'FIX') return errors(400, [], { project: 'valid project is required' });
    if (Object(all.issuetype).name !== 'Task')
      return errors(400, [], { issuetype: 'Specify a valid issue type' });
    if (state.demands !== '') return errors(400, [], { [state.demands]: 'Team is required.' });
    if (/^$|\n/u.test(text(all.summary))) return errors(400, [], { summary: 'must be one line' });
    const body = wordsOfDocument(documentIn(all.description));
    const labels = Array.isArray(all.labels) ? all.labels.map(text) : [];
    const made = add(state, {
      key: `FIX-${state.tickets.length + 12}`,
      title: text(all.summary),
      body,
      labels,
      state: 'To Do',
    });
    return Response.json({ id: '1', key: made.key, self: url.href }, { status: 201 });
  }
  const now = state.moved.get(key) ?? key;
  const ticket = state.tickets.find((one) => one.key === now && !one.isGone);
  if (ticket === undefined)
    return errors(404, ['Issue does not exist or you do not have permission to see it.']);
  if (more === undefined) return Response.json({ key: now, fields: { status: { name: ticket.state } } });
  if (request.method === 'GET')
    return Response.json({ comments: ticket.comments.map(({ body }) => ({ body: JSON.parse(body) })) });
  const { body } = fields(sent, ['body']);
  ticket.comments.push({ id: '1', body: JSON.stringify(documentIn(body)) });
  return Response.json({ id: '1' }, { status: 201 });
}

function meta(url: URL, state: State): Response {
  const isType = url.pathname.endsWith('/issuetypes/10001');
  if (!isType)
    return Response.json({ issueTypes: [{ id: '10001', name: 'Task', subtask: false }], total: 1 });
  const field = (fieldId: string, name: string) => ({
    fieldId,
    name,
    required: true,
    hasDefaultValue: false,
  });
  const demanded = state.demands.startsWith('customfield') ? [field(state.demands, 'Team')] : [];
  return Response.json({ fields: [field('summary', 'Summary'), field('project', 'Project'), ...demanded] });
}

const NODES = ['doc', 'paragraph', 'text', 'bulletList', 'listItem'];

/** Jira takes no text without words, and no node that it does not know. */
function documentIn(value: unknown): unknown {
  const check = (node: unknown): void => {
    const { type, text: own, content = [] } = fields(node, ['type', 'version', 'text', 'marks', 'content']);
    if (!NODES.includes(text(type)) || (type === 'text') !== (text(own) !== ''))
      throw new Error('INVALID_INPUT');
    for (const one of Array.isArray(content) ? content : []) check(one);
  };
  if (Object(value).version !== 1) throw new Error('INVALID_INPUT');
  check(value);
  return value;
}

function onLinear(request: Request, url: URL, sent: unknown, state: State): Response {
  const errors = (status: number, code: string, message: string) =>
    Response.json(
      {
        errors: [
          { message, extensions: { code, type: code.toLowerCase(), userPresentableMessage: message } },
        ],
      },
      { status },
    );
  if (url.href !== 'https://api.linear.app/graphql') return new Response('', { status: 404 });
  if (request.headers.get('authorization') !== TOKEN)
    return errors(401, 'AUTHENTICATION_ERROR', 'Authentication required, not authenticated');
  const { query, variables } = fields(sent, ['query', 'variables']);
  const asked = text(query);
  const given = fields(variables, ['reference', 'team', 'key', 'input']);
  const found = (key: unknown) =>
    state.tickets.find((one) => !one.isGone && (one.key === key || one.id === key));
  const gone = errors(200, 'INPUT_ERROR', 'Entity not found: Issue');
  const shown = (one: ScriptedTicket) => ({
    identifier: one.key,
    url: `https://linear.app/acme/issue/${one.key}`,
    description: one.body,
    trashed: null,
    state: { name: one.state },
    comments: { nodes: one.comments },
  });
  if (asked.includes('teams('))
    return Response.json({ data: { teams: { nodes: given.team === 'OPS' ? [{ id: 'team-1' }] : [] } } });
  if (asked.includes('issues(')) {
    const nodes = state.tickets.filter(({ body }) => body.includes(text(given.reference))).map(shown);
    return Response.json({ data: { issues: { nodes } } });
  }
  if (asked.includes('issueCreate(')) {
    const input = fields(given.input, ['id', 'teamId', 'title', 'description', 'labelIds', 'priority']);
    if (input.teamId !== 'team-1' || text(input.title) === '' || !UUID.test(text(input.id)))
      return errors(400, 'INPUT_ERROR', 'Argument Validation Error');
    if (state.tickets.some(({ id }) => id === input.id))
      return errors(200, 'INPUT_ERROR', 'Entity already exists');
    const made = add(state, {
      id: text(input.id),
      key: `OPS-${state.tickets.length + 3}`,
      title: text(input.title),
      body: text(input.description),
      state: 'Backlog',
    });
    return Response.json({ data: { issueCreate: { success: true, issue: shown(made) } } });
  }
  if (asked.includes('commentCreate(')) {
    const { id, issueId, body } = fields(given.input, ['id', 'issueId', 'body']);
    const ticket = found(issueId);
    if (ticket === undefined) return gone;
    if (!UUID.test(text(id))) return errors(400, 'INPUT_ERROR', 'id must be a UUID');
    if (ticket.comments.some((one) => one.id === id))
      return errors(200, 'INPUT_ERROR', 'Entity already exists');
    ticket.comments.push({ id: text(id), body: text(body) });
    return Response.json({ data: { commentCreate: { success: true } } });
  }
  const ticket = found(given.key);
  return ticket === undefined ? gone : Response.json({ data: { issue: shown(ticket) } });
}
