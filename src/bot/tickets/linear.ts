import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { TicketSettings } from '../config.ts';
import { draftAsMarkdown, literalMarkdown, withoutMentions } from './draft.ts';
import {
  ask,
  type Fetch,
  LinearError,
  type Service,
  type Ticket,
  type Tracker,
  TrackerError,
  unlessGone,
} from './tracker.ts';

const API = 'https://api.linear.app/graphql';

const LinearIssue = z.looseObject({ identifier: z.string(), url: z.string() });
const Answer = z.looseObject({ data: z.unknown().optional(), errors: z.array(LinearError).optional() });
const nodes = <T>(of: z.ZodType<T>) => z.looseObject({ nodes: z.array(of) });

const FIND =
  'query($reference: String!) { issues(first: 10, filter: { description: { contains: $reference } }) { nodes { identifier url description } } }';
const TEAM = 'query($team: String!) { teams(filter: { key: { eq: $team } }) { nodes { id } } }';
const CREATE =
  'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { identifier url } } }';
const STATE = 'query($key: String!) { issue(id: $key) { identifier url trashed state { name } } }';
const COMMENTS = 'query($key: String!) { issue(id: $key) { comments(first: 50) { nodes { id body } } } }';
const COMMENT = 'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success } }';

/** A team of Linear, through its GraphQL API. The ids of issues and comments are ours, so nothing is made twice. */
export function linear(
  { team, token }: Extract<TicketSettings, { tracker: 'linear' }>,
  fetch: Fetch,
  clock: Pick<Clock, 'now'>,
): Tracker {
  const service: Service = {
    name: 'Linear',
    // A personal key goes without a scheme.
    headers: { authorization: token.startsWith('lin_oauth_') ? `Bearer ${token}` : token },
    fetch,
    clock,
    explain: (status, body) => explain(status, Answer.safeParse(body).data?.errors ?? []),
  };
  /** GraphQL answers errors with 200 too. */
  async function query<T>(
    text: string,
    variables: object,
    shape: z.ZodType<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const body = { query: text, variables };
    const { data, errors = [] } = await ask({ url: API, method: 'POST', body, signal }, Answer, service);
    if (errors.length > 0) throw explain(200, errors);
    const answer = shape.safeParse(data);
    if (answer.success) return answer.data;
    throw new TrackerError('Linear answered something that cannot be understood', { isAmbiguous: true });
  }
  const ticketOf = ({ identifier, url }: z.infer<typeof LinearIssue>): Ticket => ({ key: identifier, url });

  async function teamId(signal?: AbortSignal): Promise<string> {
    const shape = z.looseObject({ teams: nodes(z.looseObject({ id: z.string() })) });
    const [found] = (await query(TEAM, { team }, shape, signal)).teams.nodes;
    if (found !== undefined) return found.id;
    throw new TrackerError(`Linear knows no team ${team}, or the key may not see it`, {
      fix: 'check LINEAR_TEAM, which is the key of a team, and LINEAR_TOKEN',
    });
  }

  return {
    name: service.name,
    owns: ({ key, url }) => !key.includes('#') && !url.includes('/browse/'),
    find: async ({ reference, isSought }, signal) => {
      const Described = LinearIssue.extend({ description: z.string().nullish() });
      const found = await query(FIND, { reference }, z.looseObject({ issues: nodes(Described) }), signal);
      const sought = found.issues.nodes.find(({ description }) => isSought(description ?? reference));
      return sought === undefined ? null : ticketOf(sought);
    },
    create: async (draft, signal) => {
      const shape = z.looseObject({ issueCreate: z.looseObject({ issue: LinearIssue }) });
      const input = {
        id: draft.uuid,
        teamId: await teamId(signal),
        title: withoutMentions(draft.title),
        description: draftAsMarkdown(draft),
      };
      return ticketOf((await query(CREATE, { input }, shape, signal)).issueCreate.issue);
    },
    stateOf: async (key, signal) => {
      const Stated = z.looseObject({
        identifier: z.string().optional(),
        url: z.string().optional(),
        trashed: z.boolean().nullish(),
        state: z.looseObject({ name: z.string() }),
      });
      const shape = z.looseObject({ issue: Stated.nullable() });
      const issue = (await unlessGone(query(STATE, { key }, shape, signal)))?.issue ?? null;
      if (issue === null || issue.trashed === true) return null;
      const { identifier, url, state } = issue;
      return { key: identifier ?? key, url: url ?? `https://linear.app/issue/${key}`, status: state.name };
    },
    hasComment: async (key, { uuid, text }, signal) => {
      const One = z.looseObject({ id: z.string(), body: z.string() });
      const shape = z.looseObject({ issue: z.looseObject({ comments: nodes(One) }) });
      const { comments } = (await query(COMMENTS, { key }, shape, signal)).issue;
      return comments.nodes.some(({ id, body }) => id === uuid || body === literalMarkdown(text));
    },
    comment: async (key, { uuid, text }, signal) => {
      const input = { id: uuid, issueId: key, body: literalMarkdown(text) };
      await query(COMMENT, { input }, z.unknown(), signal);
    },
    check: async () => {
      await teamId();
      return `the key is accepted, and the team ${team} is there. Linear does not say what a key may do: it needs Read, Create issues and Create comments`;
    },
  };
}

function explain(status: number, errors: readonly z.infer<typeof LinearError>[]): TrackerError {
  const codes = errors.map(({ extensions: { code, type } }) => `${code} ${type}`.toLowerCase()).join(' ');
  const detail = errors
    .map(({ message, extensions }) => extensions.userPresentableMessage || message)
    .filter((text) => text !== '')
    .map((text) => text.replace(/[.\s]+$/u, ''))
    .join('; ')
    .slice(0, 300);
  const saying = detail === '' ? '' : ` (${detail})`;
  if (/ratelimited/u.test(codes))
    return new TrackerError('Linear allows no more requests for now', { retryAfterMs: 60_000 });
  if (status === 401 || /authentication/u.test(codes))
    return new TrackerError('Linear does not accept the key', { fix: 'check LINEAR_TOKEN' });
  if (status === 403 || /forbidden/u.test(codes))
    return new TrackerError(`Linear does not permit it${saying}`, {
      fix: 'give LINEAR_TOKEN the permissions Read, Create issues and Create comments, for the team of LINEAR_TEAM',
    });
  if (/internal/u.test(codes)) return new TrackerError(`Linear fails${saying}`, { isAmbiguous: true });
  return new TrackerError(detail === '' ? `Linear refuses it (${status})` : `Linear refuses it: ${detail}`, {
    isFinal: true,
    isGone: /entity not found/iu.test(errors.map(({ message }) => message).join(' ')),
  });
}
