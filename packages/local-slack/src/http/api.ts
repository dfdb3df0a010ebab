import type { IncomingMessage, ServerResponse } from 'node:http';
import { SlackError } from '../errors.ts';
import { BrokenConnection, throughFaults } from '../faults.ts';
import { servePrivate, serveSignIn } from '../files/serve.ts';
import { takeUpload, UploadError } from '../files/upload.ts';
import { receiveWebhook } from '../incoming-webhooks.ts';
import { answerResponseUrl } from '../interact/reply.ts';
import { callMethod } from '../methods/index.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { answerJson, answerText, BodyError, readBody } from './body.ts';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(response: ServerResponse, { code, extra, retryAfter }: SlackError): void {
  const body = { ok: false, error: code, ...extra };
  if (retryAfter === undefined) answerJson(response, 200, body);
  else answerJson(response, 429, body, { 'retry-after': String(retryAfter) });
}

async function webApi(
  context: WorkspaceContext,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  if (!isRecord(body)) throw new SlackError('json_not_object');
  const { token: inBody, ...args } = { ...Object.fromEntries(url.searchParams), ...body };
  const [, bearer] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const token = bearer ?? (typeof inBody === 'string' ? inBody : undefined);
  const method = url.pathname.slice('/api/'.length);
  const answer = await throughFaults(context, method, () => callMethod(context, method, token, args));
  answerJson(response, 200, { ok: true, ...answer }, { 'x-oauth-scopes': context.manifest.scopes.join(',') });
}

async function respond(
  context: WorkspaceContext,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    answerResponseUrl(context, url.pathname.slice('/response/'.length), await readBody(request));
    answerText(response, 200, 'ok');
  } catch (cause) {
    if (!(cause instanceof SlackError)) throw cause;
    answerJson(response, 404, { ok: false, error: cause.code, ...cause.extra });
  }
}

/** The workspace's side of `/api/<method>` and `/response/<id>`. */
export function createApiHandler(context: WorkspaceContext) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    try {
      if (url.pathname.startsWith('/api/')) await webApi(context, url, request, response);
      else if (url.pathname.startsWith('/response/') && request.method === 'POST') {
        await respond(context, url, request, response);
      } else if (url.pathname.startsWith('/services/') && request.method === 'POST') {
        await receiveWebhook(context, url.pathname, request, response);
      } else if (url.pathname.startsWith('/upload/v1/') && request.method === 'POST') {
        const ticket = url.pathname.slice('/upload/v1/'.length);
        const { size } = await takeUpload(context, ticket, request);
        answerText(response, 200, `OK - ${size}`);
      } else if (url.pathname.startsWith('/files-pri/'))
        servePrivate(context, url.pathname, request, response);
      else if (url.pathname === '/signin') serveSignIn(response);
      else answerText(response, 404, 'Not found: the Web API is at /api/<method>.');
    } catch (cause) {
      if (cause instanceof BrokenConnection) request.socket.resetAndDestroy();
      else if (cause instanceof SlackError) refuse(response, cause);
      else if (cause instanceof UploadError) answerText(response, cause.status, cause.message);
      else if (cause instanceof BodyError)
        answerJson(response, 200, { ok: false, error: 'invalid_form_data' });
      else answerJson(response, 500, { ok: false, error: 'internal_error' });
    }
  };
}
