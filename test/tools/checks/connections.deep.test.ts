import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkTelemetry } from '../../../src/tools/checks/connections.ts';
import { doctor } from '../../../src/tools/doctor.ts';
import { call } from '../../support/call.ts';
import { projectFile, projectRoot } from '../../support/files.ts';
import { hasPrometheus, startPrometheus, type TestPrometheus } from '../../support/prometheus/prometheus.ts';
import { plainSystem } from '../../support/prometheus/systems.ts';
import { runTool } from '../../support/run-tool.ts';

describe.skipIf(!hasPrometheus())('the check of a real Prometheus', () => {
  let prometheus: TestPrometheus;
  beforeAll(async () => {
    prometheus = await startPrometheus(plainSystem(Math.floor(Date.now() / 15_000) * 15_000).history);
  });
  afterAll(() => prometheus?.stop());

  it('lists what was recognized, how far its samples reach, and what is seen of each service', async () => {
    const [found, seen] = await checkTelemetry({ PROMETHEUS_URL: prometheus.url });
    expect(found).toMatchObject({ name: 'prometheus', ok: true });
    expect(found?.detail).toMatch(/^Prometheus \S+ at \S+ answers: 4 services, 2 dependencies\.$/u);
    expect(found?.notes).toEqual([
      'Services: ledger, mailer, quotes, storefront.',
      expect.stringMatching(/^Recognized: .*OpenTelemetry HTTP, plain HTTP/u),
      'It scrapes every 15 s. It has samples of an hour or more. What is usual is learnt best from a week.',
    ]);
    expect(seen).toEqual({
      ...{ name: 'systems', ok: true, fix: null },
      detail: 'what is seen of each of 4 services, and what is missing:',
      notes: [
        'ledger: requests, errors, latency by code, saturation (memory); no calls',
        'mailer: requests, errors, latency by code, saturation (memory); no calls',
        'quotes: requests, errors, latency by code, calls, saturation (memory)',
        'storefront: requests, errors, latency by code, calls, saturation (memory)',
      ],
    });
  });
});

function portOf(address: AddressInfo | string | null): number {
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** A Prometheus with no metrics, behind a certificate of an authority that nobody knows. */
async function secured(): Promise<string> {
  const server = createServer(
    {
      key: projectFile('test/fixtures/tls/server-key.pem'),
      cert: projectFile('test/fixtures/tls/server.pem'),
    },
    (req, res) => {
      const data = req.url?.includes('buildinfo')
        ? { version: '3.1.0', revision: 'abc' }
        : req.url?.includes('label')
          ? []
          : { resultType: 'vector', result: [] };
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ status: 'success', data }));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${portOf(server.address())}`;
}

/** A proxy that notes whom it connects to. */
async function proxy(): Promise<{ url: string; connected: string[] }> {
  const connected: string[] = [];
  const server = createHttpServer().on('connect', (req, client, head) => {
    connected.push(req.url ?? '');
    const [host = '', port = ''] = (req.url ?? '').split(':');
    const target = connect(Number(port), host === 'localhost' ? '127.0.0.1' : host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(client);
      client.pipe(target);
    });
    for (const socket of [client, target]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}`, connected };
}

const trusting = (env: Record<string, string>) =>
  runTool('src/tools/doctor.ts', [], {
    DATABASE_URL: 'sqlite:./never-made.db',
    NODE_EXTRA_CA_CERTS: join(projectRoot, 'test/fixtures/tls/ca.pem'),
    ...env,
  });

it('a source behind a certificate authority of one’s own is not trusted unless Node is told of it', async () => {
  const url = await secured();
  const { stdout } = await call(doctor, [], {
    DATABASE_URL: 'sqlite:./never-made.db',
    PROMETHEUS_URL: url,
  });
  expect(stdout).toMatch(
    /✗ prometheus: Prometheus at https:\/\/localhost:\d+ has a certificate that is not trusted \(\w+\): set NODE_EXTRA_CA_CERTS to your certificate authority\./u,
  );
});

it('a source is reached through the proxy, but for hosts that are reached without', async () => {
  const url = await secured();
  const { url: proxyUrl, connected } = await proxy();
  const env = { PROMETHEUS_URL: url, HTTPS_PROXY: proxyUrl };
  const answers = /✓ prometheus: Prometheus 3\.1\.0 at https:\/\/localhost:\d+ answers: 0 services/u;
  expect((await trusting(env)).stdout).toMatch(answers);
  expect(new Set(connected)).toEqual(new Set([url.replace('https://', '')]));
  connected.length = 0;
  expect((await trusting({ ...env, NO_PROXY: 'localhost' })).stdout).toMatch(answers);
  expect(connected).toEqual([]);
});
