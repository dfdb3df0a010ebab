import { createContext, type KeyboardEvent, useContext, useState } from 'react';
import type { PageMessage, PageMessagesTab, PageSession } from '../../src/page-api.ts';
import { listKey, type Sessions } from '../model/lists.ts';
import { each, Icon } from './basics.tsx';
import { useDesk } from './desk.ts';

export const SessionsContext = createContext<Sessions>({});

/** The agent's session of a thread, if there is one. */
export function useSession(channel: string, thread: string): PageSession | undefined {
  return useContext(SessionsContext)[listKey(channel, thread)];
}

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

/** Three animated dots: somebody is typing. */
export function Dots() {
  return (
    <span className="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

/** What the app suggests to ask; a click sends it. Nothing if it suggests nothing. */
export function Prompts({ tab }: { tab: PageMessagesTab }) {
  const { submit } = useDesk();
  const [isBusy, setBusy] = useState(false);
  const { prompts, prompts_title: title, channel } = tab;
  if (prompts.length === 0) return null;
  const send = async (message: string) => {
    setBusy(true);
    await submit(message, channel, null);
    setBusy(false);
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
