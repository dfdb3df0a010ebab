import { localhostAllowedOrigins, originValidationResponse } from '@modelcontextprotocol/server';
import { z } from 'zod';

const STREAM = 'text/event-stream';
/** What the protocol wants a client to accept; many send less. */
export const ACCEPT = `application/json, ${STREAM}`;

/** A refusal of browsers on sites that are not allowed; `undefined` for all other clients. */
export function refuseOrigin(request: Request, allowed: readonly string[]): Response | undefined {
  const origin = request.headers.get('origin');
  return origin !== null && allowed.includes(origin)
    ? undefined
    : originValidationResponse(request, localhostAllowedOrigins());
}

/** Answers a browser's preflight request, whose origin is allowed. */
export function preflight(request: Request): Response {
  const headers = {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '',
    'access-control-max-age': '600',
  };
  return forOrigin(request, new Response(null, { status: 204, headers }));
}

/** The response, readable by the page of an allowed origin that sent the request. */
export function forOrigin(request: Request, response: Response): Response {
  const origin = request.headers.get('origin');
  if (origin === null || origin === '') return response;
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', 'www-authenticate, retry-after');
  headers.append('vary', 'origin');
  return new Response(response.body, { status: response.status, headers });
}

const Message = z.looseObject({ id: z.union([z.string(), z.number()]) });

/** The response as one JSON document where the client has not said that it reads streams. */
export async function inAcceptedForm(request: Request, response: Response): Promise<Response> {
  const reads = request.headers.get('accept')?.toLowerCase() ?? '';
  const isStream = response.headers.get('content-type')?.startsWith(STREAM) === true;
  if (!isStream || reads.includes(STREAM)) return response;
  // Progress goes without an id; the one message with an id is the answer.
  const answer = (await response.text())
    .split(/\r?\n/u)
    .filter((line) => line.startsWith('data:') && line.slice('data:'.length).trim() !== '')
    .map((line): unknown => JSON.parse(line.slice('data:'.length)))
    .find((message) => Message.safeParse(message).success);
  return Response.json(answer ?? null, { status: response.status });
}

const WithoutArguments = z.looseObject({ params: z.looseObject({ arguments: z.null() }) });

/** The message without `arguments: null`, which means the same as none. */
export function withoutNullArguments(message: unknown): unknown {
  const found = WithoutArguments.safeParse(message).data;
  if (found === undefined) return message;
  const { arguments: _, ...params } = found.params;
  return { ...found, params };
}
