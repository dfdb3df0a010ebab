import type { PageChannel, PageMessage } from '../../src/page-api.ts';
import { listKey } from '../model/lists.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { SessionStatus, SessionTitle, useSession } from './session-line.tsx';

interface Props {
  channel: PageChannel;
  /** `ts` of the root. */
  thread: string;
  messages: readonly PageMessage[] | null;
  drafts: Map<string, string>;
  /** The person begins to write here, so that no newer thread may take the place. */
  onStay: () => void;
  onClose: () => void;
}

/** A thread beside its channel. */
export function ThreadPane({ channel, thread, messages, drafts, onStay, onClose }: Props) {
  const key = listKey(channel.id, thread);
  const session = useSession(channel.id, thread);
  return (
    <aside className="pane thread" aria-label="Thread" data-thread={thread}>
      <header className="pane-head">
        {session ? <SessionTitle session={session} /> : <h2>Thread</h2>}
        <span className="topic">{channel.is_im ? channel.name : `#${channel.name}`}</span>
        <button type="button" className="plain close" aria-label="Close thread" onClick={onClose}>
          ×
        </button>
      </header>
      <MessageList
        key={key}
        label="Messages in this thread"
        messages={messages}
        openThread={null}
        place="thread"
      />
      {session && <SessionStatus session={session} />}
      <Composer
        key={`write-${key}`}
        place={key}
        label="Reply in thread"
        channel={channel.id}
        thread={thread}
        drafts={drafts}
        onWrite={onStay}
      />
    </aside>
  );
}
