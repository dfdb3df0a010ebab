import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import { reasonOf, uploadBytes } from '../../../../src/bot/slack/uploads/files.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { testSlack } from '../../../support/slack.ts';

/** What came of an upload to a server that answers so, and with what it was called. */
async function upload(answer: () => Promise<Response>) {
  const clock = manualClock();
  const { client, ...inMemory } = testSlack(clock);
  inMemory.answers('files.getUploadURLExternal', {
    upload_url: 'https://files.slack.com/upload/v1/abc',
    file_id: 'F1',
  });
  const calls: (RequestInit | undefined)[] = [];
  const slack = {
    client,
    pace: createPace(),
    clock,
    log: createLogger('silent'),
    metrics: createMetrics(),
    fetch: async (_url: unknown, init?: RequestInit) => {
      calls.push(init);
      return answer();
    },
  };
  const file = { name: 'graph.png', bytes: new Uint8Array([1]) };
  const ended = await uploadBytes(slack, file).catch((error: unknown) => reasonOf(error));
  return { ended, calls };
}

describe('the bytes of a file', () => {
  it('go to where Slack says, without the token, and along no redirect', async () => {
    const { ended, calls } = await upload(async () => new Response('OK'));
    expect(ended).toBe('F1');
    expect(calls).toMatchObject([{ method: 'POST', redirect: 'error' }]);
    expect(new Headers(calls[0]?.headers).has('authorization')).toBe(false);
  });

  it('whose sending breaks off leave one line, and no stack', async () => {
    const { ended } = await upload(() => Promise.reject(new DOMException('This was aborted', 'AbortError')));
    expect(ended).toEqual({
      reason: 'could not upload “graph.png” to Slack; retrying (This was aborted)',
    });
  });

  it('that Slack does not take leave one too', async () => {
    const { ended } = await upload(async () => new Response('no', { status: 500 }));
    expect(ended).toEqual({ reason: 'Slack answered HTTP 500 to the upload of “graph.png”; retrying' });
  });
});

it('of what is no upload, all is said that is known', () => {
  const error = new Error('another');
  expect(reasonOf(error)).toEqual({ err: error });
});
