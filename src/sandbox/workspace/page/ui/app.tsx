import { useReducer, useRef } from 'react';
import { Modals } from '../modal/modals.tsx';
import { listKey } from '../model/lists.ts';
import { channelsFor } from '../model/place.ts';
import type { State } from '../model/state.ts';
import { Banner } from './banner.tsx';
import { ChannelPane } from './channel-pane.tsx';
import { DeskContext } from './desk.ts';
import { Sidebar } from './sidebar.tsx';
import { ThreadPane } from './thread-pane.tsx';
import { useDeskCalls } from './use-desk-calls.ts';
import { useWorkspace } from './use-workspace.ts';

/** The whole page: sidebar, channel, and the thread beside it. */
export function App() {
  const [state, dispatch] = useWorkspace();
  const desk = useDeskCalls(state.workspace, state.as, dispatch);
  const drafts = useRef(new Map<string, string>());
  const [isMenuOpen, toggleMenu] = useReducer((open: boolean) => !open, false);
  const { workspace, channel, thread, lists, link } = state;
  const channels = workspace ? channelsFor(workspace, state.as) : [];
  const open = channels.find((candidate) => candidate.id === channel);
  if (!desk || !workspace || !open) {
    return <p className="starting">{startingLine(link, state.banner)}</p>;
  }
  return (
    <DeskContext value={desk}>
      <title>{`${open.is_im ? open.name : `#${open.name}`} · ${workspace.team.name}`}</title>
      <div className={`page ${thread === null ? '' : 'with-thread'} ${isMenuOpen ? 'with-menu' : ''}`}>
        <Sidebar
          workspace={workspace}
          channels={channels}
          as={state.as}
          channel={channel}
          unread={state.unread}
          onChannel={(id) => dispatch({ type: 'open_channel', channel: id })}
          onActAs={(user) => dispatch({ type: 'act_as', user })}
        />
        <ChannelPane
          channel={open}
          messages={lists[channel] ?? null}
          openThread={thread}
          drafts={drafts.current}
          onMenu={toggleMenu}
        />
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

function startingLine(link: State['link'], error: string | null): string {
  if (error !== null) return error;
  return link === 'offline' ? 'The workspace is not running. Trying again…' : 'Opening the workspace…';
}
