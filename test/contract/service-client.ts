import { Agent, type Dispatcher } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../src/contract/client/client.ts';
import { described, START, type TestService } from '../service/support.ts';
import type { SeenAnswer } from '../support/described.ts';
import { instantClock } from '../support/manual-clock.ts';

/** Gumshoe's own client of the service. When the test ends, every answer that it got is held to `openapi.json`. */
export async function serviceClient(service: TestService, apiKey = 'acme-key'): Promise<ServiceClient> {
  const { url } = service.service();
  const { faults } = await described(url);
  const seen: SeenAnswer[] = [];
  const agent = new Agent();
  const client = createServiceClient({
    url,
    apiKey,
    version: '2026-03-17',
    clock: instantClock(START),
    dispatcher: agent.compose(recordInto(seen, new URL(url).pathname)),
  });
  onTestFinished(async () => {
    await client.close();
    await agent.close();
    expect(seen).not.toEqual([]);
    expect(seen.flatMap((answer) => faults(answer))).toEqual([]);
  });
  return client;
}

function recordInto(seen: SeenAnswer[], basePath: string): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const path = (options.path.split('?')[0] ?? '').slice(basePath.length);
    const chunks: Buffer[] = [];
    const answer = { status: 0, headers: new Headers() };
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart: (controller, status, headers, message) => {
        answer.status = status;
        for (const [name, value] of Object.entries(headers)) answer.headers.append(name, String(value));
        handler.onResponseStart?.(controller, status, headers, message);
      },
      onResponseData: (controller, chunk) => {
        chunks.push(Buffer.from(chunk));
        handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (controller, trailers) => {
        seen.push({ method: options.method, path, ...answer, text: Buffer.concat(chunks).toString() });
        handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    });
  };
}
