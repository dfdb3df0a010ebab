import type { PageChannel, PageMessage, PageMessagesTab } from '../../src/page-api.ts';
import { listKey } from '../model/lists.ts';
import { AppTabs } from './app-tabs.tsx';
import { Composer } from './composer.tsx';
import { useDesk } from './desk.ts';
import { MessageList } from './message-list.tsx';
import { Prompts } from './session-line.tsx';

interface Props {
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
export function ChannelPane({ channel, messages, openThread, suggested, drafts, onMenu }: Props) {
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
        {channel.is_im && <AppTabs tab="messages" />}
        <span className="topic">{channel.topic}</span>
        {!channel.bot_is_member && !channel.is_im && (
          <span className="not-member">{workspace.bot.name} is not in this channel</span>
        )}
      </header>
      {channel.is_im && suggested && <Prompts tab={suggested} />}
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
