import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { checkTracing } from '../../../src/tools/checks/tracing.ts';

async function receiver(): Promise<string> {
  const server = createServer((req, res) => {
    if (req.url !== '/otlp/v1/traces' || req.method !== 'POST') res.writeHead(404);
    else if (req.headers.authorization !== 'Bearer right') res.writeHead(401);
    res.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

const result = async (endpoint: string, authorization: string) => {
  const [check] = await checkTracing({ endpoint, headers: { authorization } });
  return [check?.ok, check?.detail, check?.fix];
};

it('the receiver of the traces is tried with its headers', async () => {
  const url = await receiver();
  expect(await result(`${url}/otlp/`, 'Bearer right')).toEqual([true, 'the receiver accepts traces', null]);
  expect(await result(`${url}/otlp`, 'Bearer wrong')).toEqual([
    false,
    'the receiver answers with 401',
    'check OTEL_EXPORTER_OTLP_HEADERS',
  ]);
  expect(await result(url, 'Bearer right')).toEqual([
    false,
    'the receiver answers with 404',
    expect.stringContaining('v1/traces must be below it'),
  ]);
});

it('a receiver that is not there is named', async () => {
  expect(await result('http://127.0.0.1:9', 'Bearer right')).toEqual([
    false,
    'the receiver cannot be reached',
    'check OTEL_EXPORTER_OTLP_ENDPOINT and that it is up',
  ]);
});

it('nothing is tried if traces are off', async () => {
  expect(await checkTracing(null)).toEqual([]);
});
