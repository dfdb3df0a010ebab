import type { RespondFn } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { feedbackBlock, plainFeedback } from '../../../../src/bot/render/asking/feedback.ts';
import { type Rendered, section } from '../../../../src/bot/render/rendered.ts';
import { tellPerson } from '../../../../src/bot/slack/listening/tell.ts';
import { createLogger } from '../../../../src/lib/log.ts';

const thumbs = feedbackBlock({ questionId: 'C1:1.0' });

/** What is sent to a response address that refuses the first so many answers; and what is logged. */
async function telling(rendered: Rendered, refused: number) {
  const sent: unknown[] = [];
  const logged: unknown[] = [];
  const log = createLogger('silent');
  log.warn = (...args: unknown[]) => void logged.push(args[1]);
  const respond: RespondFn = async (message) => {
    sent.push(typeof message === 'object' && 'blocks' in message ? message.blocks : null);
    if (sent.length <= refused) throw new Error('Request failed with status code 400');
    return new Response('ok');
  };
  await tellPerson(respond, rendered, { log });
  return { sent, logged };
}

describe('what one person is told', () => {
  it('has its blocks as they are', async () => {
    const blocks = [section('Hello'), thumbs];
    expect(await telling({ text: 'Hello', blocks }, 0)).toEqual({ sent: [blocks], logged: [] });
  });

  it('has plainer ones where Slack refuses those', async () => {
    const blocks = [section('Hello'), thumbs];
    expect(await telling({ text: 'Hello', blocks }, 1)).toEqual({
      sent: [blocks, [section('Hello'), plainFeedback(thumbs)]],
      logged: [],
    });
  });

  it('is sent once where there are none plainer, or the address has expired', async () => {
    const blocks = [section('Hello')];
    const lost = 'could not reply to a person: the response URL rejected the call';
    expect(await telling({ text: 'Hello', blocks }, 9)).toEqual({ sent: [blocks], logged: [lost] });
    expect(await telling({ text: 'Hello', blocks: [thumbs] }, 9)).toMatchObject({ logged: [lost] });
  });
});
