import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AskedFile } from '../../../../src/bot/asking/question.ts';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { readFile } from '../../../../src/bot/slack/agent-context/files.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import { type ManualClock, manualClock } from '../../../support/manual-clock.ts';
import { patientServer } from '../../../support/patient-server.ts';
import { testSlack } from '../../../support/slack.ts';

const TOKEN = 'xoxb-1-secret';

type Answer = (signal: RequestInit['signal']) => Response | Promise<Response>;

const log: AskedFile = {
  id: 'F1',
  name: 'app.log',
  mimetype: 'text/plain',
  filetype: 'text',
  size: 5,
  url: 'https://files.slack.com/files-pri/T1-F1/app.log',
};

const unknown: AskedFile = { id: 'F9', name: 'F9', mimetype: '', filetype: '', size: 0, url: null };
const hosted = {
  id: 'F9',
  mode: 'hosted',
  name: 'their.log',
  mimetype: 'text/plain',
  filetype: 'text',
  size: 5,
  url_private: 'https://files.slack.com/files-pri/T2-F9/their.log',
};

/** Reads a file from a Slack that answers so. */
async function read(
  file: AskedFile,
  options: {
    answer?: Answer;
    fetch?: typeof fetch;
    apiUrl?: string;
    clock?: ManualClock;
    told?: object;
  } = {},
) {
  const { answer = () => new Response('lines'), apiUrl = 'https://slack.com/api/' } = options;
  const { clock = manualClock() } = options;
  const asked: { url: string; authorization: string | null; redirect: string | undefined }[] = [];
  const logged: string[] = [];
  const metrics = createMetrics();
  const fake = async (url: Parameters<typeof fetch>[0], init: RequestInit = {}) => {
    const authorization = new Headers(init.headers).get('authorization');
    asked.push({ url: String(url), authorization, redirect: init.redirect });
    return answer(init.signal);
  };
  const inMemory = testSlack(clock);
  if (options.told) inMemory.answers('files.info', { file: options.told });
  const slack = {
    client: inMemory.client,
    pace: createPace(),
    clock,
    log: createLogger('debug', { write: (line: string) => void logged.push(line) }),
    metrics,
    fetch: options.fetch ?? fake,
  };
  return { read: await readFile(file, { slack, botToken: TOKEN, apiUrl }), asked, logged, metrics };
}

