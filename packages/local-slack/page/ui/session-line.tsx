import { type Dispatch, type KeyboardEvent, useEffect, useState } from 'react';
import type { PageAssistantThread, PageMessage, PageSession } from '../../src/page-api.ts';
import { agentApi } from '../api.ts';
import { sessionsKey } from '../model/lists.ts';
import type { Change, State } from '../model/state.ts';
import { each, Icon } from './basics.tsx';
import { useDesk } from './desk.ts';
import { useSession } from './sessions.ts';

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

/** What the app is doing, under a conversation with it: `Tester is thinking…`. Empty if it does nothing, and as high. */
export function StatusLine({ status }: { status: string | null }) {
  const { bot } = useDesk().workspace;
  return (
    <p className="status-line" role="status" aria-label={`What ${bot.name} is doing`}>
      {status !== null && (
        <>
          <Dots />
          <span>{`${bot.name} ${status}`}</span>
        </>
      )}
    </p>
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

/** Where a suggestion is sent: a thread, or with `null` the conversation itself. */
type PromptPlace = Pick<PageAssistantThread, 'channel' | 'prompts' | 'prompts_title'> & {
  thread_ts: string | null;
};

interface PromptsProps {
  thread: PromptPlace;
  /** One was sent, so the focused button disappears. */
  onSent: () => void;
}

/** What the app suggests to ask; a click sends it. Nothing if it suggests nothing. */
export function Prompts({ thread, onSent }: PromptsProps) {
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

/** An agent's sessions and the person's Messages tab; also tells the agent what the person is viewing. */
export function useAgent(state: State, dispatch: Dispatch<Change>): void {
  const { workspace, link, as, channel, thread, tab } = state;
  const isAgent = workspace?.agent !== undefined && link === 'live' && as !== '';
  useEffect(() => {
    if (!isAgent) return;
    let isCurrent = true;
    const key = sessionsKey(as);
    const fail = (error: unknown) =>
      isCurrent &&
      dispatch({ type: 'failed', error: error instanceof Error ? error.message : String(error) });
    dispatch({ type: 'loading', key });
    Promise.all([agentApi.sessions(as), agentApi.messagesTab(as)]).then(
      ([sessions, messagesTab]) =>
        isCurrent && dispatch({ type: 'loaded_agent', user: as, sessions, tab: messagesTab }),
      fail,
    );
    return () => {
      isCurrent = false;
      dispatch({ type: 'left', key });
    };
  }, [isAgent, as, dispatch]);

  // The conversation with the app itself is not a place to ask about.
  const open = workspace?.channels.find(({ id }) => id === channel);
  const place = open === undefined || open.is_im || tab === 'home' ? null : channel;
  useEffect(() => {
    if (!isAgent || place === null) return;
    void agentApi.lookAt({ as, channel: place, ...(thread !== null && { message_ts: thread }) });
  }, [isAgent, as, place, thread]);
}
