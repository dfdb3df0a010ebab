import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { healthListener, listen, notFound } from '../../../src/bot/health/server.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';

/** Short beside what the slow clients here take, long beside what any other takes on a busy machine. */
const SHORT = { headersTimeout: 4_000, requestTimeout: 5_000, connectionsCheckingInterval: 50 };

async function serving() {
  const health = {
    phase: 'running',
    check: async () => undefined,
    problems: () => [],
  } as const;
  const reading: RequestListener = (req, res) => {
    if (req.url !== '/reads') return notFound(req, res);
    req.resume().on('end', () => res.end('read'));
  };
  const listener = healthListener(health, createMetrics(), reading);
  const server = await listen(listener, 0, '127.0.0.1', 'PORT', SHORT);
  onTestFinished(() => server.close());
  return server;
}

/** Sends the pieces 60 ms apart, and answers what came back when the other side closed. */
function slowly(port: number, pieces: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1');
    const rest = [...pieces];
    const timer = setInterval(() => {
      const next = rest.shift();
      if (next === undefined || socket.destroyed) clearInterval(timer);
      else socket.write(next);
    }, 60);
    socket.on('data', (bytes) => {
      heard += bytes.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(heard.split('\r\n')[0] ?? '');
    });
  });
}

describe('a client that never comes to an end', () => {
  it('of its headers is cut off', async () => {
    const { port } = await serving();
    const headers = Array.from({ length: 150 }, (_, n) => `X-${n}: y\r\n`);
    expect(await slowly(port, ['GET /healthz HTTP/1.1\r\nHost: x\r\n', ...headers])).toBe(
      'HTTP/1.1 408 Request Timeout',
    );
  });

  it('of its body is cut off, and others are served meanwhile', async () => {
    const { port, url } = await serving();
    const head = 'POST /reads HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n';
    const slow = slowly(port, [head, ...Array.from({ length: 150 }, () => 'x')]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await slow).toBe('HTTP/1.1 408 Request Timeout');
  });

  it('of headers that are too many is refused', async () => {
    const { port } = await serving();
    const request = `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`;
    expect(await slowly(port, [request])).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  });
});

describe('/healthz, /readyz and /metrics', () => {
  it.each(['/healthz', '/readyz', '/metrics'])('%s is only read', async (path) => {
    const { url } = await serving();
    const answers = ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => fetch(`${url}${path}`, { method }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 405, 405]);
  });

  it.each(['/healthz/', '/HEALTHZ', '/x/healthz', '//healthz'])('%s is not one of them', async (path) => {
    const { url } = await serving();
    expect((await fetch(`${url}${path}`)).status).toBe(404);
  });
});
