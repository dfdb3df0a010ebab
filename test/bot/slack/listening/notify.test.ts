import type { RespondFn } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { feedbackBlock } from '../../../../src/bot/render/asking/feedback.ts';
import { type Rendered, section } from '../../../../src/bot/render/rendered.ts';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { notifyPerson } from '../../../../src/bot/slack/listening/notify.ts';

const ONLY_TO_THEM = { response_type: 'ephemeral', replace_original: false };
const thumbs = feedbackBlock({ questionId: 'C1:1.0' });

/** What is sent to a response address that refuses the first so many answers; and what is logged. */
async function telling(rendered: Rendered, refused: number) {
  const sent: unknown[] = [];
  const logged: unknown[] = [];
  const log = createLogger('silent');
  log.warn = (...args: unknown[]) => void logged.push(args[1]);
  const respond: RespondFn = async (message) => {
    sent.push(message);
    if (sent.length <= refused) throw new Error('Request failed with status code 400');
    return new Response('ok');
  };
  await notifyPerson(respond, rendered, { log });
  return { sent, logged };
}

describe('what one person is told', () => {
  it('has its blocks as they are', async () => {
    const blocks = [section('Hello'), thumbs];
    expect(await telling({ text: 'Hello', blocks }, 0)).toEqual({
      sent: [{ ...ONLY_TO_THEM, text: 'Hello', blocks }],
      logged: [],
    });
  });

  it('is text alone where Slack refuses the blocks', async () => {
    const blocks = [section('*Hello*'), thumbs];
    expect(await telling({ text: 'Hello', blocks }, 1)).toEqual({
      sent: [
        { ...ONLY_TO_THEM, text: 'Hello', blocks },
        { ...ONLY_TO_THEM, text: '*Hello*', blocks: [] },
      ],
      logged: [],
    });
  });

  it('is in lines where Slack refuses a table', async () => {
    const [table, plainer] = [[thumbs], [section('*Hello*')]];
    expect(await telling({ text: 'Hello', blocks: table, plainer }, 1)).toEqual({
      sent: [
        { ...ONLY_TO_THEM, text: 'Hello', blocks: table },
        { ...ONLY_TO_THEM, text: 'Hello', blocks: plainer },
      ],
      logged: [],
    });
  });

  it('is lost, and logged, where the address has expired', async () => {
    const lost = 'could not reply to a person: the response URL rejected the call';
    expect(await telling({ text: 'Hello', blocks: [thumbs] }, 9)).toMatchObject({ logged: [lost] });
  });
});
