import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../support/alerts.ts';
import { type Child, startChild, untilPrinted } from '../support/child.ts';
import { projectFile } from '../support/files.ts';
import { type Surroundings, startSurroundings } from '../support/program.ts';
import { hasPrometheus, startPrometheus, type TestPrometheus } from '../support/prometheus/prometheus.ts';
import { plainSystem } from '../support/prometheus/systems.ts';
import { until } from '../support/until.ts';

const BOB = 'U0BOB00001';
const QUARTER = 15_000;

/** The fenced blocks of docs/quickstart.md, by their language, in order. */
function blocks(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gmu');
  return [...projectFile('docs/quickstart.md').matchAll(fence)].map(([, text = '']) => text.trim());
}

/** Whether the lines that the document shows are in an output, in order; `…` stands for anything. */
function shows(output: string, lines: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  const patterns = lines.split('\n').map((line) => line.split('…').map(literal).join('.*'));
  return new RegExp(patterns.map((line) => `^${line}.*$`).join('[\\s\\S]*'), 'mu').test(output);
}

/** Step by step, with the local workspace in Slack's place, and a real Prometheus. */
describe.skipIf(!hasPrometheus())('docs/quickstart.md', () => {
  const [doctorSays = '', startSays = '', watch = '', report = '', ask = ''] = blocks('text');
  let around: Surroundings;
  let prometheus: TestPrometheus;
  let gumshoe: Child;

  beforeAll(async () => {
    around = await startSurroundings('socket');
    prometheus = await startPrometheus(plainSystem(Math.floor(Date.now() / QUARTER) * QUARTER).history);
  });
  afterAll(async () => {
    gumshoe?.process.kill('SIGKILL');
    await gumshoe?.ended;
    await prometheus?.stop();
    await around?.close();
  });

  /** The only addition to the three settings: where Slack is. */
  const slack = () => ({ SLACK_API_URL: around.workspace.apiUrl });
  const home = () => JSON.stringify(around.workspace.home(BOB)?.home.blocks ?? []);
  const type = (line: string) => {
    const [command = '', ...words] = line.split(' ');
    const channel = around.workspace.channels.general;
    return around.workspace.command({ as: BOB, channel, command, text: words.join(' ') });
  };
  const thread = () => {
    const general = around.workspace.channels.general;
    const card = around.workspace.messages(general).find((one) => /#1 /u.test(wordsOf(one)));
    return card === undefined ? [] : around.workspace.messages(general, card.ts);
  };

  it('checks the three settings', async () => {
    const values: Record<string, string> = {
      SLACK_BOT_TOKEN: around.workspace.botToken,
      SLACK_APP_TOKEN: around.workspace.appToken,
      PROMETHEUS_URL: prometheus.url,
    };
    const names = (blocks('ini')[0] ?? '').split('\n').map((line) => line.split('=')[0] ?? '');
    expect(names).toEqual(Object.keys(values));
    writeFileSync(join(around.folder, '.env'), names.map((name) => `${name}=${values[name]}`).join('\n'));
    const doctor = startChild('src/tools/doctor.ts', slack(), around.folder);
    expect(await doctor.ended).toBe(0);
    expect(doctor.output()).toSatisfy((output: string) => shows(output, doctorSays));
  });

  it('starts, and shows the first steps on the Home', async () => {
    gumshoe = startChild('src/start.ts', { ...slack(), PORT: '0' }, around.folder);
    await untilPrinted(gumshoe, /Press Ctrl-C/u);
    expect(gumshoe.output()).toSatisfy((output: string) => shows(output, startSays));
    // Opened at once, it may be older than the service's first answer.
    await until('the Home knows that the service answers', async () => {
      await around.workspace.openHome(BOB);
      return home().includes('✅ Connect the investigation service');
    });
    expect(home()).toContain('Getting started');
    expect(home()).toContain('👉 *Watch an alert channel*');
  });

  it('watches a channel', async () => {
    const [invite, command = ''] = watch.split('\n');
    expect(invite).toBe('/invite @Gumshoe');
    // The local workspace's own app is in every channel from the start.
    await around.workspace.kick(around.workspace.channels.general, BOB);
    await around.workspace.invite(around.workspace.channels.general, BOB);
    expect(await type(command)).toEqual({ ok: true });
    const form = await until('the form opens', () => around.workspace.views(BOB).at(-1));
    expect(form.modal).toMatchObject({ submit: { text: 'Watch' } });
    expect(await around.workspace.submit({ as: BOB, view_id: form.id, values: {} })).toEqual({ ok: true });
    await until('the Home ticks it off', () => home().includes('👉 *File the first issue*'));
  });

  it('investigates a report, and posts the verdict in its thread', async () => {
    expect(await type(report)).toEqual({ ok: true });
    const results = await until('the verdict is there', () =>
      thread().find((one) => /after a deploy/u.test(wordsOf(one))),
    );
    expect(wordsOf(results)).toContain('Degradation of ledger after a deploy');
    await until('the Home ticks it off', () => home().includes('👉 *Ask a follow-up question*'));
  });

  it('answers a question, and has nothing left to do', async () => {
    const { ts } = await until('the thread is there', () => thread()[0]);
    const channel = around.workspace.channels.general;
    const text = ask.replace('@Gumshoe', `<@${around.workspace.botUserId}>`);
    const asked = await around.workspace.post({ user: BOB, channel, thread_ts: ts, text });
    await until('the answer is there', () =>
      thread().some((one) => Number(one.ts) > Number(asked.ts) && /ledger/u.test(wordsOf(one))),
    );
    await until('the list is gone', () => !home().includes('Getting started'));
  });
});
