import type { PageMessage } from '../../page-api.ts';
import { millis } from '../model/rows.ts';
import { ago } from '../model/times.ts';

/** `3 replies · last reply 2 minutes ago` under a root; nothing under other messages. */
export function ThreadLink({ message, onOpen }: { message: PageMessage; onOpen: () => void }) {
  const { reply_count: replies = 0, latest_reply: latest } = message;
  if (replies === 0) return null;
  return (
    <button type="button" className="thread-link" onClick={onOpen}>
      <b>{replies === 1 ? '1 reply' : `${replies} replies`}</b>
      {latest !== undefined && <span>last reply {ago(millis(latest), Date.now())}</span>}
    </button>
  );
}
