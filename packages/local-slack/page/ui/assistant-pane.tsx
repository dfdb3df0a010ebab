import { useCallback, useEffect, useRef } from 'react';
import type { PageAssistantThread, PageMessage } from '../../src/page-api.ts';
import type { Pane } from '../model/assistant.ts';
import { AssistantChat } from './assistant-chat.tsx';
import { AssistantHistory } from './assistant-history.tsx';
import { useDesk } from './desk.ts';
import { Icon } from './icons.tsx';
import type { PaneCalls } from './use-pane.ts';

interface Props {
  pane: Pane;
  /** What is known of the conversation in it. */
  thread: PageAssistantThread | undefined;
  /** Its messages; `null` while they are fetched. */
  messages: readonly PageMessage[] | null;
  /** The person's conversations. */
  threads: readonly PageAssistantThread[];
  drafts: Map<string, string>;
  calls: PaneCalls;
}

/** The app's pane beside the channel: a conversation with it, or the list of the earlier ones. */
export function AssistantPane({ pane, thread, messages, threads, drafts, calls }: Props) {
  const { bot } = useDesk().workspace;
  const { chat, isHistory } = pane;
  const frame = useRef<HTMLElement>(null);
  const shown = isHistory ? null : (chat?.thread ?? null);
  const write = useCallback(() => frame.current?.querySelector('textarea')?.focus(), []);
  useEffect(() => {
    if (shown !== null) write();
  }, [shown, write]);
  return (
    <aside ref={frame} className="pane thread assistant" aria-label={`Chat with ${bot.name}`}>
      <header className="pane-head">
        <Icon name="sparkle" />
        <h2>{isHistory ? 'History' : (thread?.title ?? bot.name)}</h2>
        <div className="pane-tools">
          <PaneTool label="New chat" icon="plus" onClick={calls.begin} />
          <PaneTool
            label="History"
            icon="clock"
            isPressed={isHistory}
            onClick={() => calls.show(isHistory ? chat : null)}
          />
          <button type="button" className="plain close" aria-label="Close chat" onClick={calls.close}>
            ×
          </button>
        </div>
      </header>
      {isHistory && (
        <AssistantHistory
          threads={threads}
          current={chat?.thread ?? null}
          onOpen={({ channel, thread_ts }) => calls.show({ channel, thread: thread_ts })}
        />
      )}
      {!isHistory && chat === null && <p className="empty">Opening…</p>}
      {!isHistory && chat !== null && (
        <AssistantChat
          key={chat.thread}
          {...chat}
          known={thread}
          messages={messages}
          drafts={drafts}
          onPrompted={write}
        />
      )}
    </aside>
  );
}

interface ToolProps {
  label: string;
  icon: 'plus' | 'clock';
  isPressed?: boolean;
  onClick: () => void;
}

function PaneTool({ label, icon, isPressed, onClick }: ToolProps) {
  return (
    <button
      type="button"
      className="tool"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
