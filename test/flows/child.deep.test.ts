import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Child, startChild, untilPrinted } from '../support/child.ts';
import { projectRoot } from '../support/files.ts';
import { type Mode, type Surroundings, startSurroundings } from '../support/program.ts';
import { unusedPort } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

describe.each<Mode>(['socket', 'http'])('the program as a process of its own, over %s', (mode) => {
  let around: Surroundings;
  let child: Child;

  afterEach(async () => {
    child.process.kill('SIGKILL');
    await child.ended;
    await around.close();
  });

  it('tells the story, and stops on SIGTERM with exit code 0', async () => {
    around = await startSurroundings(mode);
    const port = String(await unusedPort());
    child = startChild('src/main.ts', { ...around.env, PORT: port, LOG_LEVEL: 'info' });
    await untilPrinted(child, /Gumshoe is running/);
    if (mode === 'http') around.workspace.setDelivery(`http://127.0.0.1:${port}/slack/events`);

    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the card is ready', () =>
      repliesTo(around, ts).some((m) => /Ready to fix/.test(wordsOf(m))),
    );
    await until('the results are there', () =>
      repliesTo(around, ts).some((m) => /Results of/.test(wordsOf(m))),
    );

    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    const secrets = [around.workspace.botToken, around.workspace.appToken, around.workspace.signingSecret];
    for (const secret of [...secrets, around.env.ISSUE_SERVICE_API_KEY ?? '']) {
      expect(child.output()).not.toContain(secret);
    }
  });
});

describe('npm start', () => {
  it('passes a SIGTERM on, so that nothing is left behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gumshoe-npm-'));
    const port = String(await unusedPort());
    const npm = spawn('npm', ['start'], {
      cwd: projectRoot,
      env: { ...process.env, DATABASE_URL: `sqlite:${join(folder, 'gumshoe.db')}`, PORT: port },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = new Promise<void>((resolve) => npm.on('close', () => resolve()));
    await until('it says what is embedded', () => /Investigation service: embedded/.test(output));
    const healthz = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        (answer) => answer.status,
        () => 'gone',
      );
    expect(await healthz()).toBe(200);
    npm.kill('SIGTERM');
    await ended;
    await until('the program is gone with it', async () => (await healthz()) === 'gone');
    rmSync(folder, { recursive: true, force: true });
  });
});
