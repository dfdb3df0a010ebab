import { type AssistantStore, createAssistantStore } from './assistant.ts';
import { type ChannelStore, createChannelStore } from './channels.ts';
import { createDeliveryStore, type DeliveryStore } from './deliveries.ts';
import { createFileStore, type FileStore } from './files.ts';
import { createHomeStore, type HomeStore } from './homes.ts';
import { createMessageStore, type MessageStore } from './messages.ts';
import { createMessagesTabStore, type MessagesTabStore } from './messages-tabs.ts';
import { createMetaStore, type MetaStore } from './meta.ts';
import { openDatabase } from './open.ts';
import { createReactionStore, type ReactionStore } from './reactions.ts';
import { createResponseStore, type ResponseStore } from './responses.ts';
import { createSessionStore, type SessionStore } from './sessions.ts';
import { createStreamStore, type StreamStore } from './streams.ts';
import { createUserStore, type UserStore } from './users.ts';

/** Everything that a workspace keeps, in one SQLite file. */
export interface Store {
  meta: MetaStore;
  users: UserStore;
  channels: ChannelStore;
  messages: MessageStore;
  reactions: ReactionStore;
  deliveries: DeliveryStore;
  responses: ResponseStore;
  files: FileStore;
  homes: HomeStore;
  streams: StreamStore;
  assistant: AssistantStore;
  sessions: SessionStore;
  messagesTabs: MessagesTabStore;
  close(): void;
}

export function openStore(file: string): Store {
  const db = openDatabase(file);
  return {
    meta: createMetaStore(db),
    users: createUserStore(db),
    channels: createChannelStore(db),
    messages: createMessageStore(db),
    reactions: createReactionStore(db),
    deliveries: createDeliveryStore(db),
    responses: createResponseStore(db),
    files: createFileStore(db),
    homes: createHomeStore(db),
    streams: createStreamStore(db),
    assistant: createAssistantStore(db),
    sessions: createSessionStore(db),
    messagesTabs: createMessagesTabStore(db),
    close: () => {
      db.close();
    },
  };
}
