import type { OutboxRow } from '../../../../src/bot/store/outbox.ts';
import type { Checkpoint } from '../../../../src/lib/clock.ts';
import { type Delivering, delivering, words } from './delivering.ts';

export const ANSWER = 'answer:D1:2.0';

/** An answer in the thread `1.0` of a direct message, which grows as the test wants it. */
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
  options: { checkpoint?: Checkpoint; isAgent?: boolean } = {},
): Promise<Growing> {
  const d = await delivering(options);
  const at = d.clock.now();
  const start = { channel: 'D1', threadTs: '1.0', issueId: null, startedBy: 'U1', createdAt: at };
  await d.store.conversations.start({ id: 'c1', ...start });
  await d.store.questions.add({
    id: 'D1:2.0',
    conversation: 'c1',
    asker: 'U1',
    text: 'why?',
    createdAt: at,
  });
  const answer = { key: ANSWER, kind: 'answer', questionId: 'D1:2.0', channel: 'D1' } as const;
  const shows = async (content: Extract<Delivering['content'], { kind: 'messages' }>, ms: number) => {
    d.content = content;
    await d.want(answer);
    await d.after(ms);
  };
  const messages = { kind: 'messages', channel: 'D1', threadTs: '1.0' } as const;
  return Object.assign(d, {
    grows: (text: string, ms = 1_050) => {
      const stream = { opening: '', text };
      return shows({ ...messages, parts: [words(`${text} ▍`)], stream }, ms);
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
