import { z } from 'zod';
import type { TicketSettings } from '../config.ts';

/** A ticket at a tracker. */
interface Ticket {
  /** As people call it: `FIX-12`, `#12`. */
  key: string;
  url: string;
}

/** What a ticket says; `reference` is ours, by which it is found again. */
export interface TicketDraft {
  title: string;
  /** Markdown; it ends with the reference. */
  body: string;
  reference: string;
}

/** A tracker refused or failed; the message says what to mend, for people. */
export class TrackerError extends Error {
  override name = 'TrackerError';
  /** Whether trying again can help. */
  readonly isFinal: boolean;
  /** When the tracker wants to be asked again, in milliseconds from now. */
  readonly retryAfterMs: number | null;
  constructor(message: string, isFinal: boolean, retryAfterMs: number | null = null) {
    super(message);
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface Tracker {
  name: string;
  /** The ticket that bears a reference; `null` if there is none. */
  find(reference: string): Promise<Ticket | null>;
  create(draft: TicketDraft): Promise<Ticket>;
  /** Its state in the tracker's words. */
  stateOf(key: string): Promise<string>;
  comment(key: string, text: string): Promise<void>;
}

type Fetch = typeof globalThis.fetch;

const TIMEOUT_MS = 15_000;
const MAX_DETAIL = 200;

export function createTracker(settings: TicketSettings, fetch: Fetch = globalThis.fetch): Tracker {
  switch (settings.tracker) {
    case 'github':
      return github(settings, fetch);
    case 'jira':
      return jira(settings, fetch);
    case 'linear':
      return linear(settings, fetch);
  }
}

interface Request {
  url: string;
  headers: Record<string, string>;
  method?: string;
  body?: unknown;
}

/** @throws TrackerError in words, which never hold a token */
async function ask<T>(
  { url, headers, method = 'GET', body }: Request,
  shape: z.ZodType<T>,
  { name, mend, fetch }: { name: string; mend: string; fetch: Fetch },
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new TrackerError(`${name} cannot be reached; I will keep trying.`, false);
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response, text, name, mend);
  const answer = shape.safeParse(text === '' ? null : parsed(text));
  if (!answer.success) throw new TrackerError(`${name} answered something that I do not understand.`, false);
  return answer.data;
}

function refusal(response: Response, text: string, name: string, mend: string): TrackerError {
  const { status, headers } = response;
  const wait = Number(headers.get('retry-after') ?? Number.NaN) * 1000;
  const isLimited = status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0');
  if (isLimited)
    return new TrackerError(
      `${name} allows no more requests for now.`,
      false,
      Number.isNaN(wait) ? 60_000 : wait,
    );
  if (status >= 500 || status === 408) return new TrackerError(`${name} answers with ${status}.`, false);
  if (status === 401) return new TrackerError(`${name} does not accept the token: check ${mend}.`, true);
  if (status === 403) return new TrackerError(`${name} does not permit it: check what ${mend} may do.`, true);
  if (status === 404)
    return new TrackerError(
      `${name} knows no such project, or the token may not see it: check ${mend}.`,
      true,
    );
  const said = detail(parsed(text));
  return new TrackerError(`${name} refuses it (${status})${said === '' ? '' : `: ${said}`}.`, true);
}

const Errors = z.looseObject({
  message: z.string().optional(),
  errors: z.unknown().optional(),
  errorMessages: z.array(z.string()).optional(),
});
const FieldErrors = z.union([
  z.array(
    z.looseObject({
      field: z.string().optional(),
      message: z.string().optional(),
      code: z.string().optional(),
    }),
  ),
  z.record(z.string(), z.string()),
]);

/** What the tracker demands, by field. */
function detail(body: unknown): string {
  const { message = '', errorMessages = [], errors } = Errors.safeParse(body).data ?? {};
  const fields = FieldErrors.safeParse(errors).data ?? [];
  const named = Array.isArray(fields)
    ? fields.map(({ field = '', message: why = '', code = '' }) =>
        [field, why || code].filter(Boolean).join(': '),
      )
    : Object.entries(fields).map(([field, why]) => `${field}: ${why}`);
  return [message, ...errorMessages, ...named].filter(Boolean).join('; ').slice(0, MAX_DETAIL);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const GitHubIssue = z.looseObject({
  number: z.number(),
  html_url: z.string(),
  state: z.string(),
  body: z.string().nullable(),
});

function github(
  { repository, token }: Extract<TicketSettings, { tracker: 'github' }>,
  fetch: Fetch,
): Tracker {
  const base = `https://api.github.com/repos/${repository}/issues`;
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'gumshoe',
  };
  const how = { name: 'GitHub', mend: 'GITHUB_TOKEN and GITHUB_TICKETS_REPOSITORY', fetch };
  const ticketOf = ({ number, html_url }: z.infer<typeof GitHubIssue>): Ticket => ({
    key: `#${number}`,
    url: html_url,
  });
  const at = (key: string) => `${base}/${key.replace('#', '')}`;
  return {
    name: 'GitHub',
    // The search lags behind; the list does not.
    find: async (reference) => {
      const list = await ask({ url: `${base}?state=all&per_page=100`, headers }, z.array(GitHubIssue), how);
      const found = list.find(({ body }) => body?.trimEnd().endsWith(reference));
      return found === undefined ? null : ticketOf(found);
    },
    create: async ({ title, body }) =>
      ticketOf(await ask({ url: base, headers, method: 'POST', body: { title, body } }, GitHubIssue, how)),
    stateOf: async (key) => (await ask({ url: at(key), headers }, GitHubIssue, how)).state,
    comment: async (key, body) => {
      await ask({ url: `${at(key)}/comments`, headers, method: 'POST', body: { body } }, z.unknown(), how);
    },
  };
}

const JiraKey = z.looseObject({ key: z.string() });

function jira(
  { url, project, user, token }: Extract<TicketSettings, { tracker: 'jira' }>,
  fetch: Fetch,
): Tracker {
  const base = `${url}/rest/api/3`;
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` };
  const how = { name: 'Jira', mend: 'JIRA_URL, JIRA_PROJECT, JIRA_USER and JIRA_TOKEN', fetch };
  const ticketOf = ({ key }: { key: string }): Ticket => ({ key, url: `${url}/browse/${key}` });
  const text = (words: string) => ({
    type: 'doc',
    version: 1,
    content: words
      .split(/\n{2,}/u)
      .filter((part) => part.trim() !== '')
      .map((part) => ({ type: 'paragraph', content: [{ type: 'text', text: part }] })),
  });
  return {
    name: 'Jira',
    find: async (reference) => {
      const body = {
        jql: `project = "${project}" AND labels = "${reference}"`,
        fields: ['status'],
        maxResults: 1,
      };
      const shape = z.looseObject({ issues: z.array(JiraKey) });
      const [found] = (await ask({ url: `${base}/search/jql`, headers, method: 'POST', body }, shape, how))
        .issues;
      return found === undefined ? null : ticketOf(found);
    },
    create: async ({ title, body, reference }) => {
      const fields = {
        project: { key: project },
        issuetype: { name: 'Task' },
        summary: title,
        description: text(body),
        labels: [reference],
      };
      return ticketOf(
        await ask({ url: `${base}/issue`, headers, method: 'POST', body: { fields } }, JiraKey, how),
      );
    },
    stateOf: async (key) => {
      const shape = z.looseObject({ fields: z.looseObject({ status: z.looseObject({ name: z.string() }) }) });
      return (await ask({ url: `${base}/issue/${key}?fields=status`, headers }, shape, how)).fields.status
        .name;
    },
    comment: async (key, words) => {
      const body = { body: text(words) };
      await ask({ url: `${base}/issue/${key}/comment`, headers, method: 'POST', body }, z.unknown(), how);
    },
  };
}

const LinearIssue = z.looseObject({ identifier: z.string(), url: z.string() });
const LinearAnswer = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
});

function linear({ team, token }: Extract<TicketSettings, { tracker: 'linear' }>, fetch: Fetch): Tracker {
  const how = { name: 'Linear', mend: 'LINEAR_TOKEN and LINEAR_TEAM', fetch };
  /** GraphQL answers errors with 200 too. */
  async function query<T>(text: string, variables: object, shape: z.ZodType<T>): Promise<T> {
    const headers = { authorization: token };
    const body = { query: text, variables };
    const { data, errors = [] } = await ask(
      { url: 'https://api.linear.app/graphql', headers, method: 'POST', body },
      LinearAnswer,
      how,
    );
    if (errors.length > 0)
      throw new TrackerError(
        `Linear refuses it: ${errors
          .map(({ message }) => message)
          .join('; ')
          .slice(0, MAX_DETAIL)}.`,
        true,
      );
    const answer = shape.safeParse(data);
    if (!answer.success) throw new TrackerError('Linear answered something that I do not understand.', false);
    return answer.data;
  }
  const ticketOf = ({ identifier, url }: z.infer<typeof LinearIssue>): Ticket => ({ key: identifier, url });
  const nodes = <T>(of: z.ZodType<T>) => z.looseObject({ nodes: z.array(of) });
  return {
    name: 'Linear',
    find: async (reference) => {
      const text =
        'query($team: String!, $reference: String!) { issues(first: 1, filter: { team: { key: { eq: $team } }, description: { contains: $reference } }) { nodes { identifier url } } }';
      const found = await query(text, { team, reference }, z.looseObject({ issues: nodes(LinearIssue) }));
      const [issue] = found.issues.nodes;
      return issue === undefined ? null : ticketOf(issue);
    },
    create: async ({ title, body }) => {
      const teams = 'query($team: String!) { teams(filter: { key: { eq: $team } }) { nodes { id } } }';
      const known = await query(
        teams,
        { team },
        z.looseObject({ teams: nodes(z.looseObject({ id: z.string() })) }),
      );
      const teamId = known.teams.nodes[0]?.id;
      if (teamId === undefined)
        throw new TrackerError(`Linear knows no team ${team}: check LINEAR_TEAM, which is its key.`, true);
      const text =
        'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { issue { identifier url } } }';
      const shape = z.looseObject({ issueCreate: z.looseObject({ issue: LinearIssue }) });
      return ticketOf(
        (await query(text, { input: { teamId, title, description: body } }, shape)).issueCreate.issue,
      );
    },
    stateOf: async (key) => {
      const text = 'query($key: String!) { issue(id: $key) { state { name } } }';
      const shape = z.looseObject({ issue: z.looseObject({ state: z.looseObject({ name: z.string() }) }) });
      return (await query(text, { key }, shape)).issue.state.name;
    },
    comment: async (key, body) => {
      const text = 'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success } }';
      await query(text, { input: { issueId: key, body } }, z.unknown());
    },
  };
}
