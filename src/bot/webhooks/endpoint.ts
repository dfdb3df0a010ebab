import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type BodyBudget, createBodyBudget } from '../../lib/body-budget.ts';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import { readInTurns, type WebhookFormat, type WebhookReading } from '../alerts/format.ts';
import { hasTooManyValues, TOO_MANY_VALUES } from '../alerts/payload.ts';
import { planByRequest, readPlanRequest } from '../settings/plan-requests.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import type { Store } from '../store/open.ts';
import { type Authentication, type FetchText, isAmazonSns, type Proof } from './authentication.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const RETRY_AFTER_SECONDS = '10';

/** The headers with which tools describe a payload. No header that could hold a secret is stored. */
const KEPT_HEADERS = ['sentry-hook-resource', 'x-amz-sns-message-type', 'x-amz-sns-topic-arn'];

/** What a request is answered with: no error means that it was accepted. */
interface Answer {
  status: 202 | 400 | 401 | 403 | 404 | 405 | 413 | 415 | 422 | 503;
  error?: string;
  /** What was left out of what was accepted, and why. */
  note?: string | undefined;
  /** For the metrics. */
  outcome: string;
  headers?: Record<string, string>;
}

interface EndpointOptions {
  formats: ReadonlyMap<string, WebhookFormat>;
  authentication: Authentication;
  /** Fetches the address with which an SNS subscription is confirmed. */
  fetchText: FetchText;
  store: Pick<Store, 'transaction'>;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/**
 * Answers `POST /alerts/<source>`: a webhook is authenticated, read once to see whether it can be, and stored; only then
 * is it accepted (202). 503 means that it was not stored, and is worth sending again.
 */
export function createWebhookEndpoint(options: EndpointOptions): RequestListener {
  const { formats, log, metrics } = options;
  const bodies = createBodyBudget();
  return (req, res) => {
    const source = sourceOf(req);
    const known = formats.has(source) ? source : 'unknown';
    take(source, req, bodies, options)
      .catch((error: unknown): Answer => {
        log.error({ err: error, source: known }, 'could not store a webhook; its sender should try again');
        return unavailable('It could not be stored; try again.', 'not_stored');
      })
      .then((answer) => {
        metrics.count('gumshoe_webhooks_total', { source: known, outcome: answer.outcome });
        if (answer.status === 401)
          log.warn({ source: known, outcome: answer.outcome }, 'rejected a webhook: authentication failed');
        respond(res, answer);
      })
      .catch((error: unknown) => log.warn({ err: error, source: known }, 'could not answer a webhook'));
  };
}

function sourceOf({ url = '' }: IncomingMessage): string {
  const [, source = ''] = /^\/alerts\/([\w-]{1,60})\/?(?:\?|$)/u.exec(url) ?? [];
  return source.toLowerCase();
}

async function take(
  source: string,
  req: IncomingMessage,
  bodies: BodyBudget,
  options: EndpointOptions,
): Promise<Answer> {
  const format = options.formats.get(source);
  if (format === undefined) {
    return closing(
      404,
      'There is no such source: use POST /alerts/<source>, for example alertmanager.',
      'unknown',
    );
  }
  const request = await authenticated(source, req, bodies, options);
  return 'status' in request ? request : accept(format, request, options);
}

/** A request whose sender is known. */
interface Request {
  type: string;
  headers: Record<string, string>;
  proof: Proof;
  text: string;
}

async function authenticated(
  source: string,
  req: IncomingMessage,
  bodies: BodyBudget,
  { authentication, log }: Pick<EndpointOptions, 'authentication' | 'log'>,
): Promise<Request | Answer> {
  if (req.method !== 'POST') {
    return {
      ...closing(405, 'Webhooks are sent with POST.', 'method'),
      headers: { allow: 'POST', connection: 'close' },
    };
  }
  if (!authentication.isOn(source)) {
    return closing(403, 'This source is off, because no secret is configured for it.', 'off');
  }
  const headers = plainHeaders(req);
  if (!authentication.canAuthenticate(source, headers)) return unauthorized();
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!isJson(type) && !type.startsWith('text/') && type !== '') {
    return closing(415, 'Send JSON, with Content-Type: application/json.', 'type');
  }
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLarge();
  const body = await bodies.read(req, MAX_BODY_BYTES);
  if (body === 'broken_off') return closing(400, 'The connection ended before the body did.', 'broken_off');
  if (body === 'too_large') return tooLarge();
  if (body === 'no_room') {
    return {
      ...closing(503, 'Too many bodies are arriving at once; send it again.', 'no_room'),
      headers: { connection: 'close', 'retry-after': RETRY_AFTER_SECONDS },
    };
  }
  const proof = await authentication.proofOf(source, { headers, body }).catch((error: unknown) => {
    log.warn({ err: error, source }, 'cannot verify a webhook yet; its sender should try again');
    return 'later' as const;
  });
  if (proof === 'later')
    return unavailable('Its signature cannot be verified now; try again.', 'not_verified');
  return proof === null ? unauthorized() : { type, headers, proof, text: body.toString('utf8') };
}

const PLANS = 'plans';

/** Answers `POST /plans`: planned work, as a pipeline or a calendar knows it. */
export function createPlansEndpoint(
  options: Omit<EndpointOptions, 'formats' | 'fetchText'>,
): RequestListener {
  const { log, metrics } = options;
  const bodies = createBodyBudget();
  return (req, res) => {
    authenticated(PLANS, req, bodies, options)
      .then((request) => ('status' in request ? request : plan(request, options)))
      .catch((error: unknown): Answer => {
        log.error({ err: error }, 'could not store planned work; its sender should try again');
        return unavailable('It could not be stored; try again.', 'not_stored');
      })
      .then((answer) => {
        metrics.count('gumshoe_webhooks_total', { source: PLANS, outcome: answer.outcome });
        respond(res, answer);
      })
      .catch((error: unknown) => log.warn({ err: error }, 'could not answer a plan'));
  };
}

