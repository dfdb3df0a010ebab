import type { PageChannel, PageHome, PageMessage, PageMessagesTab } from '../../src/page-api.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { InteractionContext } from '../blocks/use.ts';
import { FormContext, useForm } from '../modal/form.ts';
import { listKey } from '../model/lists.ts';
import { isWithApp } from '../model/place.ts';
import type { AppTab } from '../model/state.ts';
import { Boundary } from './basics.tsx';
import { Composer } from './composer.tsx';
import { useDesk } from './desk.ts';
import { MessageList } from './message-list.tsx';
import { Prompts, SessionStatus, SessionTitle, useSession } from './session-line.tsx';

const TABS = [
  ['home', 'Home'],
  ['messages', 'Messages'],
] as const;

/** The two sides of the app's place; nothing if the app has no Home. */
function AppTabs({ tab }: { tab: AppTab }) {
  const { workspace, openTab } = useDesk();
  if (!workspace.bot.has_home) return null;
  return (
    <nav className="app-tabs" aria-label={workspace.bot.name}>
      {TABS.map(([id, label]) => (
        <button
          key={id}
          type="button"
          className="plain"
          aria-current={id === tab ? 'page' : undefined}
          onClick={() => openTab(id)}
        >
          {label}
        </button>
      ))}
    </nav>
  );
}

interface HomePaneProps {
  /** `undefined` while it is fetched, `null` if the app has published none. */
  home: PageHome | null | undefined;
  onMenu: () => void;
}

/** The app's Home, as the person sees it. */
export function HomePane({ home, onMenu }: HomePaneProps) {
  const { bot } = useDesk().workspace;
  return (
    <main className="pane">
      <header className="pane-head">
        <button type="button" className="plain menu" aria-label="Show channels" onClick={onMenu}>
          ☰
        </button>
        <h1>{bot.name}</h1>
        <AppTabs tab="home" />
      </header>
      <section className="home" aria-labelledby="home-title">
        <h2 id="home-title" className="unseen">{`Home of ${bot.name}`}</h2>
        {home === undefined && <p className="empty">Loading…</p>}
        {home === null && <p className="empty">{`${bot.name} has not published a Home yet.`}</p>}
        {home && <HomeBody key={home.id} home={home} />}
      </section>
    </main>
  );
}

function HomeBody({ home }: { home: PageHome }) {
  const { form, failure, click } = useForm(home);
  return (
    <div className="home-body body">
      {failure !== null && (
        <p className="modal-failure" role="alert">
          {failure}
        </p>
      )}
      <Boundary subject={home} fallback={<p>The page cannot show the content of this Home.</p>}>
        <InteractionContext value={click}>
          <FormContext value={form}>
            <Blocks blocks={home.blocks} />
          </FormContext>
        </InteractionContext>
      </Boundary>
    </div>
  );
}

interface ChannelPaneProps {
  channel: PageChannel;
  /** `null` while they are fetched. */
  messages: readonly PageMessage[] | null;
  openThread: string | null;
  /** What an agent suggests on top of its Messages tab. */
  suggested: PageMessagesTab | undefined;
  drafts: Map<string, string>;
  onMenu: () => void;
}

/** The open channel: its head, its messages, its composer. */
export function ChannelPane({ channel, messages, openThread, suggested, drafts, onMenu }: ChannelPaneProps) {
  const { workspace } = useDesk();
  const name = channel.is_im ? channel.name : `#${channel.name}`;
  const key = listKey(channel.id, null);
  return (
    <main className="pane">
      <header className="pane-head">
        <button type="button" className="plain menu" aria-label="Show channels" onClick={onMenu}>
          ☰
        </button>
        <h1>{name}</h1>
        {isWithApp(channel) && <AppTabs tab="messages" />}
        <span className="topic">{channel.topic}</span>
        {!channel.bot_is_member && !channel.is_im && (
          <span className="not-member">{workspace.bot.name} is not in this channel</span>
        )}
      </header>
      {isWithApp(channel) && suggested && <Prompts tab={suggested} />}
      <MessageList
        key={key}
        label={`Messages in ${name}`}
        messages={messages}
        openThread={openThread}
        place="channel"
      />
      <Composer
        key={`write-${key}`}
        place={key}
        label={`Message ${name}`}
        channel={channel.id}
        thread={null}
        drafts={drafts}
      />
    </main>
  );
}

interface ThreadPaneProps {
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
export function ThreadPane({ channel, thread, messages, drafts, onStay, onClose }: ThreadPaneProps) {
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
