import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { wordsOf } from '../support/alerts.ts';
import { type Demo, type DemoOptions, runDemo, startDemo } from '../support/demo.ts';
import { unusedPort } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

let demo: Demo | undefined;
let other: Server | undefined;

afterEach(async () => {
  await demo?.end();
  other?.close();
  demo = undefined;
  other = undefined;
});

async function takePort(): Promise<string> {
  const server = createServer();
  other = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  return String(port);
}

async function freePort(): Promise<string> {
  return String(await unusedPort());
}

/** Everything it said, once it has ended with 1. */
async function refused(options: DemoOptions): Promise<string[]> {
  demo = await startDemo(options);
  expect(await demo.program.ended).toBe(1);
  return demo.program.output().trimEnd().split('\n');
}

describe('npm start', () => {
  it('begins with the scenario that is named, and has health and metrics on METRICS_PORT', async () => {
    const METRICS_PORT = await freePort();
    demo = await runDemo({ words: ['--scenario', 'payments-deploy'], env: { METRICS_PORT } });
    const { alerts } = demo;
    expect(demo.program.output()).toContain('Playing the scenario "payments-deploy".');
    expect((await fetch(`http://127.0.0.1:${METRICS_PORT}/readyz`)).status).toBe(200);
    expect((await demo.ask('/readyz')).body).not.toContain('"ready"');
    const root = await until('the alert is there', async () =>
      (await alerts()).find((message) => JSON.stringify(message).includes('checkout-api')),
    );
    await until('what broke is found', async () =>
      (await alerts(root.ts)).some((message) => /Bad deploy of payments/.test(wordsOf(message))),
    );
  });

  it('ends with 1 where the bot cannot start: its own sentence is the first', async () => {
    const METRICS_PORT = await takePort();
    expect(await refused({ env: { METRICS_PORT } })).toEqual([
      `Port ${METRICS_PORT} is already in use. Stop the other program, or set METRICS_PORT to a free port, for example METRICS_PORT=3001.`,
    ]);
  });

  it('ends with 1 where another one runs on the same database', async () => {
    const first = await runDemo();
    const said = await refused({ folder: first.folder });
    await first.end();
    expect(said).toEqual([
      expect.stringMatching(
        /^The embedded Slack or investigation service could not start .*no other Gumshoe is using it\.$/,
      ),
    ]);
  });
});

describe('Ctrl-C', () => {
  it('stops both in order, with 0, although npm sends it once more', async () => {
    demo = await runDemo();
    demo.program.process.kill('SIGINT');
    demo.program.process.kill('SIGINT');
    expect(await demo.program.ended).toBe(0);
    await expect(demo.ask('/healthz')).rejects.toThrow('fetch failed');
    expect(demo.program.output()).not.toMatch(/"level":50|ended/);
  });

  it('while it starts stops it too', async () => {
    demo = await startDemo({ env: { LOG_LEVEL: 'info' } });
    const { ask, program } = demo;
    await until('the page answers', () =>
      ask('/').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    program.process.kill('SIGINT');
    expect(await program.ended).toBe(0);
  });
});