describe('an attached file', () => {
  it('is read with the token, from where Slack keeps it, without following it elsewhere', async () => {
    const {
      read: found,
      asked,
      metrics,
    } = await read(log, { answer: () => new Response('\uFEFFone\r\ntwo') });
    expect(found).toEqual({ name: 'app.log', text: 'one\ntwo' });
    expect(asked).toEqual([{ url: log.url, authorization: `Bearer ${TOKEN}`, redirect: 'error' }]);
    expect(await metrics.text()).toContain('gumshoe_agent_context_reads_total{kind="file",outcome="read"} 1');
  });

  it.each<[string, Partial<AskedFile>]>([
    ['a log', { mimetype: 'text/plain', filetype: 'text' }],
    ['JSON', { name: 'a.json', mimetype: 'application/json', filetype: 'json' }],
    ['a manifest', { name: 'a', mimetype: 'application/vnd.api+json', filetype: 'json' }],
    ['YAML', { name: 'a.yml', mimetype: 'application/x-yaml; charset=utf-8', filetype: 'yaml' }],
    ['code whose type is not said', { name: 'a', mimetype: '', filetype: 'python' }],
    ['a log whose type is not said', { mimetype: 'application/octet-stream', filetype: 'binary' }],
  ])('is read where it is %s', async (_kind, more) => {
    const { read: found } = await read({ ...log, ...more });
    expect(found).toEqual({ name: more.name ?? 'app.log', text: 'lines' });
  });

  it.each<[string, Partial<AskedFile>]>([
    ['a picture', { name: 'a.png', mimetype: 'image/png', filetype: 'png' }],
    ['a drawing', { name: 'a.svg', mimetype: 'image/svg+xml', filetype: 'svg' }],
    ['a document', { name: 'a.pdf', mimetype: 'application/pdf', filetype: 'pdf' }],
    ['rich text', { name: 'a.rtf', mimetype: 'text/rtf', filetype: 'rtf' }],
    ['an archive of logs', { name: 'app.log', mimetype: 'application/gzip', filetype: 'gzip' }],
    ['unknown', { name: 'core', mimetype: 'application/octet-stream', filetype: 'binary' }],
  ])('is not a text file where it is %s, and not fetched', async (_kind, more) => {
    const { read: found, asked } = await read({ ...log, ...more });
    expect(found).toEqual({ name: more.name, notRead: 'not a text file' });
    expect(asked).toEqual([]);
  });

  it.each([
    ['a zero byte', Uint8Array.of(97, 0, 98)],
    ['bytes that are no UTF-8', Uint8Array.of(97, 0xff, 0xfe)],
  ])('is not a text file with %s, whatever Slack calls it', async (_with, bytes) => {
    const { read: found } = await read(log, { answer: () => new Response(bytes) });
    expect(found).toEqual({ name: 'app.log', notRead: 'not a text file' });
  });

  it.each(['%PDF-1.7 a document', 'GIF89a', 'PK\x03\x04 an archive', '{\\rtf1 rich}', '\x7fELF'])(
    'is not a text file where it begins with %j',
    async (text) => {
      const { read: found } = await read(log, { answer: () => new Response(text) });
      expect(found).toEqual({ name: 'app.log', notRead: 'not a text file' });
    },
  );

  it.each(['image/png', 'application/pdf', 'application/zip'])(
    'is not a text file where Slack sends it as %s',
    async (type) => {
      const headers = { 'content-type': type };
      const { read: found } = await read(log, { answer: () => new Response('lines', { headers }) });
      expect(found).toEqual({ name: 'app.log', notRead: 'not a text file' });
    },
  );

  it.each(['application/octet-stream', 'binary/octet-stream', 'text/plain; charset=utf-8'])(
    'is read where Slack sends it as %s',
    async (type) => {
      const headers = { 'content-type': type };
      const { read: found } = await read(log, { answer: () => new Response('lines', { headers }) });
      expect(found).toEqual({ name: 'app.log', text: 'lines' });
    },
  );

  it('is read up to 50 kB', async () => {
    const whole = 'x'.repeat(50_000);
    const { read: found } = await read({ ...log, size: 50_000 }, { answer: () => new Response(whole) });
    expect(found).toEqual({ name: 'app.log', text: whole });
  });

  it('is not fetched where it is larger', async () => {
    const { read: found, asked } = await read({ ...log, size: 50_001 });
    expect([found, asked]).toEqual([{ name: 'app.log', notRead: 'larger than 50 kB' }, []]);
  });

  it('is read no further than that where its size is a lie', async () => {
    let sent = 0;
    const longer = new ReadableStream({
      pull: (controller) => {
        sent += 10_000;
        if (sent > 1_000_000) controller.close();
        else controller.enqueue(new Uint8Array(10_000).fill(120));
      },
    });
    const { read: found } = await read(log, { answer: () => new Response(longer) });
    expect(found).toEqual({ name: 'app.log', notRead: 'larger than 50 kB' });
    expect(sent).toBeLessThan(100_000);
  });
});

describe('a file of another organization, of which an event tells its id alone', () => {
  it('is read from where Slack says that it is', async () => {
    const { read: found, asked } = await read(unknown, { told: hosted });
    expect(found).toEqual({ name: 'their.log', text: 'lines' });
    expect(asked.map(({ url }) => url)).toEqual([hosted.url_private]);
  });

  it.each([
    ['not a text file', { mimetype: 'image/png' }],
    ['larger than 50 kB', { size: 50_001 }],
  ])('is not fetched where it is %s', async (notRead, more) => {
    const { read: found, asked } = await read(unknown, { told: { ...hosted, ...more } });
    expect([found, asked]).toEqual([{ name: 'F9', notRead }, []]);
  });
});

