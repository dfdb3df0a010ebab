import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../lib/clock.ts';
import type { ControlPanel } from './control-panel.ts';
import type { Random } from './ids.ts';
import type { ViewValues } from './interact/modal/state.ts';
import type {
  PageAssistantThread,
  PageGalleryEntry,
  PageMessage,
  PageOutcome,
  SuggestOutcome,
} from './page-api.ts';
import type { PageFaults } from './page-panel.ts';
import type {
  ActionRequest,
  CloseRequest,
  CommandRequest,
  ReactionRequest,
  ShortcutRequest,
  StopRequest,
  SubmitRequest,
  SuggestRequest,
  ViewActionRequest,
} from './page-requests.ts';
import type { SeedChannelName } from './seed.ts';
import type { DisconnectReason } from './socket/connection.ts';
import type { Home } from './validate/home.ts';
import type { Modal } from './validate/view.ts';

/** What the page shows at `/gallery`; made when somebody looks. */
export interface Gallery {
  entries(): Promise<PageGalleryEntry[]>;
  /** The PNG of a `slack_file` in the entries; `null` for any other. */
  picture(id: string): Promise<Uint8Array | null>;
}

export interface WorkspaceOptions {
  /** The SQLite file; what it holds survives a restart. */
  file: string;
  /** The path of the app's `manifest.yml`. */
  manifest: string;
  /** Of the Web API's server; 0, the default, takes any that is free. */
  port?: number;
  host?: string;
  /** Of everything that Slack times: messages, rates, triggers, retries. */
  clock?: Clock;
  /**
   * Milliseconds of `clock` for the app to acknowledge, and for which a trigger lives: Slack's 3,000 by default.
   * Where the clock goes faster than the machine's own, raise it as much: the app works no faster.
   */
  patience?: number;
  random?: Random;
  /** How the app hears of things. Over HTTP, an empty `url` waits for `setDelivery`. */
  deliver?: { mode: 'socket' } | { mode: 'http'; url: string };
  botToken?: string;
  appToken?: string;
  signingSecret?: string;
  /** Where people open the page; what permalinks begin with. */
  pageUrl?: string;
  /** Milliseconds of `clock` for which a stream takes more; Slack's five minutes by default. */
  streamLife?: number;
  /** Milliseconds of `clock` until Slack knows what a completed file is, and shows it; 300 by default. */
  fileDelay?: number;
  /** Bytes that files may take up; 200 MB by default. What nobody can see is dropped first. */
  fileStorage?: number;
  gallery?: Gallery;
  /** What else can be played from the page; without it only the faults of the local Slack can. */
  controlPanel?: ControlPanel;
  /** Milliseconds before each retry of an event; Slack's own by default. */
  retryDelays?: readonly number[];
}

/** A message that something other than the app posts. Blocks and attachments are not checked. */
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
  /** Of a reply: shown in the channel too. */
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

/** A change that an author other than the app makes to their message; what is absent stays. */
export interface EditInput {
  /** As in `PostInput`. */
  channel: string;
  ts: string;
  text?: string;
  blocks?: unknown[];
  attachments?: unknown[];
  /** Slack itself adds the preview of a link: nobody is named as who edited it. */
  unfurl?: boolean;
}

/** A person opens the pane; `channel`, an id or a name, is what they are looking at beside it. */
export interface PaneInput {
  user: string;
  channel?: string | undefined;
}

/** A person who has a thread of the pane open looks at another channel. */
export interface ContextInput {
  user: string;
  thread_ts: string;
  channel: string;
}

/** A file of the app's. */
export interface WorkspaceFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  /** What a picture shows, in words; empty where the app has said nothing. */
  alt: string;
  /** Bytes. */
  size: number;
  /** The messages that it was sent with; not those whose blocks show it. */
  shares: { channel: string; ts: string }[];
}