async function plan(
  { text }: Request,
  { store, clock }: Pick<EndpointOptions, 'store' | 'clock'>,
): Promise<Answer> {
  const payload = parseJson(text);
  if (payload === undefined) return { status: 400, error: 'The body is not JSON.', outcome: 'not_json' };
  const now = clock.now();
  const asked = readPlanRequest(payload, now);
  if (typeof asked === 'string') return { status: 422, error: asked, outcome: 'refused' };
  const channels = await store.transaction((tx) => planByRequest(tx, asked, { by: 'from:webhook', now }));
  if (channels.length === 0)
    return {
      status: 422,
      error: 'That channel is not watched: run /gumshoe watch there.',
      outcome: 'refused',
    };
  return { status: 202, outcome: 'stored', note: `Planned in ${channels.join(', ')}.` };
}

/** Reads and stores a webhook whose sender is known. */
async function accept(
  format: WebhookFormat,
  { type, headers, proof, text }: Request,
  options: EndpointOptions,
): Promise<Answer> {
  if (hasTooManyValues(text)) return { status: 413, error: TOO_MANY_VALUES, outcome: 'too_many_values' };
  const payload = parseJson(text);
  const isText = type.startsWith('text/') && format.name !== 'cloudwatch';
  if (text.trim() === '' || (payload === undefined && !isText)) {
    return { status: 400, error: 'The body is not JSON.', outcome: 'not_json' };
  }
  const kept = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  const { store, clock } = options;
  const reading = await readOnce(format, payload === undefined ? text : payload, kept, options);
  if (reading.kind === 'refused') return { status: 422, error: reading.reason, outcome: 'refused' };
  if (reading.kind === 'nothing') return { status: 202, note: reading.reason, outcome: 'nothing' };
  if (reading.kind === 'confirm') return confirm(reading, options);
  if (proof.signed !== null && !proof.isTimed && isStale(reading, clock.now())) {
    return { status: 401, error: STALE, outcome: 'stale' };
  }
  const { signed, isTimed } = proof;
  // With a token, the same text may be another firing.
  const again = { same: signed, once: signed === null ? false : isTimed || ('for good' as const) };
  const webhook = { source: format.name, body: text, headers: kept, at: clock.now(), ...again };
  const isNew = await store.transaction((tx) => tx.webhooks.add(webhook));
  return { status: 202, note: reading.note, outcome: isNew ? 'stored' : 'repeated' };
}

/** What cannot be read now never can, so its sender is not to try again. */
async function readOnce(
  format: WebhookFormat,
  payload: unknown,
  headers: Record<string, string>,
  { log }: Pick<EndpointOptions, 'log'>,
): Promise<WebhookReading> {
  try {
    return await readInTurns(format, payload, headers);
  } catch (error) {
    log.error({ err: error, source: format.name }, 'could not read a webhook');
    return { kind: 'refused', reason: 'The body cannot be understood.' };
  }
}

/** A tool that cannot deliver at once tries again for a while. */
const MAX_AGE_MS = 60 * 60_000;
const STALE =
  'The time that the field map names is more than an hour off, so this may be a replay. Let `sent` in the map name when the tool sends it.';

/** Whether a body states when it was sent, and all of that is too long ago or in the future. */
function isStale({ sentAt }: Extract<WebhookReading, { kind: 'alerts' }>, nowMs: number): boolean {
  const times = (sentAt ?? []).map((time) => Math.abs(Date.parse(time) - nowMs));
  return times.length > 0 && Math.min(...times) > MAX_AGE_MS;
}

/** Subscribes to a topic of SNS, whose request has been verified. */
async function confirm(
  { topicArn, subscribeUrl }: Extract<WebhookReading, { kind: 'confirm' }>,
  { fetchText, log }: Pick<EndpointOptions, 'fetchText' | 'log'>,
): Promise<Answer> {
  if (!isAmazonSns(subscribeUrl)) {
    return { status: 422, error: 'SubscribeURL is not an address of Amazon SNS.', outcome: 'refused' };
  }
  try {
    await fetchText(subscribeUrl);
  } catch (error) {
    log.warn({ err: error, topic: topicArn }, 'could not confirm a subscription of SNS; it will ask again');
    return unavailable('The subscription could not be confirmed; try again.', 'not_confirmed');
  }
  log.info({ topic: topicArn }, 'confirmed a subscription of SNS');
  return { status: 202, outcome: 'confirmed' };
}

function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/[\w.-]+\+json$/u.test(type);
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** The body is not read: the connection ends with the answer. */
function closing(status: Answer['status'], error: string, outcome: string): Answer {
  return { status, error, outcome, headers: { connection: 'close' } };
}

function tooLarge(): Answer {
  return closing(413, 'The body is larger than 1 MiB.', 'too_large');
}

function unauthorized(): Answer {
  return closing(401, 'The request does not prove that it comes from this source.', 'unauthorized');
}

function unavailable(error: string, outcome: string): Answer {
  return { status: 503, error, outcome, headers: { 'retry-after': RETRY_AFTER_SECONDS } };
}

function respond(res: ServerResponse, { status, error, note, headers }: Answer): void {
  if (res.headersSent || res.destroyed) return;
  const text = JSON.stringify(error === undefined ? { status: 'accepted', note } : { error });
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text);
}