describe('the token goes nowhere but to Slack', () => {
  it.each([
    ['no address', null],
    ['no https', 'http://files.slack.com/files-pri/T1-F1/a.log'],
    ['another host', 'https://files.slack.com.evil.test/a.log'],
    ['a host that only ends like it', 'https://evilslack.com/a.log'],
    ['another port', 'https://files.slack.com:8443/a.log'],
    ['a name and password', 'https://x:y@files.slack.com/a.log'],
    ['no URL', 'files.slack.com/a.log'],
    ['a method of the Web API', 'https://slack.com/api/chat.postMessage?channel=C1&text=hello'],
    ['one in disguise', 'https://files.slack.com/files-pri/T1-F1/..%2f..%2fapi/conversations.history'],
    ['a host of Slack that keeps no files', 'https://acme.slack.com/files-pri/T1-F1/a.log'],
  ])('%s', async (_which, url) => {
    const { read: found, asked } = await read({ ...log, url });
    expect([found, asked]).toEqual([{ name: 'app.log', notRead: 'could not be read from Slack' }, []]);
  });

  it('whatever it is of which Slack tells no more than its id', async () => {
    expect((await read(unknown)).read).toEqual({ name: 'F9', notRead: 'could not be read from Slack' });
  });

  it.each([
    ['an external file', { mode: 'external' }],
    ['one that is said to be external', { is_external: true }],
    ['one elsewhere', { url_private: 'https://evil.test/files-pri/T1-F9/a.log' }],
    ['another one', { id: 'F10' }],
  ])('not even when Slack says that it is %s', async (_which, more) => {
    const told = await read(unknown, { told: { ...hosted, ...more } });
    expect(told.read).toEqual({ name: 'F9', notRead: 'could not be read from Slack' });
    expect(told.asked).toEqual([]);
  });

  it('or where its Web API is, as in the local workspace', async () => {
    const api = 'http://127.0.0.1:4123/api/';
    const here = await read({ ...log, url: 'http://127.0.0.1:4123/files-pri/a' }, { apiUrl: api });
    const there = await read({ ...log, url: 'http://127.0.0.1:4124/files-pri/a' }, { apiUrl: api });
    expect([here.asked.length, there.asked.length]).toEqual([1, 0]);
  });

  it('a redirect is not followed', async () => {
    const paths: (string | undefined)[] = [];
    const server = patientServer((request, response) => {
      paths.push(request.url);
      if (request.url?.endsWith('/moved'))
        response.writeHead(302, { location: '/files-pri/T1-F1/elsewhere' });
      response.end('lines');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const real = (path: string) =>
      read(
        { ...log, url: `${origin}/files-pri/T1-F1${path}` },
        { fetch: globalThis.fetch, apiUrl: `${origin}/api/` },
      );
    expect((await real('/moved')).read).toEqual({ name: 'app.log', notRead: 'could not be read from Slack' });
    expect((await real('/here')).read).toEqual({ name: 'app.log', text: 'lines' });
    expect(paths).toEqual(['/files-pri/T1-F1/moved', '/files-pri/T1-F1/here']);
  });
});

describe('a file that Slack does not give', () => {
  const page = '<!DOCTYPE html><title>Sign in | Slack</title>';
  const html = { 'content-type': 'text/html; charset=utf-8' };

  it.each<[string, Partial<AskedFile>, () => Response]>([
    ['an error', {}, () => new Response('no', { status: 403 })],
    ['its page for signing in', {}, () => new Response(page, { headers: html })],
    [
      'its page for signing in instead of a page',
      { name: 'a.html', mimetype: 'text/html', filetype: 'html' },
      () => new Response(page, { headers: html }),
    ],
    [
      'nothing',
      {},
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ])('but %s is not read, and is logged without the token and the address', async (_what, more, answer) => {
    const { read: found, logged, metrics } = await read({ ...log, ...more }, { answer });
    expect(found).toEqual({ name: more.name ?? 'app.log', notRead: 'could not be read from Slack' });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('"file":"F1"');
    expect(logged[0]).not.toMatch(/xoxb|secret|files-pri/u);
    expect(await metrics.text()).toContain(
      'gumshoe_agent_context_reads_total{kind="file",outcome="failed"} 1',
    );
  });

  it('within ten seconds is not read', async () => {
    const clock = manualClock();
    const hangs: Answer = (signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const reading = read(log, { answer: hangs, clock });
    clock.advance(9_999);
    expect(await Promise.race([reading, new Promise((wait) => setImmediate(wait, 'waiting'))])).toBe(
      'waiting',
    );
    clock.advance(1);
    expect((await reading).read).toEqual({ name: 'app.log', notRead: 'could not be read from Slack' });
    expect(clock.sleeping()).toBe(0);
  });

  it('a page that was attached is read where Slack gives that page', async () => {
    const file = { ...log, name: 'a.html', mimetype: 'text/html', filetype: 'html', size: 9 };
    const { read: found } = await read(file, { answer: () => new Response('<p>hi</p>', { headers: html }) });
    expect(found).toEqual({ name: 'a.html', text: '<p>hi</p>' });
  });
});
