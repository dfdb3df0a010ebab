import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { projectFile } from '../support/files.ts';
import { unusedPort } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

/** Debian has it outside of an ordinary user's path. */
const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx'].find(existsSync);

/** The proxy of deploy/compose.yaml in front of a server that counts what reaches it. */
async function startProxy() {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-proxy-'));
  const seen: string[] = [];
  const behind = createServer((incoming, response) => {
    seen.push(incoming.url ?? '');
    incoming.resume().on('end', () => response.end('taken'));
  });
  const botPort = await unusedPort();
  await new Promise<void>((done) => behind.listen(botPort, '127.0.0.1', done));
  const port = await unusedPort();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
    ...['-keyout', key, '-out', certificate],
  ]);
  expect(made.status).toBe(0);
  const config = projectFile('deploy/proxy/nginx.conf')
    .replace('server bot:3000', `server 127.0.0.1:${botPort}`)
    .replace('listen 8443', `listen 127.0.0.1:${port}`)
    .replace('/run/secrets/tls-certificate', certificate)
    .replace('/run/secrets/tls-key', key)
    .replaceAll('/tmp/', `${folder}/`);
  writeFileSync(join(folder, 'nginx.conf'), config);
  // Where it starts as root, its workers would be somebody who may not read this folder.
  const more = process.getuid?.() === 0 ? 'daemon off; user root;' : 'daemon off;';
  const proxy = spawn(NGINX ?? 'nginx', ['-c', join(folder, 'nginx.conf'), '-g', more], { stdio: 'ignore' });
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  onTestFinished(async () => {
    proxy.kill('SIGTERM');
    await agent.destroy();
    behind.closeAllConnections();
    behind.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const post = (path: string, body: string) =>
    request(`https://127.0.0.1:${port}${path}`, { method: 'POST', body, dispatcher: agent });
  await until('the proxy answers', async () => {
    if (proxy.exitCode !== null) throw new Error(`nginx ended with ${proxy.exitCode}`);
    return (await post('/ready', '').catch(() => null))?.statusCode === 200;
  });
  return { port, post, seen };
}

describe.skipIf(NGINX === undefined)('deploy/proxy/nginx.conf', () => {
  it('passes a whole request on, and none that is too large', async () => {
    const { post, seen } = await startProxy();
    const taken = await post('/alerts/one', 'x'.repeat(1024 * 1024));
    expect([taken.statusCode, await taken.body.text()]).toEqual([200, 'taken']);
    const refused = await post('/alerts/two', 'x'.repeat(5 * 1024 * 1024)).catch(() => null);
    expect(refused?.statusCode ?? 413).toBe(413);
    expect(seen.filter((path) => path.startsWith('/alerts'))).toEqual(['/alerts/one']);
  });

  it('passes no unfinished request on, and takes so many connections of an address', async () => {
    const { port, seen } = await startProxy();
    const open = Array.from({ length: 30 }, () =>
      connect({ port, host: '127.0.0.1', rejectUnauthorized: false }),
    );
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
    });
    const answers: string[] = [];
    for (const socket of open) {
      socket.on('error', () => undefined).on('data', (data) => answers.push(String(data).slice(0, 12)));
      socket.write('POST /unfinished HTTP/1.1\r\nhost: gumshoe\r\ncontent-length: 100\r\n\r\nhalf');
    }
    await until('those beyond the bound are refused', () => answers.length >= 10);
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 429']));
    expect(answers).toHaveLength(10);
    expect(seen).not.toContain('/unfinished');
  });
});

it('is what compose mounts, and the ingress has the same bounds', () => {
  const compose: unknown = parse(projectFile('deploy/compose.yaml'), { merge: true });
  expect(compose).toMatchObject({
    services: {
      bot: { ports: ['127.0.0.1:3000:3000'] },
      proxy: { profiles: ['proxy'], volumes: ['./proxy/nginx.conf:/etc/nginx/nginx.conf:ro'] },
    },
  });
  const annotation = 'nginx.ingress.kubernetes.io';
  expect(parse(projectFile('deploy/kubernetes-ingress/ingress.yaml'))).toMatchObject({
    metadata: {
      annotations: {
        [`${annotation}/proxy-request-buffering`]: 'on',
        [`${annotation}/proxy-body-size`]: '4m',
        [`${annotation}/limit-connections`]: '20',
      },
    },
  });
});
