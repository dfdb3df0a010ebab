import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from './clock.ts';
import type { ControlPanel } from './control-panel.ts';
import type { Random } from './ids.ts';
import type { ViewValues } from './interact/views.ts';
import type { Manifest } from './manifest.ts';
import type {
  PageGalleryEntry,
  PageMessage,
  PageMessagesTab,
  PageOutcome,
  PageSession,
  SuggestOutcome,
} from './page-api.ts';
import type { PageFaults } from './page-panel.ts';
import type {
  ActionRequest,
  CloseRequest,
  CommandRequest,
  ReactionRequest,
  RenameSessionRequest,
  ShortcutRequest,
  StopRequest,
  StopSessionRequest,
  SubmitRequest,
  SuggestRequest,
  ViewActionRequest,
} from './page-requests.ts';
import type { SeedChannelName } from './seed.ts';
import type { DisconnectReason } from './socket.ts';
import type { Home, Modal } from './validate/check.ts';

/** What the page shows at `/gallery`, rendered on demand. */
export interface Gallery {
  entries(): Promise<PageGalleryEntry[]>;
}

export interface WorkspaceOptions {
  /** The SQLite file. */
  file: string;
  /** The app's manifest, or the path of one in YAML or JSON. */
  manifest: string | Manifest;
  /** Port of the Web API's server; 0, the default, takes any free one. */
  port?: number;
  host?: string;
  /** Clock for everything that Slack times: messages, rate limits, triggers, retries. */
  clock?: Clock;
  /**
   * Milliseconds of `clock` that the app has to acknowledge, and that a trigger is valid: Slack's 3,000 by default.
   * With a clock that runs faster than real time, raise it accordingly, because the app runs no faster.
   */
  ackTimeoutMs?: number;
  random?: Random;
  /** How events are delivered to the app. Over HTTP, an empty `url` waits for `setDelivery`. */
  deliver?: { mode: 'socket' } | { mode: 'http'; url: string };
  botToken?: string;
  appToken?: string;
  signingSecret?: string;
  /** The page's address; permalinks start with it. */
  pageUrl?: string;
  /** Milliseconds of `clock` after which a stream ends; Slack's five minutes by default. */
  streamLife?: number;
  /** Milliseconds of `clock` until Slack has processed a completed file and shows it; 300 by default. */
  fileDelay?: number;
  /** Storage limit for files in bytes, 200 MB by default. Files that nobody can see are dropped first. */
  fileStorage?: number;
  gallery?: Gallery;
  /**
   * The address of the app's MCP server, which Slackbot calls; `null` while there is none. By default that of the
   * manifest's `features.mcp_servers`.
   */
  mcpServer?: () => string | null;
  /** Adds sections to the page's panel. */
  controlPanel?: ControlPanel;
  /** Milliseconds before each retry of an event; Slack's own by default. */
  retryDelays?: readonly number[];
}

/** A message from anyone other than the app. Blocks and attachments are not validated. */
export interface PostInput {
  /** A channel's id or name, or a person's id for their conversation with the app. */
  channel: string;
  /** An incoming webhook's name. */
  username?: string;
  /** A person's id. */
  user?: string;
  /** An emoji, of a webhook. */
  icon?: string;
  text?: string;
  blocks?: unknown[];
  attachments?: unknown[];
  thread_ts?: string;
  /** Also shows a reply in the channel. */
  reply_broadcast?: boolean;
  /** Another app. */
  app?: { app_id: string; name: string };
}

/** A message with files that a person posts. */
export interface UploadInput {
  /** As in `PostInput`. */
  channel: string;
  /** The person's id. */
  user: string;
  text?: string;
  thread_ts?: string;
  /** `mimetype` in place of what Slack finds by itself. */
  files: { name: string; content: Buffer | string; mimetype?: string }[];
}

/** An edit by an author other than the app; absent fields stay as they are. */
export interface EditInput {
  /** As in `PostInput`. */
  channel: string;
  ts: string;
  text?: string;
  blocks?: unknown[];
  attachments?: unknown[];
  /** Set when Slack itself adds a link preview, which is nobody's edit. */
  unfurl?: boolean;
}

/** What a person looks at: a channel by id or name, or one message in it. */
export interface ViewingInput {
  user: string;
  channel?: string | undefined;
  message_ts?: string | undefined;
}

/** A file of the app's. */
export interface WorkspaceFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  /** What a picture shows, in words; empty if the app has said nothing. */
  alt: string;
  /** Bytes. */
  size: number;
  /** The messages that it was sent with; not those whose blocks show it. */
  shares: { channel: string; ts: string }[];
}

