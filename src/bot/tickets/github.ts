import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { TicketSettings } from '../config.ts';
import { draftAsMarkdown, literalMarkdown, withoutMentions } from './draft.ts';
import {
  ask,
  detailOf,
  type Fetch,
  type Search,
  type Service,
  type Ticket,
  type Tracker,
  TrackerError,
  unlessGone,
} from './tracker.ts';

const PAGE = 100;
const MOST_PAGES = 10;
/** How far the clocks may be apart. */
const MARGIN_MS = 60 * 60_000;

const Made = z.looseObject({ number: z.number(), html_url: z.string() });
const GitHubIssue = Made.extend({
  state: z.string(),
  state_reason: z.string().nullish(),
  body: z.string().nullish(),
  created_at: z.string().optional(),
});

/** A repository's issues, through GitHub's REST API. */
export function github(
  { api, repository, token }: Extract<TicketSettings, { tracker: 'github' }>,
  fetch: Fetch,
  clock: Pick<Clock, 'now'>,
): Tracker {
  const issues = (of = repository) => `${api}/repos/${of}/issues`;
  const service: Service = {
    name: 'GitHub',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    fetch,
    clock,
    explain: (status, body) => explain(status, body, repository),
  };
  /** Of an issue that was transferred, the key names its repository. */
  const ticketOf = ({ number, html_url: url }: z.infer<typeof Made>): Ticket => {
    const [, of = repository] = /\/([\w.-]+\/[\w.-]+)\/issues\/\d+$/u.exec(url) ?? [];
    return { key: `${of.toLowerCase() === repository.toLowerCase() ? '' : of}#${number}`, url };
  };
  const at = (key: string) => {
    const [of = '', number = ''] = key.split('#');
    return `${issues(of === '' ? repository : of)}/${number}`;
  };

  /** The search lags behind, and the list does not. */
  async function find({ isSought, since }: Search, signal?: AbortSignal): Promise<Ticket | null> {
    const from = momentOf(since - MARGIN_MS);
    const query = `state=all&sort=created&direction=desc&since=${from}&per_page=${PAGE}`;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const list = await ask(
        { url: `${issues()}?${query}&page=${page}`, signal },
        z.array(GitHubIssue),
        service,
      );
      const found = list.find(({ body }) => isSought(body ?? ''));
      if (found !== undefined) return ticketOf(found);
      const oldest = list.at(-1)?.created_at ?? '';
      if (list.length < PAGE || (oldest !== '' && Date.parse(oldest) < since - MARGIN_MS)) return null;
    }
    return null;
  }

  return {
    name: service.name,
    find,
    owns: ({ key, url }) =>
      /#\d+$/u.test(key) && ticketOf({ number: Number(key.split('#')[1]), html_url: url }).key === key,
    create: async (draft, signal) => {
      const body = { title: withoutMentions(draft.title), body: draftAsMarkdown(draft) };
      return ticketOf(await ask({ url: issues(), method: 'POST', body, signal }, Made, service));
    },
    stateOf: async (key, signal) => {
      const issue = await unlessGone(ask({ url: at(key), signal }, GitHubIssue, service));
      if (issue === null) return null;
      const { state, state_reason: reason } = issue;
      const why = reason === 'not_planned' || reason === 'duplicate' ? ` as ${reason.replace('_', ' ')}` : '';
      return { ...ticketOf(issue), status: `${state}${why}` };
    },
    hasComment: async (key, { text }, signal) => {
      const since = momentOf(clock.now() - 24 * MARGIN_MS);
      const url = `${at(key)}/comments?since=${since}&per_page=${PAGE}`;
      const list = await ask(
        { url, signal },
        z.array(z.looseObject({ body: z.string().nullish() })),
        service,
      );
      return list.some(({ body }) => body?.trim() === literalMarkdown(text));
    },
    comment: async (key, { text }, signal) => {
      const body = { body: literalMarkdown(text) };
      await ask({ url: `${at(key)}/comments`, method: 'POST', body, signal }, z.unknown(), service);
    },
    check: async () => {
      const shape = z.looseObject({ has_issues: z.boolean().optional(), archived: z.boolean().optional() });
      const found = await ask({ url: `${api}/repos/${repository}` }, shape, service);
      if (found.archived === true || found.has_issues === false) throw switchedOff(repository);
      try {
        // Nothing else says what a fine-grained token may do. Without a title nothing is made.
        await ask({ url: issues(), method: 'POST', body: {} }, z.unknown(), service);
      } catch (error) {
        if (!(error instanceof TrackerError && error.status === 422)) throw error;
      }
      return `${repository} takes issues`;
    },
  };
}

function momentOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/u, '');
}

function switchedOff(repository: string): TrackerError {
  return new TrackerError(`${repository} takes no issues`, {
    fix: 'switch them on in its settings, or change GITHUB_TICKETS_REPOSITORY',
    isGone: true,
  });
}

function explain(status: number, body: unknown, repository: string): TrackerError | null {
  const detail = detailOf(body);
  switch (status) {
    case 401:
      return new TrackerError('GitHub does not accept the token', { fix: 'check GITHUB_TOKEN' });
    case 403:
      return new TrackerError(`GitHub does not permit it${detail === '' ? '' : ` (${detail})`}`, {
        fix: `let GITHUB_TOKEN write issues in ${repository} (fine-grained: Issues, read and write; classic: repo)`,
      });
    case 404:
      return new TrackerError('GitHub knows no such repository, or the token may not see it', {
        fix: `check GITHUB_TICKETS_REPOSITORY (${repository}) and what GITHUB_TOKEN may see`,
        isGone: true,
      });
    case 410:
      return switchedOff(repository);
    case 301:
    case 302:
    case 307:
    case 308:
      return new TrackerError('The repository has moved', { fix: 'correct GITHUB_TICKETS_REPOSITORY' });
    default:
      return null;
  }
}
