import type { PageAssistantThread, PageMessage } from '../../src/page-api.ts';
import { listKey } from '../model/lists.ts';
import { Avatar } from './avatar.tsx';
import { Composer } from './composer.tsx';
import { useDesk } from './desk.ts';
import { MessageList } from './message-list.tsx';
import { Prompts } from './prompts.tsx';
import { StatusLine } from './status-line.tsx';

interface Props {
  channel: string;
  /** `ts` of the root, which is not shown. */
  thread: string;
  known: PageAssistantThread | undefined;
  /** `null` while they are fetched. */
  messages: readonly PageMessage[] | null;
  drafts: Map<string, string>;
  /** A suggestion was sent. */
  onPrompted: () => void;
}

/** A conversation in the app's pane; until the person has written, it suggests what to ask. */
export function AssistantChat({ channel, thread, known, messages, drafts, onPrompted }: Props) {
  const { workspace, as } = useDesk();
  const { bot } = workspace;
  const key = listKey(channel, thread);
  const hasBegun = messages === null || messages.some(({ user }) => user === as);
  return (
    <>
      <MessageList
        label={`Conversation with ${bot.name}`}
        messages={messages}
        openThread={null}
        place="thread"
        whenEmpty={<Greeting />}
      />
      {known !== undefined && !hasBegun && <Prompts thread={known} onSent={onPrompted} />}
      <StatusLine status={known?.status ?? null} />
      <Composer
        place={key}
        label={`Ask ${bot.name}`}
        channel={channel}
        thread={thread}
        drafts={drafts}
        hint="Enter sends · Shift+Enter for a new line"
      />
    </>
  );
}

function Greeting() {
  const { workspace, as } = useDesk();
  const { bot, users } = workspace;
  const me = users.find(({ id }) => id === as);
  const color = users.find(({ id }) => id === bot.user_id)?.color ?? null;
  const firstName = (me?.real_name || me?.name || '').split(' ')[0];
  return (
    <div className="greeting">
      <Avatar name={bot.name} color={color} emoji={null} size="large" />
      <p>
        <strong>{`Hello, ${firstName}.`}</strong>
        <br />
        {`This is a conversation between you and ${bot.name}.`}
      </p>
    </div>
  );
}
