import { createHmac, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { type BodyBudget, createBodyBudget } from '../../lib/body-budget.ts';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import type { GuessLimit } from '../../lib/mcp-keys.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { ChangeStore } from '../store/changes.ts';
import { FLAG_TOOLS, type FlagChange } from '../telemetry/changes/flag-tools.ts';
import { serviceNamed } from '../telemetry/named-service.ts';
import { ApiError, invalid, type ServiceEnv } from './middleware.ts';
import { admitChange } from './report-change.ts';

interface FlagOptions {
  changes: ChangeStore;
  /** `CHANGES_TOKEN`, and `CHANGES_SECRETS` by the name of the tool. */
  token: string | null;
  secrets: ReadonlyMap<string, string>;
  guesses: GuessLimit;
  /** The services that there are now; none where nobody can tell soon. */
  services: () => Promise<readonly string[]>;
  clock: Clock;
  metrics: ServiceMetrics;
}

const MAX_BODY_BYTES = 1024 * 1024;
/** How far the clock of a tool that signs a time may be off. */
const MAX_SKEW_MS = 5 * 60_000;

/**
 * `POST /changes/<tool>`: a tool says that a feature flag was changed. Its signature is checked over the bytes as they
 * arrived; where no secret is set for it, it sends `CHANGES_TOKEN`. Stored before it is answered.
 */
export function reportFlag(options: FlagOptions): Hono<ServiceEnv> {
  const { changes, token, secrets, guesses, services, clock, metrics } = options;
  const bodies = createBodyBudget();
  const app = new Hono<ServiceEnv>();
  app.post('/:source', async (c) => {
    const source = c.req.param('source').toLowerCase();
    const tool = FLAG_TOOLS.get(source);
    if (tool === undefined)
      throw new ApiError(
        404,
        'invalid_request_error',
        `There is no such source of changes: use POST /changes, or /changes/ with one of ${[...FLAG_TOOLS.keys()].join(', ')}`,
      );
    const secret = tool.signing === null ? undefined : secrets.get(source);
    if (secret === undefined) admitChange(c, guesses, token);
    const body = await bodyOf(c, bodies);
    if (
      tool.signing !== null &&
      secret !== undefined &&
      !isSigned(c, body, tool.signing, secret, clock.now())
    ) {
      c.header('WWW-Authenticate', 'Signature');
      throw new ApiError(
        401,
        'authentication_error',
        `The body is not signed with the secret of ${source}, or long ago`,
      );
    }
    const json = parseJson(body.toString('utf8'));
    if (json === undefined) throw invalid('The request body is not valid JSON');
    const found = tool.read(json);
    if (found === null) throw invalid(`The body is not a webhook of ${source}`);
    // A signature is over the body alone: who replays it chooses the address.
    const address = secret === undefined ? addressOf(c.req.query('page')) : null;
    const known = found.length === 0 ? [] : await services();
    const now = clock.now();
    const stored = [];
    for (const change of found) {
      const service = serviceNamed({ ...change, name: change.flag }, known);
      const url = change.url ?? (address && (tool.pageBelow?.(address, change) ?? null));
      const { isNew } = await changes.add(
        { ...storedOf({ ...change, url }, service), at: Math.min(change.at ?? now, now) },
        { isDated: change.at !== null, now },
      );
      metrics.changed(isNew ? 'new' : 'repeated');
      stored.push({ flag: change.flag, service });
    }
    return c.json({ changes: stored }, stored.length > 0 ? 201 : 200);
  });
  return app;
}

function storedOf({ title, url, author }: FlagChange, service: string | null) {
  return {
    service: service ?? '',
    kind: 'flag',
    title,
    version: null,
    url,
    contents: author === null ? null : { before: null, details: null, authors: [author] },
  };
}

/** Where people open the tool, as the address of its webhook says. */
function addressOf(page: string | undefined): string | null {
  const url = URL.parse(page ?? '');
  return url === null || !/^https?:$/u.test(url.protocol)
    ? null
    : `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}

async function bodyOf(c: Context, bodies: BodyBudget): Promise<Buffer> {
  const stream = c.req.raw.body;
  const isLarge = Number(c.req.header('content-length') ?? 0) > MAX_BODY_BYTES;
  const empty = Buffer.alloc(0);
  const body = isLarge
    ? 'too_large'
    : stream === null
      ? empty
      : await bodies.read(Readable.fromWeb(stream), MAX_BODY_BYTES);
  if (typeof body !== 'string') return body;
  c.header('Connection', 'close');
  switch (body) {
    case 'too_large':
      throw new ApiError(413, 'invalid_request_error', 'The request body is larger than 1 MB');
    case 'broken_off':
      throw invalid('The request body was cut off');
    case 'no_room':
      throw new ApiError(503, 'api_error', 'Too many requests are arriving at once; send it again');
  }
}

type Signing = NonNullable<NonNullable<ReturnType<(typeof FLAG_TOOLS)['get']>>['signing']>;

function isSigned(
  c: Context,
  body: Buffer,
  { header, prefix = '', timestamp }: Signing,
  secret: string,
  nowMs: number,
): boolean {
  const given = c.req.header(header) ?? '';
  const hex = given.startsWith(prefix) ? given.slice(prefix.length) : '';
  if (!/^[0-9a-f]{64}$/iu.test(hex)) return false;
  const digest = createHmac('sha256', secret);
  if (timestamp !== undefined) {
    const stated = c.req.header(timestamp.header) ?? '';
    if (!/^\d{10,13}$/u.test(stated)) return false;
    const at = stated.length > 11 ? Number(stated) : Number(stated) * 1_000;
    if (Math.abs(at - nowMs) > MAX_SKEW_MS) return false;
    digest.update(timestamp.signed(stated));
  }
  return timingSafeEqual(digest.update(body).digest(), Buffer.from(hex, 'hex'));
}
