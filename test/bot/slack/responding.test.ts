import { describe, expect, it } from 'vitest';
import { respondingFetch } from '../../../src/bot/slack/app.ts';

const API = 'https://slack.com/api/';

describe('an answer to a person', () => {
  it.each(['https://hooks.slack.com/actions/T1/2/3', 'https://slack.com/api/chat.postMessage'])(
    'goes to %s, along no redirect, and is not waited for without end',
    async (url) => {
      const asked: [unknown, RequestInit | undefined][] = [];
      const answer = new Response('ok');
      const fetch = respondingFetch(API, async (to, init) => {
        asked.push([to, init]);
        return answer;
      });
      expect(await fetch(url, { method: 'POST', body: '{}' })).toBe(answer);
      expect(asked).toEqual([
        [url, { method: 'POST', body: '{}', redirect: 'error', signal: expect.any(AbortSignal) }],
      ]);
    },
  );

  it.each([
    'https://evil.test/T1/2/3',
    'http://hooks.slack.com/actions/T1/2/3',
    'https://hooks.slack.com.evil.test/actions',
    'http://169.254.169.254/latest/meta-data/',
  ])('does not go to %s, and the error does not name it', async (url) => {
    const fetch = respondingFetch(API, () => Promise.reject(new Error('it was sent')));
    const refused = await fetch(url, { method: 'POST' }).catch((error: Error) => error.message);
    expect(refused).toBe('the response URL is not Slack’s; nothing is sent there');
  });

  it('fails where Slack does not answer it', async () => {
    const silent: typeof globalThis.fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const fetch = respondingFetch(API, silent, 1);
    await expect(fetch('https://hooks.slack.com/actions/T1')).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
