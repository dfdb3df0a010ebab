import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { TicketSettings } from '../config.ts';
import {
  ask,
  detailOf,
  type Fetch,
  fieldsOf,
  type Service,
  type Ticket,
  type TicketDraft,
  type Tracker,
  TrackerError,
  unlessGone,
} from './tracker.ts';

type JiraSettings = Omit<Extract<TicketSettings, { tracker: 'jira' }>, 'issueType'> & { issueType: string };

const NEWEST_COMMENTS = 50;
const RIGHTS = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'ADD_COMMENTS'];

const Created = z.looseObject({ key: z.string() });
const Stated = z.looseObject({
  key: z.string().optional(),
  fields: z.looseObject({ status: z.looseObject({ name: z.string() }) }),
});

/** A project of Jira Cloud, through its REST API. */
export function jira(
  given: Extract<TicketSettings, { tracker: 'jira' }>,
  fetch: Fetch,
  clock: Pick<Clock, 'now'>,
): Tracker {
  const settings = { issueType: 'Task', ...given };
  const { url, project, user, token, issueType } = settings;
  const base = `${url}/rest/api/3`;
  const service: Service = {
    name: 'Jira',
    headers: { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` },
    fetch,
    clock,
    explain: (status, body) => explain(status, body, settings),
  };
  const ticketOf = ({ key }: { key: string }): Ticket => ({ key, url: `${url}/browse/${key}` });
  const issue = (key: string) => `${base}/issue/${encodeURIComponent(key)}`;
  return {
    name: service.name,
    owns: (ticket) => ticket.url === ticketOf(ticket).url,
    // A label is found sooner than words; the index may lag, so whoever asks asks again.
    find: async ({ reference }, signal) => {
      const jql = `project = "${project}" AND labels = "${reference}"`;
      const body = { jql, fields: ['key', 'status'], maxResults: 1 };
      const shape = z.looseObject({ issues: z.array(Created) });
      const { issues } = await ask(
        { url: `${base}/search/jql`, method: 'POST', body, signal },
        shape,
        service,
      );
      return issues[0] === undefined ? null : ticketOf(issues[0]);
    },
    create: async (draft, signal) => {
      const fields = {
        project: { key: project },
        issuetype: { name: issueType },
        summary: draft.title,
        description: draftAsDocument(draft),
        labels: [draft.reference],
      };
      return ticketOf(
        await ask({ url: `${base}/issue`, method: 'POST', body: { fields }, signal }, Created, service),
      );
    },
    stateOf: async (key, signal) => {
      const found = await unlessGone(ask({ url: `${issue(key)}?fields=status`, signal }, Stated, service));
      return found && { ...ticketOf({ key: found.key ?? key }), status: found.fields.status.name };
    },
    hasComment: async (key, { text }, signal) => {
      const shape = z.looseObject({ comments: z.array(z.looseObject({ body: z.unknown() })) });
      const newest = `${issue(key)}/comment?orderBy=-created&maxResults=${NEWEST_COMMENTS}`;
      const { comments } = await ask({ url: newest, signal }, shape, service);
      return comments.some(({ body }) => wordsIn(body) === text);
    },
    comment: async (key, { text }, signal) => {
      const body = { body: documentOf([paragraph(text)]) };
      await ask({ url: `${issue(key)}/comment`, method: 'POST', body, signal }, z.unknown(), service);
    },
    check: () => check(base, settings, service),
  };
}

async function check(base: string, { project, issueType }: JiraSettings, service: Service): Promise<string> {
  const Permissions = z.looseObject({
    permissions: z.record(z.string(), z.looseObject({ havePermission: z.boolean() })),
  });
  const asked = `projectKey=${project}&permissions=${RIGHTS.join(',')}`;
  const { permissions } = await ask({ url: `${base}/mypermissions?${asked}` }, Permissions, service);
  const missing = RIGHTS.filter((right) => permissions[right]?.havePermission !== true);
  if (missing.length > 0)
    throw new TrackerError(`JIRA_USER lacks ${missing.join(', ')} in ${project}`, {
      fix: 'check JIRA_PROJECT, and grant them in the permission scheme of the project',
    });
  const Types = z.looseObject({ issueTypes: z.array(z.looseObject({ id: z.string(), name: z.string() })) });
  const types = `${base}/issue/createmeta/${project}/issuetypes`;
  const { issueTypes } = await ask({ url: `${types}?maxResults=100` }, Types, service);
  const type = issueTypes.find(({ name }) => name === issueType);
  if (type === undefined)
    throw new TrackerError(`${project} has no issue type ${issueType}`, {
      fix: `set JIRA_ISSUE_TYPE to one of ${issueTypes.map(({ name }) => name).join(', ')}`,
    });
  const Fields = z.looseObject({
    fields: z.array(
      z.looseObject({
        fieldId: z.string(),
        name: z.string(),
        required: z.boolean(),
        hasDefaultValue: z.boolean().optional(),
      }),
    ),
  });
  const { fields } = await ask({ url: `${types}/${type.id}?maxResults=200` }, Fields, service);
  const ours = new Set(['project', 'issuetype', 'summary', 'description', 'labels', 'reporter']);
  const demanded = fields.filter(
    ({ fieldId, required, hasDefaultValue }) => required && hasDefaultValue !== true && !ours.has(fieldId),
  );
  if (demanded.length > 0)
    throw demands(
      demanded.map(({ name, fieldId }) => `${name} (${fieldId})`),
      issueType,
      project,
    );
  return `${project} takes issues of type ${issueType}`;
}

function demands(fields: readonly string[], type: string, project: string): TrackerError {
  return new TrackerError(`Jira demands what Gumshoe does not fill in (${fields.join('; ')})`, {
    fix: `make that optional for ${type} in ${project}, or give it a default value`,
  });
}

function explain(status: number, body: unknown, settings: JiraSettings): TrackerError | null {
  const { project, issueType } = settings;
  const detail = detailOf(body);
  const suffix = detail === '' ? '' : ` (${detail})`;
  switch (status) {
    case 401:
      return new TrackerError('Jira does not accept the token', { fix: 'check JIRA_USER and JIRA_TOKEN' });
    case 403:
      return new TrackerError(`Jira does not permit it${suffix}`, {
        fix: `let JIRA_USER browse ${project}, create issues and add comments there`,
      });
    case 404:
      return new TrackerError(`Jira does not find it${suffix}`, {
        fix: `check JIRA_URL, JIRA_PROJECT (${project}) and what JIRA_USER may see`,
        isGone: true,
      });
    case 400:
      return badRequest(fieldsOf(body), detail, settings);
    case 301:
    case 302:
    case 307:
    case 308:
      return new TrackerError('Jira redirects to another address', { fix: 'correct JIRA_URL' });
    default:
      return null;
  }

  function badRequest(fields: Readonly<Record<string, string>>, all: string, of: JiraSettings) {
    if (fields.project !== undefined)
      return new TrackerError(`Jira refuses the project (${fields.project})`, {
        fix: `check JIRA_PROJECT (${of.project}), and that JIRA_USER may create issues there`,
      });
    if (fields.issuetype !== undefined)
      return new TrackerError(`Jira refuses the issue type (${fields.issuetype})`, {
        fix: `set JIRA_ISSUE_TYPE (${issueType}) to a type that ${of.project} has`,
      });
    const named = Object.entries(fields).map(([field, why]) => `${field}: ${why.replace(/\.$/u, '')}`);
    if (named.length > 0) return demands(named, issueType, of.project);
    return new TrackerError(`Jira refuses it (400)${all === '' ? '' : `: ${all}`}`, { isFinal: true });
  }
}

/** A node of Jira's document format, in which text is literal. */
interface Node {
  type: string;
  text?: string;
  marks?: { type: string; attrs: { href: string } }[];
  content?: Node[];
}

function documentOf(content: Node[]) {
  return { type: 'doc', version: 1, content };
}

function paragraph(...texts: (string | Node)[]): Node {
  const content = texts.map((text) => (typeof text === 'string' ? { type: 'text', text } : text));
  return { type: 'paragraph', content };
}

/** A draft as a document; it ends with the reference. */
function draftAsDocument({ paragraphs, steps, slackUrl, reference }: TicketDraft) {
  const items = steps.map(({ text, done }) => ({
    type: 'listItem',
    content: [paragraph(`${done ? '☑' : '☐'} ${text}`)],
  }));
  return documentOf([
    ...paragraphs.filter((text) => text !== '').map((text) => paragraph(text)),
    ...(items.length === 0 ? [] : [{ type: 'bulletList', content: items }]),
    ...(slackUrl === null
      ? []
      : [
          paragraph('Slack: ', {
            type: 'text',
            text: slackUrl,
            marks: [{ type: 'link', attrs: { href: slackUrl } }],
          }),
        ]),
    paragraph(`Reference: ${reference}`),
  ]);
}

const Text = z.looseObject({ text: z.string().optional(), content: z.array(z.unknown()).optional() });

function wordsIn(node: unknown): string {
  const { text = '', content = [] } = Text.safeParse(node).data ?? {};
  return text + content.map(wordsIn).join('');
}
