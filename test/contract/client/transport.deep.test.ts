import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startChild } from '../../support/child.ts';
import { errorOf, harness, UUID } from './harness.ts';

const CREATE = { title: 'Disk full', description: 'on pay-db-2', environment: 'production' };

/** A proxy that writes down where it should connect to, and refuses. */
async function startRefusingProxy(): Promise<{
  url: string;
  asked: string[];
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    asked,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

function behind(proxy: string, noProxy: string): void {
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, proxy);
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, noProxy);
}

describe('a proxy', () => {
  test('is used for HTTPS; while it refuses, nothing can have happened', async () => {
    await using proxy = await startRefusingProxy();
    behind(proxy.url, '');
    await using h = await harness([], { url: 'https://service.test/api/v2' });
    expect(await errorOf(h.client.issues.create(CREATE))).toMatchObject({
      name: 'UnreachableError',
      ambiguous: false,
    });
    expect(new Set(proxy.asked)).toEqual(new Set(['service.test:443']));
  });

  test('is not used for a host that NO_PROXY names', async () => {
    await using proxy = await startRefusingProxy();
    behind(proxy.url, 'service.invalid');
    await using h = await harness([], { url: 'https://service.invalid/api/v2' });
    expect(await errorOf(h.client.issues.create(CREATE))).toMatchObject({ name: 'UnreachableError' });
    expect(proxy.asked).toEqual([]);
  });

  test('is not used for the embedded service, which speaks plain HTTP', async () => {
    await using proxy = await startRefusingProxy();
    behind(proxy.url, '');
    const detail = { uuid: UUID, number: 1, status: 'muted' };
    await using h = await harness([{ json: detail }]);
    expect(await h.client.issues.get(UUID)).toEqual(detail);
    expect(proxy.asked).toEqual([]);
  });
});

describe('the pool of connections', () => {
  const DETAIL = { uuid: UUID, number: 1, status: 'muted' };

  test('holds sixteen at most, over which all calls arrive', async () => {
    const sockets = new Set<unknown>();
    const waiting: ServerResponse[] = [];
    let answering = false;
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      if (answering) answer(response);
      else waiting.push(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await using h = await harness([], { url: `http://127.0.0.1:${portOf(server)}/api/v2` });
    const calls = Array.from({ length: 40 }, () => h.client.issues.get(UUID));
    await expect.poll(() => waiting.length, { interval: 5 }).toBe(16);
    answering = true;
    for (const response of waiting) answer(response);
    expect(await Promise.all(calls)).toEqual(Array(40).fill(DETAIL));
    expect(sockets.size).toBe(16);
    await h.client.close();
    await new Promise((resolve) => server.close(resolve));
  });

  function answer(response: ServerResponse): void {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(DETAIL));
  }
});

test('a base address with a slash at its end is the same', async () => {
  await using h = await harness([]);
  h.service.script({ json: { uuid: UUID, number: 1, status: 'muted' } });
  await using other = await harness([], { url: `${h.service.url}/` });
  await other.client.issues.byNumber(1);
  expect(h.service.received[0]?.path).toBe('/api/v2/issues/by_number/1');
});

test('a call that has ended keeps nothing until its deadline', async () => {
  const issue = { uuid: UUID, number: 1, status: 'investigating' };
  await using h = await harness(Array.from({ length: 20 }, () => ({ json: issue })));
  const child = startChild('test/support/pending-signals.ts', {}, undefined, [h.service.url, UUID]);
  expect(await child.ended, child.output()).toBe(0);
  expect(Number(/left: (-?\d+)/u.exec(child.output())?.[1])).toBeLessThan(10);
});
