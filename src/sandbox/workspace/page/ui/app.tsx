import { useReducer, useRef } from 'react';
import type { PageChannel } from '../../page-api.ts';
import { Modals } from '../modal/modals.tsx';
import { listKey } from '../model/lists.ts';
import { channelsFor } from '../model/place.ts';
import type { State } from '../model/state.ts';
import { Banner } from './banner.tsx';
import { ChannelPane } from './channel-pane.tsx';
import { type Desk, DeskContext } from './desk.ts';
import { HomePane } from './home-pane.tsx';
import { Sidebar } from './sidebar.tsx';
import { ThreadPane } from './thread-pane.tsx';
import { useDeskCalls } from './use-desk-calls.ts';
import { useWorkspace } from './use-workspace.ts';

/** The whole page: sidebar, channel, and the thread beside it. */
export function App() {
  const [state, dispatch] = useWorkspace();
  const held = useRef<Desk['held']>(new Map());
  const desk = useDeskCalls(state.workspace, state.as, held.current, dispatch);
  const drafts = useRef(new Map<string, string>());
  const [isMenuOpen, toggleMenu] = useReducer((open: boolean) => !open, false);
  const { workspace, channel, lists, link, tab } = state;
  const isHome = tab === 'home';
  const thread = isHome ? null : state.thread;
  const channels = workspace ? channelsFor(workspace, state.as) : [];
  const open = channels.find((candidate) => candidate.id === channel);
  if (!desk || !workspace || !open) {
    return <p className="starting">{startingLine(link, state.banner)}</p>;
  }
  return (
    <DeskContext value={desk}>
      <title>{`${placeName(open, isHome ? workspace.bot.name : null)} · ${workspace.team.name}`}</title>
      <div className={`page ${thread === null ? '' : 'with-thread'} ${isMenuOpen ? 'with-menu' : ''}`}>
        <Sidebar
          workspace={workspace}
          channels={channels}
          as={state.as}
          channel={isHome ? '' : channel}
          isApp={isHome}
          unread={state.unread}
          onChannel={(id) => {
            const isDirect = channels.some((other) => other.id === id && other.is_im);
            // An app with a Home hears that its conversation is open.
            if (isDirect && workspace.bot.has_home) desk.openTab('messages');
            else dispatch({ type: 'open_channel', channel: id });
          }}
          onApp={() => desk.openTab(workspace.bot.has_home ? 'home' : 'messages')}
          onActAs={(user) => dispatch({ type: 'act_as', user })}
        />
        {isHome ? (
          <HomePane key={state.as} home={state.homes[state.as]} onMenu={toggleMenu} />
        ) : (
          <ChannelPane
            channel={open}
            messages={lists[channel] ?? null}
            openThread={thread}
            drafts={drafts.current}
            onMenu={toggleMenu}
          />
        )}
        {thread !== null && (
          <ThreadPane
            channel={open}
            thread={thread}
            messages={lists[listKey(channel, thread)] ?? null}
            drafts={drafts.current}
            onStay={() => dispatch({ type: 'open_thread', thread })}
            onClose={() => dispatch({ type: 'close_thread' })}
          />
        )}
        <Banner
          error={state.banner}
          isOffline={link === 'offline'}
          onDismiss={() => dispatch({ type: 'dismiss' })}
        />
        <Modals views={state.views.filter((view) => view.user === state.as)} />
      </div>
    </DeskContext>
  );
}

function placeName({ is_im, name }: PageChannel, app: string | null): string {
  return app ?? (is_im ? name : `#${name}`);
}

function startingLine(link: State['link'], error: string | null): string {
  if (error !== null) return error;
  return link === 'offline' ? 'The workspace is not running. Trying again…' : 'Opening the workspace…';
}