/** A local Slack with one app installed. */
export interface Workspace {
  /** What `SLACK_API_URL` is to be: `http://127.0.0.1:<port>/api/`. */
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  botUserId: string;
  /** The ids of the seeded channels by name. */
  channels: Record<SeedChannelName, string>;
  /** Serves the page and `/page-api/*`. */
  page(request: IncomingMessage, response: ServerResponse): void;
  /** Over HTTP: where deliveries go from now on. */
  setDelivery(url: string): void;
  /** Posts as somebody else; the app hears of it as an event. Rejects with a SlackError. */
  post(input: PostInput): Promise<{ ts: string }>;
  /** Changes a message as its author, who is not the app. Rejects with a SlackError. */
  edit(input: EditInput): Promise<void>;
  /** Deletes a message as its author, who is not the app. Rejects with a SlackError. */
  remove(channel: string, ts: string): Promise<void>;
  /** Brings the app into a channel (id or name), as a person does; Alice, if not said. Rejects with a SlackError. */
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
  /** From now on the app may not post in a channel, or may again. Rejects with a SlackError. */
  restrict(channel: string, restricted?: boolean): Promise<void>;
  /** From now on every call with the bot's token is refused so, or, with `null`, none; `event` is told before. */
  refuseToken(refusal: string | null, event?: 'app_uninstalled' | 'tokens_revoked'): void;
  /** The scopes that are granted from now on; those of the manifest, if not said. */
  grantScopes(scopes?: readonly string[]): void;
  /** What the page shows of a channel's top level, or of a thread with its root; oldest first. */
  messages(channel: string, thread_ts?: string): PageMessage[];
  command(input: CommandRequest): Promise<PageOutcome>;
  action(input: ActionRequest): Promise<PageOutcome>;
  /** Asks the app for the options of a list, as a person does who types into it. */
  suggest(input: SuggestRequest): Promise<SuggestOutcome>;
  /** Picks a shortcut, of a message or global. */
  shortcut(input: ShortcutRequest): Promise<PageOutcome>;
  /** Puts an emoji on a message as a person, or takes it back. */
  react(input: ReactionRequest): Promise<PageOutcome>;
  /** The modals that a person has open, the one on top last; `values` is what every element holds now. */
  views(user: string): { id: string; modal: Modal; values: ViewValues }[];
  /** The files that the app has completed and not deleted, the newest first. */
  files(): WorkspaceFile[];
  /** A file's bytes. */
  fileBytes(id: string): Buffer | undefined;
  /** Opens the app as a person does: its Home, if not said. */
  openHome(user: string, tab?: 'home' | 'messages'): Promise<PageOutcome>;
  /** What the app has published on a person's Home; `viewAction` acts in it by its `id`. */
  home(user: string): { id: string; home: Home; values: ViewValues } | undefined;
  /** Acts in a modal or on the Home: a button, a choice, an input with `dispatch_action`. */
  viewAction(input: ViewActionRequest): Promise<PageOutcome>;
  /** Sends a modal off; `values` need only hold what the person changed. */
  submit(input: SubmitRequest): Promise<PageOutcome>;
  /** Closes a modal without sending it. */
  closeView(input: CloseRequest): Promise<PageOutcome>;
  /** Whether the app is there: a Socket Mode connection is open, or there is an address to deliver to. */
  online(): boolean;
  /** Ends the open Socket Mode connections as Slack does: saying why, or without a word. */
  disconnectSockets(how: DisconnectReason | 'drop'): void;
  /** What goes wrong between the workspace and the app now. */
  faults(): PageFaults;
  /** What goes wrong from now on; what is absent stays as it is. A new start of the workspace ends it all. */
  setFaults(change: Partial<PageFaults>): void;
  /** Opens the pane as a person does, looking at `channel`: a new thread. Rejects with a PersonError. */
  openAssistant(input: PaneInput): Promise<{ channel: string; thread_ts: string }>;
  /** A thread of the pane, or one with a status. */
  assistantThread(channel: string, thread_ts: string): PageAssistantThread | undefined;
  /** Somebody who has the pane open looks at another channel. Rejects with a PersonError. */
  changeContext(input: ContextInput): Promise<void>;
  /** Posts as a person, with files. Rejects with a SlackError. */
  upload(input: UploadInput): Promise<{ ts: string }>;
  /** A person stops a message that grows. */
  stopStream(input: StopRequest): Promise<PageOutcome>;
  /** Stops; undelivered events stay in the file. */
  close(): Promise<void>;
}
