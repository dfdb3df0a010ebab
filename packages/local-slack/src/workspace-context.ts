import type { Clock, Jobs } from './clock.ts';
import type { ControlPanel } from './control-panel.ts';
import type { Ack, EnvelopeKind } from './deliver.ts';
import type { App, Channel, Credentials, Message, Team, User } from './entities.ts';
import type { Faults } from './faults.ts';
import type { Random } from './ids.ts';
import type { Element } from './interact/elements.ts';
import type { Triggers } from './interact/triggers.ts';
import type { ElementStates, Views } from './interact/views.ts';
import type { Manifest } from './manifest.ts';
import type { PageBus } from './page-bus.ts';
import type { PageDisconnect } from './page-panel.ts';
import type { Rates } from './rates.ts';
import type { Store } from './store/store.ts';

/** The dependencies that all parts of the workspace share. One per workspace, made in `server.ts`. */
export interface WorkspaceContext {
  clock: Clock;
  random: Random;
  manifest: Manifest;
  team: Team;
  app: App;
  credentials: Credentials;
  /** All scopes of the manifest; `manifest.scopes` are the granted ones. */
  installed: readonly string[];
  /** The faults between the workspace and the app. */
  faults: Faults;
  /** Controls what is around the workspace; absent if the workspace runs on its own. */
  controlPanel: ControlPanel | undefined;
  store: Store;
  page: PageBus;
  rates: Rates;
  triggers: Triggers;
  views: Views;
  elementStates: ElementStates;
  jobs: Jobs;
  slackbot: Slackbot;
  /** What each person is viewing, and who has the Messages tab open. */
  viewing: Viewing;
  /** Milliseconds until Slack has processed a completed file. */
  fileDelay: number;
  /** Milliseconds after which a stream ends. */
  streamLife: number;
  /** Storage limit for files, in bytes. */
  storage: number;
  /** The page's address, with a trailing slash; permalinks start with it. */
  pageUrl: string;
  /** The Web API's address without a trailing slash, e.g. `http://127.0.0.1:4020`. */
  origin(): string;
  /** A new address for one Socket Mode connection. */
  socketUrl(): string;
  /** Ends the open Socket Mode connections, and returns how many there were. */
  endSockets(how: PageDisconnect): number;
  /** Whether deliveries can be made now. */
  online(): boolean;
  /** Stores an event's body and delivers it, with retries. */
  deliverEvent(id: string, body: object): void;
  /** Sends a command or an interaction once, and waits for the app's answer. */
  send(kind: EnvelopeKind, payload: object): Promise<Ack>;
}

/** Slackbot, who answers each person by calling the tools of the app's MCP server for them. */
export interface Slackbot {
  /** Answers a person's message, if it is to Slackbot. */
  hear(channel: Channel, message: Message): void;
  /** A button of one of its messages: a tool is called, and what it answers takes the place of the message. */
  press(click: { user: User; channel: Channel; message: Message; element: Element }): Promise<void>;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

/** A channel, or one message in it. */
export interface Viewed {
  channel: string;
  message_ts?: string | undefined;
}

/** What each person is viewing, and who has the Messages tab open; lost when the workspace restarts. */
export interface Viewing {
  /** By person. */
  places: Map<string, Viewed>;
  /** Persons with the Messages tab open. */
  tabs: Set<string>;
}

export function createViewing(): Viewing {
  return { places: new Map(), tabs: new Set() };
}
