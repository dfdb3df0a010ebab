import type { PageAssistantThread } from '../../src/page-api.ts';
import { millis } from '../model/rows.ts';
import { clockTime, dayName } from '../model/times.ts';
import { useDesk } from './desk.ts';

interface Props {
  threads: readonly PageAssistantThread[];
  /** `ts` of the conversation that the pane showed last. */
  current: string | null;
  onOpen: (thread: PageAssistantThread) => void;
}

/** The person's earlier conversations in the pane, the newest first; those that they never began are left out. */
export function AssistantHistory({ threads, current, onOpen }: Props) {
  const { bot } = useDesk().workspace;
  const begun = threads.filter(({ is_pane, title, prompts, thread_ts }) => {
    return is_pane && (title !== null || prompts.length === 0 || thread_ts === current);
  });
  const newestFirst = begun.toSorted((a, b) => millis(b.thread_ts) - millis(a.thread_ts));
  if (newestFirst.length === 0) return <p className="empty">{`No conversations with ${bot.name} yet.`}</p>;
  return (
    <ul className="assistant-history" aria-label="Earlier conversations">
      {newestFirst.map((thread) => (
        <li key={thread.thread_ts}>
          <button
            type="button"
            className="plain"
            aria-current={thread.thread_ts === current ? 'true' : undefined}
            onClick={() => onOpen(thread)}
          >
            <strong>{thread.title ?? 'Untitled conversation'}</strong>
            <small>{began(millis(thread.thread_ts))}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function began(at: number): string {
  return `${dayName(at, Date.now())} at ${clockTime(at)}`;
}
