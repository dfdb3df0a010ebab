import { type KeyboardEvent, useState } from 'react';
import type { PageMessage, PageSession } from '../../src/page-api.ts';
import { useDesk } from './desk.ts';
import { Icon } from './icons.tsx';
import { useSession } from './sessions.ts';
import { Dots } from './status-line.tsx';

/** What an agent does in a thread; with Slack's stop button where the app takes it. */
export function SessionStatus({ session }: { session: PageSession }) {
  const { workspace, stopSession } = useDesk();
  const [isBusy, setBusy] = useState(false);
  const stop = async () => {
    setBusy(true);
    await stopSession(session);
    setBusy(false);
  };
  if (session.status === 'suspended') {
    return (
      <p className="session-line waiting" role="status">
        {workspace.bot.name} is waiting for you
      </p>
    );
  }
  if (session.status !== 'processing') return null;
  return (
    <p className="session-line" role="status">
      <Dots />
      <span>Working…</span>
      {workspace.agent?.is_stoppable && (
        <button type="button" className="button" disabled={isBusy} onClick={() => void stop()}>
          <Icon name="stop" /> Stop
        </button>
      )}
    </p>
  );
}

/** The session of the thread under a root: its title, which opens it, and what the agent does there. */
export function RootSession({ message }: { message: PageMessage }) {
  const { openThread } = useDesk();
  const session = useSession(message.channel, message.ts);
  if (!session) return null;
  return (
    <div className="root-session">
      {session.title !== null && (
        <button type="button" className="plain session-title" onClick={() => openThread(message)}>
          <Icon name="sparkle" /> {session.title}
        </button>
      )}
      <SessionStatus session={session} />
    </div>
  );
}

/** The title at the head of a thread; people may give it another. */
export function SessionTitle({ session }: { session: PageSession }) {
  const { renameSession } = useDesk();
  const [draft, setDraft] = useState<string | null>(null);
  const save = async () => {
    if (draft !== null && (await renameSession(session, draft))) setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // The key would close the thread, too.
    event.stopPropagation();
    setDraft(null);
  };
  if (draft === null) {
    return (
      <>
        <h2 className="session-head">{session.title ?? 'Thread'}</h2>
        <button type="button" className="plain link rename" onClick={() => setDraft(session.title ?? '')}>
          Rename
        </button>
      </>
    );
  }
  return (
    <form
      className="session-rename"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        aria-label="Title of this thread"
        maxLength={200}
        value={draft}
        ref={(input) => input?.focus()}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className="button" disabled={draft.trim() === ''}>
        Save
      </button>
    </form>
  );
}