/** A local Slack with one app installed. */
export interface Workspace {
  /** The value for `SLACK_API_URL`: `http://127.0.0.1:<port>/api/`. */
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  botUserId: string;
  /** The ids of the seeded channels by name. */
  channels: Record<SeedChannelName, string>;
  /** Serves the page and `/page-api/*`. */
  page(request: IncomingMessage, response: ServerResponse): void;
  /** Over HTTP: sets the delivery address. */
  setDelivery(url: string): void;
  /** Posts as somebody else; the app receives it as an event. Rejects with a SlackError. */
  post(input: PostInput): Promise<{ ts: string }>;
  /** Changes a message as its author, who is not the app. Rejects with a SlackError. */
  edit(input: EditInput): Promise<void>;
  /** Deletes a message as its author, who is not the app. Rejects with a SlackError. */
  remove(channel: string, ts: string): Promise<void>;
  /** Invites the app to a channel (id or name) as a person, by default Alice. Rejects with a SlackError. */
  invite(channel: string, by?: string): Promise<void>;
  /** Removes the app from a channel. Rejects with a SlackError. */
  kick(channel: string, by?: string): Promise<void>;
  /** Archives a channel. Rejects with a SlackError. */
  archive(channel: string, by?: string): Promise<void>;
  /** Opens an archived channel again. Rejects with a SlackError. */
  unarchive(channel: string, by?: string): Promise<void>;
  /** Gives a channel another name; its id stays. Rejects with a SlackError. */
  rename(channel: string, name: string, by?: string): Promise<void>;
  /** Deletes a channel for good. Rejects with a SlackError. */
  deleteChannel(channel: string, by?: string): Promise<void>;
  /** Forbids the app to post in a channel, or allows it again. Rejects with a SlackError. */
  restrict(channel: string, restricted?: boolean): Promise<void>;
  /** Refuses every call with the bot's token with this error, or with `null` none; `event` is sent before that. */
  refuseToken(refusal: string | null, event?: 'app_uninstalled' | 'tokens_revoked'): void;
  /** Sets the granted scopes; by default all those of the manifest. */
  grantScopes(scopes?: readonly string[]): void;
  /** The messages of a channel's top level, or of a thread including its root, as the page shows them; oldest first. */
  messages(channel: string, thread_ts?: string): PageMessage[];
  command(input: CommandRequest): Promise<PageOutcome>;
  action(input: ActionRequest): Promise<PageOutcome>;
  /** Asks the app for the options of an external select, as typing into it does. */
  suggest(input: SuggestRequest): Promise<SuggestOutcome>;
  /** Runs a message shortcut or a global one. */
  shortcut(input: ShortcutRequest): Promise<PageOutcome>;
  /** Adds a person's reaction to a message, or removes it. */
  react(input: ReactionRequest): Promise<PageOutcome>;
  /** A person's open modals, the top one last; `values` is the current state of every element. */
  views(user: string): { id: string; modal: Modal; values: ViewValues }[];
  /** The files that the app has completed and not deleted, the newest first. */
  files(): WorkspaceFile[];
  fileBytes(id: string): Buffer | undefined;
  /** Opens the app as a person does, by default its Home. */
  openHome(user: string, tab?: 'home' | 'messages'): Promise<PageOutcome>;
  /** What the app has published on a person's Home; `viewAction` acts in it by its `id`. */
  home(user: string): { id: string; home: Home; values: ViewValues } | undefined;
  /** Acts in a modal or on the Home: a button, a choice, an input with `dispatch_action`. */
  viewAction(input: ViewActionRequest): Promise<PageOutcome>;
  /** Submits a modal; `values` need only hold what the person has changed. */
  submit(input: SubmitRequest): Promise<PageOutcome>;
  /** Closes a modal without submitting it. */
  closeView(input: CloseRequest): Promise<PageOutcome>;
  /** Whether the app is connected: a Socket Mode connection is open, or a delivery address is set. */
  online(): boolean;
  /** Ends the open Socket Mode connections as Slack does: with a reason, or abruptly. */
  disconnectSockets(how: DisconnectReason | 'drop'): void;
  /** The current faults between the workspace and the app. */
  faults(): PageFaults;
  /** Changes the faults; absent ones stay as they are. A restart of the workspace clears them. */
  setFaults(change: Partial<PageFaults>): void;
  /**
   * A person opens the Messages tab of an agent; without `channel` they look at what they looked at last. Resolves with
   * their conversation with the app. Rejects with a PersonError.
   */
  openMessagesTab(input: ViewingInput): Promise<{ channel: string }>;
  /** What a person looks at now, and, while the Messages tab is open, tells the app. Rejects with a PersonError. */
  lookAt(input: ViewingInput): Promise<void>;
  /** Rejects with a PersonError. */
  closeMessagesTab(user: string): Promise<void>;
  /** The Messages tab with its suggested prompts: those of the manifest until the app sets others. */
  messagesTab(user: string): PageMessagesTab;
  /** The agent's session of a thread. */
  session(channel: string, thread_ts: string): PageSession | undefined;
  /** The agent's sessions, of one channel or of all, the newest thread first. */
  sessions(channel?: string): PageSession[];
  /** A person presses Slack's stop button in a thread whose session is processing. */
  stopSession(input: StopSessionRequest): Promise<PageOutcome>;
  /** A person renames an agent's session. */
  renameSession(input: RenameSessionRequest): Promise<PageOutcome>;
  /** Posts as a person, with files. Rejects with a SlackError. */
  upload(input: UploadInput): Promise<{ ts: string }>;
  /** A person stops a streaming message. */
  stopStream(input: StopRequest): Promise<PageOutcome>;
  /** Stops; undelivered events stay in the file. */
  close(): Promise<void>;
}
