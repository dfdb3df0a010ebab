import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { doctor } from '../../src/tools/doctor.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { call } from '../support/call.ts';
import { startChild, untilPrinted } from '../support/child.ts';
import { type Echoing, echoing } from '../support/echoing.ts';
import { type Mode, SERVICE_KEY, startSurroundings } from '../support/program.ts';
import { tablesOfProgram } from '../support/program-database.ts';
import { unusedPort } from '../support/scripted-service.ts';
import { tablesOf } from '../support/tables-of.ts';
import { until } from '../support/until.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The program between a Slack and a service that say back what they hear where they fail. */
async function surrounded(mode: Mode) {
  const around = await startSurroundings(mode);
  closing.push(() => around.close());
  const service = await echoing(around.service.url, (echo) => ({
    type: 'api_error',
    message: `I do not like ${echo}`,
    request_id: 'req-1',
    details: { key: echo },
  }));
  const slack = await echoing(around.workspace.apiUrl, (echo) => ({
    ok: false,
    error: 'internal_error',
    echo,
    response_metadata: { messages: [`[ERROR] ${echo}`] },
  }));
  closing.push(service.close, slack.close);
  const port = String(await unusedPort());
  const env = {
    ...around.env,
    PORT: port,
    LOG_LEVEL: 'trace',
    ISSUE_SERVICE_URL: service.url,
    SLACK_API_URL: slack.url,
  };
  return { around, service, slack, env, url: `http://127.0.0.1:${port}` };
}

async function failing(server: Echoing, during: () => Promise<unknown>): Promise<void> {
  server.fails = true;
  await during();
  server.fails = false;
}

describe.each<Mode>(['socket', 'http'])('over %s', (mode) => {
  it('no secret is in anything that a run printed, posted, measured or stored', async () => {
    const { around, service, slack, env, url } = await surrounded(mode);
    const { workspace } = around;
    const child = startChild('src/main.ts', env);
    closing.push(async () => {
      child.process.kill('SIGKILL');
      await child.ended;
    });
    await untilPrinted(child, /Gumshoe is running/);
    if (mode === 'http') workspace.setDelivery(`${url}/slack/events`);
    const heard: string[] = [];
    const get = async (path: string) => {
      const answer = await fetch(`${url}${path}`);
      heard.push(`${JSON.stringify([...answer.headers])} ${await answer.text()}`);
    };

    const { ts } = await workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the card is ready', () =>
      repliesTo(around, ts).some((m) => /Ready to fix/.test(wordsOf(m))),
    );
    const write = (command: string, text: string) =>
      workspace.command({ as: 'U0ALICE001', channel: workspace.channels.alerts, command, text });
    await failing(service, async () => {
      await write('/issue', 'show 1');
      await write('/issue', 'resolve 1');
      await write('/ask', 'what is slow?');
      await workspace.post(alertmanagerAlert('Another', 'cart'));
      await untilPrinted(child, /could not fetch/);
      // What the service says back arrives, without the key.
      await untilPrinted(child, /Bearer \[\w+\]/);
      await get('/readyz');
    });
    await failing(slack, async () => {
      await workspace.post(alertmanagerAlert('Third', 'search'));
      await until('Slack has failed in each of its ways', () => slack.failures >= 4);
    });
    for (const path of ['/readyz', '/metrics', '/healthz', '/nothing']) await get(path);
    await fetch(`${url}/slack/events`, {
      method: 'POST',
      headers: { 'x-slack-signature': `v0=${'0'.repeat(64)}`, 'x-slack-request-timestamp': '1' },
      body: '{}',
    });
    for (const more of [
      {},
      { SLACK_BOT_TOKEN: 'xoxb-of-nobody-at-all', ISSUE_SERVICE_API_KEY: 'no-such-key' },
    ]) {
      const { stdout, stderr } = await call(doctor, [], { ...env, ...more });
      expect(stdout).not.toBe('');
      heard.push(stdout, stderr);
    }
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);

    // The workspace itself keeps its own credentials in `meta`.
    const { meta: _own, ...posted } = tablesOf(join(around.folder, 'workspace.db'));
    const stored = await tablesOfProgram(around);
    const places = { log: child.output(), heard, posted, stored };
    const secrets = [
      workspace.botToken,
      workspace.appToken,
      workspace.signingSecret,
      SERVICE_KEY,
      'xoxb-of-nobody-at-all',
      'no-such-key',
    ];
    const found = Object.entries(places).flatMap(([place, said]) => {
      const text = JSON.stringify(said);
      return [
        ...secrets.filter((secret) => text.includes(secret)),
        ...(text.match(/Bearer (?!\[)\S{5,}/gu) ?? []),
      ].map(
        (secret) =>
          `${place}: ${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 60)}`,
      );
    });
    expect(found).toEqual([]);
  });
});
