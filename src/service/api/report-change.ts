import { createHash, timingSafeEqual } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { GuessLimit } from '../../lib/mcp-keys.ts';
import { misspeltFields } from '../../lib/misspelt.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { ChangeStore, ReportedContents } from '../store/changes.ts';
import { described, filesIn } from '../telemetry/changes/contents.ts';
import { ApiError, admitted, invalid, invalidFields, limitBody, type ServiceEnv } from './middleware.ts';

interface ReportOptions {
  changes: ChangeStore;
  /** `CHANGES_TOKEN`; `null` accepts nothing. */
  token: string | null;
  guesses: GuessLimit;
  clock: Clock;
  metrics: ServiceMetrics;
}

/** Tolerated clock skew; a change planned for later has not happened yet. */
const AHEAD_MS = 5 * 60_000;

const text = (most: number) => z.string().trim().min(1).max(most);

/** Not part of the contract, so a field that nobody can have meant for one of these is ignored. */
const Report = z.object({
  service: text(200),
  kind: text(60),
  title: text(500),
  version: text(200).nullish(),
  at: z.iso.datetime({ offset: true, message: 'must be a time such as 2026-03-17T12:00:00Z' }).nullish(),
  url: z
    .url({ protocol: /^https?$/u, message: 'must be an http:// or https:// address' })
    .max(2000)
    .nullish(),
  before: text(200).nullish(),
  authors: z.array(text(200)).max(100).nullish(),
  files: z.array(text(500)).max(3000).nullish(),
  /** As `git diff` prints it; what is too long to be shown is cut off. */
  diff: z.string().nullish(),
});

/**
 * `POST /changes`: a pipeline reports a rollout. Stored before it is answered; 200 if it was known, 201 if it is new.
 */
export function reportChange({ changes, token, guesses, clock, metrics }: ReportOptions): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.post('/', requireToken(token, guesses), limitBody, async (c) => {
    const body: unknown = await c.req.json().catch((cause: unknown) => {
      throw new ApiError(400, 'invalid_request_error', 'The request body is not valid JSON', { cause });
    });
    const report = Report.safeParse(body);
    const slips = misspeltFields(body, Object.keys(Report.shape)).map(({ name, meant }) => ({
      path: [name],
      message: `is not a field of a change: did you mean ${meant}?`,
    }));
    if (!report.success) throw invalidFields([...slips, ...report.error.issues]);
    if (slips.length > 0) throw invalidFields(slips);
    const { service, kind, title, version = null, at = null, url = null } = report.data;
    const now = clock.now();
    const time = at === null ? now : Date.parse(at);
    if (time > now + AHEAD_MS)
      throw invalid('Invalid request: at', {
        at: 'must not lie in the future: report a change when it has happened',
      });
    const { change, isNew } = await changes.add(
      { at: time, service, kind, title, version, url, contents: contentsOf(report.data) },
      { isDated: at !== null, now },
    );
    metrics.changed(isNew ? 'new' : 'repeated');
    const { contents, ...reported } = change;
    return c.json({ ...reported, ...contents, at: new Date(reported.at).toISOString() }, isNew ? 201 : 200);
  });
  app.all('/', (c) => {
    c.header('Allow', 'POST');
    throw new ApiError(405, 'invalid_request_error', '/changes only supports POST');
  });
  return app;
}

/** The files are those that the diff names, unless they are listed. */
function contentsOf({ before, authors, files, diff }: z.infer<typeof Report>): ReportedContents | null {
  if (!before && !authors && !files && !diff) return null;
  const inDiff = filesIn(diff ?? '');
  const listed = (files ?? []).filter((path) => inDiff.every((file) => file.path !== path));
  const shown = described({
    commits: [],
    files: [...inDiff, ...listed.map((path) => ({ path, diff: '' }))],
    notes:
      diff && inDiff.length === 0 ? ['The diff that was reported is not in the format of git diff.'] : [],
  });
  return { ...shown, before: before ?? null, ...(authors && authors.length > 0 && { authors }) };
}

const CHANGES_TOKEN = {
  missing: 'Missing token: send Authorization: Bearer <CHANGES_TOKEN>',
  wrong: 'The token is not the CHANGES_TOKEN of this service',
};

function requireToken(token: string | null, guesses: GuessLimit): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    admitChange(c, guesses, token);
    await next();
  };
}

/** Throws where a request does not carry `CHANGES_TOKEN`. */
export function admitChange(c: Context, guesses: GuessLimit, token: string | null): void {
  if (token === null)
    throw new ApiError(
      404,
      'invalid_request_error',
      'This service does not accept changes: set CHANGES_TOKEN to turn POST /changes on',
    );
  admitted(c, guesses, (given) => isEqual(given, token) || undefined, CHANGES_TOKEN);
}

/** Constant-time comparison. */
function isEqual(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
