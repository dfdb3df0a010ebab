import { useRef, useState } from 'react';
import type { PageChannel } from '../../src/page-api.ts';
import { Modals } from '../modal/modal.tsx';
import { assistantAt, statusAmong } from '../model/assistant.ts';
import { listKey } from '../model/lists.ts';
import { channelsFor } from '../model/place.ts';
import type { State } from '../model/state.ts';
import { Panel } from '../panel/panel.tsx';
import { PanelButton } from '../panel/panel-button.tsx';
import { Flexpane } from '../work-objects/flexpane.tsx';
import { AssistantButton } from './assistant-button.tsx';
import { AssistantPane } from './assistant-pane.tsx';
import { Banner } from './banner.tsx';
import { ChannelPane } from './channel-pane.tsx';
import { type Desk, DeskContext } from './desk.ts';
import { HomePane } from './home-pane.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { SessionsContext } from './sessions.ts';
import { Sidebar } from './sidebar.tsx';
import { ThreadPane } from './thread-pane.tsx';
import { useAgent } from './use-agent.ts';
import { useDeskCalls } from './use-desk-calls.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { usePageKeys } from './use-page-keys.ts';
import { usePane } from './use-pane.ts';
import { useWorkspace } from './use-workspace.ts';

/** The whole page: sidebar, channel, and the thread beside it. */
export function App() {
  const [state, dispatch] = useWorkspace();
  const held = useRef<Desk['held']>(new Map());
  const desk = useDeskCalls(state.workspace, state.as, held.current, dispatch);
  const calls = usePane(state, dispatch);
  useAgent(state, dispatch);
  const drafts = useRef(new Map<string, string>());
  // Only a small screen hides the channels.
  const [isMenuOpen, setMenuOpen] = useState(false);
  const toggleMenu = () => setMenuOpen(!isMenuOpen);
  const [isHelp, setHelp] = useState(false);
  const { workspace, channel, lists, link, tab, assistants, pane, flexpane, panel, isPanelOpen } = state;
  const isHome = tab === 'home';
  const thread = isHome || pane.isOpen || isPanelOpen || flexpane ? null : state.thread;
  const closeFlexpane = () => dispatch({ type: 'close_flexpane' });
  const leave = () => {
    if (state.banner !== null) dispatch({ type: 'dismiss' });
    else if (isMenuOpen) setMenuOpen(false);
    else if (isPanelOpen) dispatch({ type: 'panel', isOpen: false });
    else if (pane.isOpen) calls.close();
    else if (flexpane) closeFlexpane();
    else if (thread !== null) dispatch({ type: 'close_thread' });
  };
  usePageKeys({ onHelp: () => setHelp(true), onLeave: leave });
  useKeptFocus();
  const channels = workspace ? channelsFor(workspace, state.as) : [];
  const open = channels.find((candidate) => candidate.id === channel);
  if (!desk || !workspace || !open) {
    return <p className="starting">{startingLine(link, state.banner)}</p>;
  }
  const corner = workspace.assistant && <AssistantButton isOpen={pane.isOpen} onToggle={calls.toggle} />;
  const isBeside = thread !== null || pane.isOpen || isPanelOpen || flexpane !== null;
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
              const isDirect = channels.some((other) => other.id === id && other.is_im);
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
            <HomePane key={state.as} home={state.homes[state.as]} corner={corner} onMenu={toggleMenu} />
          ) : (
            <ChannelPane
              channel={open}
              messages={lists[channel] ?? null}
              openThread={thread}
              status={thread === null ? statusAmong(assistants, channel, lists[channel] ?? []) : null}
              suggested={workspace.agent && state.messagesTabs[state.as]}
              corner={corner}
              drafts={drafts.current}
              onMenu={toggleMenu}
            />
          )}
          {thread !== null && (
            <ThreadPane
              channel={open}
              thread={thread}
              messages={lists[listKey(channel, thread)] ?? null}
              status={assistantAt(assistants, channel, thread)?.status ?? null}
              drafts={drafts.current}
              onStay={() => dispatch({ type: 'open_thread', thread })}
              onClose={() => dispatch({ type: 'close_thread' })}
            />
          )}
          {flexpane && <Flexpane pane={flexpane} onClose={closeFlexpane} />}
          {pane.isOpen && (
            <AssistantPane
              pane={pane}
              thread={pane.chat ? assistantAt(assistants, pane.chat.channel, pane.chat.thread) : undefined}
              messages={pane.chat ? (lists[listKey(pane.chat.channel, pane.chat.thread)] ?? null) : null}
              threads={assistants.filter(({ user }) => user === state.as)}
              drafts={drafts.current}
              calls={calls}
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
