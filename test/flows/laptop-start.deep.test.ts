import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { wordsOf } from '../support/alerts.ts';
import { type Laptop, type LaptopOptions, runLaptop, startLaptop } from '../support/laptop.ts';
import { unusedPort } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

let laptop: Laptop | undefined;
let other: Server | undefined;

afterEach(async () => {
  await laptop?.end();
  other?.close();
  laptop = undefined;
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
async function refused(options: LaptopOptions): Promise<string[]> {
  laptop = await startLaptop(options);
  expect(await laptop.program.ended).toBe(1);
  return laptop.program.output().trimEnd().split('\n');
}

describe('npm start', () => {
  it('begins with the scenario that is named, and has health and metrics on METRICS_PORT', async () => {
    const METRICS_PORT = await freePort();
    laptop = await runLaptop({ words: ['--scenario', 'payments-deploy'], env: { METRICS_PORT } });
    const { alerts } = laptop;
    expect(laptop.program.output()).toContain('Playing the scenario "payments-deploy".');
    expect((await fetch(`http://127.0.0.1:${METRICS_PORT}/readyz`)).status).toBe(200);
    expect((await laptop.ask('/readyz')).body).not.toContain('"ready"');
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
      expect.stringMatching(/^Gumshoe exited before it was up/),
    ]);
  });

  it('ends with 1 where another one runs on the same database', async () => {
    const first = await runLaptop();
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
    laptop = await runLaptop();
    laptop.program.process.kill('SIGINT');
    laptop.program.process.kill('SIGINT');
    expect(await laptop.program.ended).toBe(0);
    await expect(laptop.ask('/healthz')).rejects.toThrow('fetch failed');
    expect(laptop.program.output()).not.toMatch(/"level":50|ended/);
  });

  it('while it starts stops it too', async () => {
    laptop = await startLaptop({ env: { LOG_LEVEL: 'info' } });
    const { ask, program } = laptop;
    await until('the page answers', () =>
      ask('/').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    program.process.kill('SIGINT');
    expect(await program.ended).toBe(0);
  });

  // Only where the system says which processes somebody has started can the bot be found, and held.
  it.runIf(process.platform === 'linux')('a second time ends at once, with 1', async () => {
    laptop = await runLaptop();
    const { pid = 0 } = laptop.program.process;
    const bot = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    process.kill(bot, 'SIGSTOP');
    let over = false;
    void laptop.program.ended.then(() => {
      over = true;
    });
    const { program } = laptop;
    await until('it has ended', () => {
      program.process.kill('SIGINT');
      return over;
    });
    expect(await program.ended).toBe(1);
  });
});
