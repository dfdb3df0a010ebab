import { limits } from '../../../../src/bot/render/limits.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import type { OutboxRow } from '../../../../src/bot/store/outbox.ts';
import { ALICE, ALICES_DM } from '../../../support/talking.ts';
import { type Delivering, type DeliveringOptions, delivering, words } from './delivering.ts';

/** Alice's question. */
export const THREAD = { channel: ALICES_DM, threadTs: '1773748800.000001' } as const;
export const QUESTION = `${THREAD.channel}:${THREAD.threadTs}`;
export const ANSWER: OutboxKey = `answer:${QUESTION}`;

/** An answer in a direct message, which grows as the test wants it. */
export interface Growing extends Delivering {
  /** So much has arrived; then what is due is delivered, `ms` later. */
  grows(text: string, ms?: number): Promise<void>;
  /** It is whole. */
  ends(...parts: string[]): Promise<void>;
  answer(): Promise<OutboxRow>;
  /** Each call: its method, and the words that it brought. */
  said(): string[];
}

export async function growing(
  options: DeliveringOptions & { threadOf?: 'alice' | 'bot' } = {},
): Promise<Growing> {
  const d = await delivering(options);
  const at = d.clock.now();
  if (options.threadOf === 'bot')
    await d.other.chat.postMessage({ channel: ALICES_DM, text: 'Any questions?' });
  else await d.workspace.post({ channel: ALICES_DM, user: ALICE, text: 'why?' });
  const start = { ...THREAD, issueId: null, startedBy: ALICE, createdAt: at };
  await d.store.conversations.start({ id: 'c1', ...start });
  await d.store.questions.add({
    id: QUESTION,
    conversation: 'c1',
    asker: ALICE,
    text: 'why?',
    createdAt: at,
  });
  const answer = { key: ANSWER, kind: 'answer', questionId: QUESTION, ...THREAD } as const;
  const shows = async (content: Extract<Delivering['content'], { kind: 'messages' }>, ms: number) => {
    d.content = content;
    await d.want(answer);
    await d.after(ms);
  };
  const messages = { kind: 'messages', ...THREAD } as const;
  return Object.assign(d, {
    grows: (text: string, ms = 1_050) => {
      const stream = { opening: '', text };
      return shows({ ...messages, parts: [words(`${text} ▍`.slice(0, limits.sectionText))], stream }, ms);
    },
    ends: (...parts: string[]) => shows({ ...messages, parts: parts.map(words) }, 1_050),
    answer: () => d.row(ANSWER),
    said: () =>
      d.slack.calls.map(({ method, args }) => {
        const chunks: { text?: string }[] = JSON.parse(args.chunks ?? '[]');
        const text = args.text ?? args.status ?? chunks.map((chunk) => chunk.text ?? '').join('');
        return `${method.split('.').at(-1)} ${text.trim()}`.trim();
      }),
  });
}
