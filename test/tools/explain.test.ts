import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain, explainCommand, explainPayload } from '../../src/tools/explain.ts';
import { fixtures, messageOf } from '../bot/alerts/fixtures.ts';
import { webhookFixture } from '../bot/alerts/webhooks/fixtures.ts';
import { call } from '../support/call.ts';

const KEYS =
  'file kind format title description severity environment service triggeredAt alertUrl host region version traceId spanId errorType errorMessage tags fingerprint';

const run = (...words: string[]) => call(explainCommand, words);
const pathOf = (name: string) => fixtures.get(name)?.path ?? '';
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

describe('explain', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gumshoe-explain-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('prints a JSON line for each file, in order, with every key in its place, and nothing else', async () => {
    const files = ['datadog-nodata', 'noise-channel-join', 'human-prod-down'].map(pathOf);
    const { code, stdout, stderr } = await run(...files);
    const lines = stdout.trimEnd().split('\n');
    expect({ code, stderr: linesOf(stderr), lines: lines.length }).toStrictEqual({
      code: 0,
      stderr: [],
      lines: 3,
    });
    const parsed = lines.map((line) => JSON.parse(line));
    expect(parsed.map((line) => line.file)).toStrictEqual(files);
    expect(parsed.map((line) => Object.keys(line).join(' '))).toStrictEqual([KEYS, KEYS, KEYS]);
    expect(parsed[0]).toMatchObject({
      kind: 'firing',
      format: 'datadog',
      environment: 'prod',
      host: 'web-14.prod',
    });
  });

  it('prints every field that a fixture states', async () => {
    const all = [...fixtures.values()];
    const { code, stdout, stderr } = await run(...all.map(({ path }) => path));
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, stderr: linesOf(stderr), files: lines.map(({ file }) => file) }).toStrictEqual({
      code: 0,
      stderr: [],
      files: all.map(({ path }) => path),
    });
    const said = new Map(lines.map((line, at) => [all[at]?.name ?? '', line]));
    for (const { name, expected } of all) {
      const {
        kind,
        notes: _n,
        environmentHint: _e,
        alertCount: _c,
        fingerprintSameAs: same,
        ...fields
      } = expected;
      const line = said.get(name);
      const picked = Object.fromEntries(Object.keys(fields).map((key) => [key, line[key]]));
      expect({ name, kind: line.kind, ...picked }).toStrictEqual({
        name,
        kind: kind === 'repeat' ? 'firing' : kind,
        ...fields,
      });
      const { fingerprint } = line;
      if (same && !name.startsWith('human-thread-reply'))
        expect({ name, fingerprint }).toStrictEqual({ name, fingerprint: said.get(same).fingerprint });
    }
  });

  it('explains the other files if one cannot be read, and says what is wrong with each', async () => {
    const write = async (name: string, content: string) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const bad: readonly (readonly [file: string, reason: string])[] = [
      [join(folder, 'missing.json'), 'there is no such file'],
      [folder, 'it is a directory; name the files in it'],
      [await write('empty.json', ' \n'), 'it is empty; save a Slack message event in it'],
      [await write('bad.json', '{"text": '), 'it is not JSON; save a Slack message event as Slack sends it'],
      [await write('list.json', '[]'), 'it is not a JSON object; save a Slack message event in it'],
    ];
    const { code, stdout, stderr } = await run(
      ...bad.map(([file]) => file),
      pathOf('grafana-unified-resolved'),
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout).kind).toBe('resolved');
    expect(linesOf(stderr)).toStrictEqual(bad.map(([file, reason]) => `${file}: cannot explain: ${reason}`));
  });

  it('reads plain text as a bot would post it, from a file or from standard input', async () => {
    const text = '[FIRING:1] HighErrorRate <checkout> & more';
    const file = join(folder, 'alert.txt');
    await writeFile(file, `${text}\n`);
    const { code, stdout } = await run(file);
    const { kind, title } = JSON.parse(stdout);
    expect({ code, kind, title }).toStrictEqual({
      code: 0,
      kind: 'firing',
      title: 'HighErrorRate <checkout> & more',
    });
  });

  it('says what a link to a message needs', async () => {
    const link = 'https://acme.slack.com/archives/C0123456789/p1795107800000100';
    const { code, stderr } = await run(link);
    expect({ code, stderr: linesOf(stderr) }).toStrictEqual({
      code: 1,
      stderr: [`${link}: cannot explain: a link is read from Slack: set SLACK_BOT_TOKEN, as the bot has it`],
    });
  });

  it('reads an event and an object that wraps one alike', () => {
    const message = messageOf('alertmanager-default-firing');
    const wrapped = explain('x', JSON.stringify({ message }));
    expect(explain('x', JSON.stringify(message))).toStrictEqual(wrapped);
    expect(explain('x', `\u{FEFF}${JSON.stringify(message)}`)).toStrictEqual(wrapped);
  });

  it('treats an edit as an event, not as a wrapper', () => {
    const { kind, title } = explain('x', JSON.stringify(messageOf('noise-message-changed-typo')));
    expect({ kind, title }).toStrictEqual({ kind: 'not_an_alert', title: 'prod checkout is down' });
  });

  it('prints a JSON line for each alert of a payload, with the keys of a message and those of payloads', async () => {
    const { code, stdout, stderr } = await run(
      '--source',
      'alertmanager',
      webhookFixture('alertmanager-group').path,
    );
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, stderr: linesOf(stderr), kinds: lines.map(({ kind }) => kind) }).toStrictEqual({
      code: 0,
      stderr: [],
      kinds: ['firing', 'resolved', 'firing'],
    });
    expect(Object.keys(lines[0]).slice(0, KEYS.split(' ').length).join(' ')).toBe(KEYS);
    expect(Object.keys(lines[0]).slice(KEYS.split(' ').length).sort()).toStrictEqual([
      'aliases',
      'groupResolved',
      'labels',
      'links',
      'note',
    ]);
  });

  it('reads standard input, and a source with a field map', async () => {
    const printed: string[] = [];
    const io = {
      out: (line: string) => void printed.push(line),
      err: (line: string) => void printed.push(line),
      drained: async () => undefined,
      input: async () => '{"incident":{"what":"Queue is stuck"}}',
      process: new EventEmitter(),
    };
    const env = { ALERT_MAP_NIGHTWATCH: '{"title":"incident.what"}' };
    expect(await explainCommand(['--source', 'nightwatch', '-'], env, io)).toBe(0);
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      { file: '-', kind: 'firing', title: 'Queue is stuck' },
    ]);
  });

  it('prints its usage where it is asked for', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^usage: /) });
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringMatching(/^usage: /) });
  });

  it('prints which tools answer each question', async () => {
    const file = join(folder, 'questions.ndjson');
    const lines = [
      { id: 'a', question: 'how many pods of web are ready?', services: ['web'] },
      { id: 2, question: 'why is the sky blue?' },
    ];
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const routed = async () =>
      linesOf((await run('--questions', file)).stdout).map((line) => JSON.parse(line));
    const notOurs = { id: 2, tools: [], understood: false };
    expect(await routed()).toEqual([{ id: 'a', tools: ['state'], understood: true }, notOurs]);
    await writeFile(file, 'how many pods of web are ready?\nwhy is the sky blue?\n');
    expect(await routed()).toEqual([
      expect.objectContaining({ id: 1, understood: true }),
      { id: 2, tools: [], understood: false },
    ]);
    await writeFile(file, '{"id":1}\n');
    expect(await run('--questions', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 1 is no question'),
    });
  });

  it('reads a payload alone as it reads one that was recorded with its headers', () => {
    const { payload } = webhookFixture('alertmanager-firing');
    const recorded = explainPayload('alertmanager', 'x', JSON.stringify({ payload, headers: {} }));
    expect(explainPayload('alertmanager', 'x', JSON.stringify(payload))).toStrictEqual(recorded);
    expect(recorded).toHaveLength(1);
  });

  it('says why a payload is about no alert, and refuses what the source would', () => {
    const { payload } = webhookFixture('alertmanager-watchdog');
    expect(explainPayload('alertmanager', 'x', JSON.stringify(payload))).toStrictEqual([
      { file: 'x', reading: 'nothing', reason: 'It holds nothing but heartbeats.' },
    ]);
    expect(() => explainPayload('alertmanager', 'x', '{}')).toThrow('has no list `alerts`');
    expect(() => explainPayload('alertmanager', 'x', '{')).toThrow(
      'it is not JSON; save a payload as the tool sends it',
    );
    expect(() => explainPayload('nobody', 'x', '{}')).toThrow(
      'there is no source nobody; name one of alertmanager',
    );
  });
});
