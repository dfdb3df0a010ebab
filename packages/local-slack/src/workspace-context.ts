import type { Viewing } from './agent/viewing.ts';
import type { Clock } from './clock.ts';
import type { Ack, EnvelopeKind } from './deliver.ts';
import type { App, Credentials, Team } from './entities.ts';
import type { Faults } from './faults/state.ts';
import type { Random } from './ids.ts';
import type { ElementStates } from './interact/choice.ts';
import type { Views } from './interact/modal/views.ts';
import type { Triggers } from './interact/triggers.ts';
import type { Jobs } from './jobs.ts';
import type { Manifest } from './manifest.ts';
import type { PageBus } from './page-bus.ts';
import type { PageDisconnect } from './page-panel.ts';
import type { ControlPanel } from './page-routes/panel.ts';
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
