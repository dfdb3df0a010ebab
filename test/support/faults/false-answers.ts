import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ask, headOf } from '../proxies/forward.ts';
import type { Exchange } from '../proxies/proxy.ts';
import type { Fault, FaultKind } from './kinds.ts';

/** As a gateway writes it, whatever was asked for. */
const page = (title: string) =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
const html = { 'content-type': 'text/html' };
/** A stream is cut after so many characters at most: within its first words. */
const CUT_AFTER = 120;

const answers: Partial<Record<FaultKind, { status: number; headers: Record<string, string>; body: string }>> =
  {
    '429 with Retry-After': { status: 429, headers: { 'retry-after': '1' }, body: '' },
    '429 without Retry-After': { status: 429, headers: {}, body: '' },
    '500': {
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ok: false, error: 'internal_error', type: 'api_error', message: 'it broke' }),
    },
    '502': { status: 502, headers: html, body: page('502 Bad Gateway') },
    '503': { status: 503, headers: html, body: page('503 Service Unavailable') },
    HTML: { status: 200, headers: html, body: page('Sign in to the network') },
  };

/** Answers what the neighbor did not say, or not all of it, or not at all. */
export async function answerFalsely(
  { kind, effect }: Fault,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  target: URL,
): Promise<void> {
  const answer = effect === 'happens' ? await ask(request, target) : null;
  if (answer && kind === 'truncated stream') return cutShort(answer, response);
  const body = answer ? await text(answer) : '';
  const made = answers[kind];
  if (made) {
    response.writeHead(made.status, made.headers).end(made.body);
  } else if (answer && kind === 'truncated JSON') {
    const { status, headers } = headOf(answer);
    // Complete as far as HTTP can tell.
    const half = body.slice(0, Math.ceil(body.length / 2));
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(half) }).end(half);
  } else {
    response.destroy();
  }
}

/** Begins to answer, and is gone in the middle. */
async function cutShort(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers } = headOf(answer);
  response.writeHead(status, headers);
  let left = CUT_AFTER;
  for await (const chunk of answer) {
    const piece = Buffer.from(chunk).subarray(0, left);
    left -= piece.length;
    await new Promise((resolve) => response.write(piece, resolve));
    if (left <= 0) break;
  }
  answer.destroy();
  response.destroy();
}
