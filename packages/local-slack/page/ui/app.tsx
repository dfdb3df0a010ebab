import { useRef, useState } from 'react';
import type { PageChannel } from '../../src/page-api.ts';
import { Modals } from '../modal/modal.tsx';
import { listKey } from '../model/lists.ts';
import { channelsFor, isWithApp } from '../model/place.ts';
import type { State } from '../model/state.ts';
import { PanelButton } from '../panel/fields.tsx';
import { Panel } from '../panel/panel.tsx';
import { Banner } from './basics.tsx';
import { type Desk, DeskContext } from './desk.ts';
import { KeyboardHelp, usePageKeys } from './keyboard.tsx';
import { useKeptFocus } from './message-list.tsx';
import { ChannelPane, HomePane, ThreadPane } from './panes.tsx';
import { SessionsContext } from './session-line.tsx';
import { Sidebar } from './sidebar.tsx';
import { useDeskCalls } from './use-desk-calls.ts';
import { useWorkspace } from './use-workspace.ts';

/** The whole page: sidebar, channel, and the thread beside it. */
export function App() {
  const [state, dispatch] = useWorkspace();
  const held = useRef<Desk['held']>(new Map());
  const desk = useDeskCalls(state.workspace, state.as, held.current, dispatch);
  const drafts = useRef(new Map<string, string>());
  // Only a small screen hides the channels.
  const [isMenuOpen, setMenuOpen] = useState(false);
  const toggleMenu = () => setMenuOpen(!isMenuOpen);
  const [isHelp, setHelp] = useState(false);
  const { workspace, channel, lists, link, tab, panel, isPanelOpen } = state;
  const isHome = tab === 'home';
  const thread = isHome || isPanelOpen ? null : state.thread;
  const leave = () => {
    if (state.banner !== null) dispatch({ type: 'dismiss' });
    else if (isMenuOpen) setMenuOpen(false);
    else if (isPanelOpen) dispatch({ type: 'panel', isOpen: false });
    else if (thread !== null) dispatch({ type: 'close_thread' });
  };
  usePageKeys({ onHelp: () => setHelp(true), onLeave: leave });
  useKeptFocus();
  const channels = workspace ? channelsFor(workspace, state.as) : [];
  const open = channels.find((candidate) => candidate.id === channel);
  if (!desk || !workspace || !open) {
    return <p className="starting">{startingLine(link, state.banner)}</p>;
  }
  const isBeside = thread !== null || isPanelOpen;
  const showPanel = (isOpen: boolean) => dispatch({ type: 'panel', isOpen });
  return (
    <DeskContext value={desk}>
      <SessionsContext value={state.sessions}>
        <title>{`${placeName(open, isHome ? workspace.bot.name : null)} · ${workspace.team.name}`}</title>
        <div className={`page ${isBeside ? 'with-thread' : ''} ${isMenuOpen ? 'with-menu' : ''}`}>
          <Sidebar
            workspace={workspace}
            channels={channels}
            as={state.as}
            channel={isHome ? '' : channel}
            isApp={isHome}
            unread={state.unread}
            foot={
              <PanelButton
                panel={panel}
                isOpen={isPanelOpen}
                onToggle={() => {
                  setMenuOpen(false);
                  showPanel(!isPanelOpen);
                }}
              />
            }
            onChannel={(id) => {
              setMenuOpen(false);
              const isDirect = channels.some((other) => other.id === id && isWithApp(other));
              // An app with a Home hears that its conversation is open.
              if (isDirect && workspace.bot.has_home) desk.openTab('messages');
              else dispatch({ type: 'open_channel', channel: id });
            }}
            onApp={() => {
              setMenuOpen(false);
              desk.openTab(workspace.bot.has_home ? 'home' : 'messages');
            }}
            onActAs={(user) => dispatch({ type: 'act_as', user })}
            onKeys={() => setHelp(true)}
          />
          {isHome ? (
            <HomePane key={state.as} home={state.homes[state.as]} onMenu={toggleMenu} />
          ) : (
            <ChannelPane
              channel={open}
              messages={lists[channel] ?? null}
              openThread={thread}
              suggested={workspace.agent && state.messagesTabs[state.as]}
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
          <Panel panel={panel} isOpen={isPanelOpen} onClose={() => showPanel(false)} />
          <Banner
            error={state.banner}
            isOffline={link === 'offline'}
            onDismiss={() => dispatch({ type: 'dismiss' })}
          />
          {isHelp && <KeyboardHelp onClose={() => setHelp(false)} />}
          <Modals views={state.views.filter((view) => view.user === state.as)} />
        </div>
      </SessionsContext>
    </DeskContext>
  );
}

function placeName({ is_im, name }: PageChannel, app: string | null): string {
  return app ?? (is_im ? name : `#${name}`);
}

function startingLine(link: State['link'], error: string | null): string {
  if (error !== null) return error;
  return link === 'offline' ? 'The workspace is not running. Retrying…' : 'Opening the workspace…';
}
