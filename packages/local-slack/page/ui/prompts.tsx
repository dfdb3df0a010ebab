import { useState } from 'react';
import type { PageAssistantThread } from '../../src/page-api.ts';
import { useDesk } from './desk.ts';
import { each } from './each.ts';

/** Where a suggestion is sent: a thread, or with `null` the conversation itself. */
type PromptPlace = Pick<PageAssistantThread, 'channel' | 'prompts' | 'prompts_title'> & {
  thread_ts: string | null;
};

interface Props {
  thread: PromptPlace;
  /** One was sent, so the focused button disappears. */
  onSent: () => void;
}

/** What the app suggests to ask; a click sends it. Nothing if it suggests nothing. */
export function Prompts({ thread, onSent }: Props) {
  const { submit } = useDesk();
  const [isBusy, setBusy] = useState(false);
  const { prompts, prompts_title: title, channel, thread_ts } = thread;
  if (prompts.length === 0) return null;
  const send = async (message: string) => {
    setBusy(true);
    const isSent = await submit(message, channel, thread_ts);
    setBusy(false);
    if (isSent) onSent();
  };
  return (
    <section className="prompts" aria-label="Suggested prompts">
      <h3>{title ?? 'Try one of these'}</h3>
      {each(prompts, (prompt) => (
        <button
          type="button"
          className="prompt"
          disabled={isBusy}
          title={prompt.message}
          onClick={() => void send(prompt.message)}
        >
          {prompt.title}
        </button>
      ))}
    </section>
  );
}
