import type { Clock } from '../../lib/clock.ts';
import type { ControlPanel } from './control-panel.ts';
import type { Ack, EnvelopeKind } from './deliver/transport.ts';
import type { App, Credentials, Team } from './entities.ts';
import type { Faults } from './faults/state.ts';
import type { Random } from './ids.ts';
import type { ElementStates } from './interact/element-states.ts';
import type { Views } from './interact/modal/views.ts';
import type { Triggers } from './interact/triggers.ts';
import type { Jobs } from './jobs.ts';
import type { Manifest } from './manifest.ts';
import type { PageBus } from './page-bus.ts';
import type { PageDisconnect } from './page-panel.ts';
import type { Rates } from './rates.ts';
import type { Store } from './store/store.ts';

/** What everything in the workspace works with. One per workspace; made in `server.ts`. */
export interface WorkspaceContext {
  clock: Clock;
  random: Random;
  manifest: Manifest;
  team: Team;
  app: App;
  credentials: Credentials;
  /** The scopes of the manifest, granted or not; `manifest.scopes` are those that are granted. */
  installed: readonly string[];
  /** What goes wrong between here and the app. */
  faults: Faults;
  /** What can be played around the workspace; nothing where it was started by itself. */
  controlPanel: ControlPanel | undefined;
  store: Store;
  page: PageBus;
  rates: Rates;
  triggers: Triggers;
  views: Views;
  elementStates: ElementStates;
  jobs: Jobs;
  /** Milliseconds until Slack knows what a completed file is. */
  fileDelay: number;
  /** Milliseconds for which a stream takes more. */
  streamLife: number;
  /** Bytes that files may take up. */
  storage: number;
  /** Where the page is, ending in `/`: what permalinks begin with. */
  pageUrl: string;
  /** Where the Web API's server is, e.g. `http://127.0.0.1:4020`, without a slash at the end. */
  origin(): string;
  /** A fresh address for one Socket Mode connection. */
  socketUrl(): string;
  /** Ends the open Socket Mode connections; how many there were. */
  endSockets(how: PageDisconnect): number;
  /** Whether anybody would take a delivery now. */
  online(): boolean;
  /** Stores an event's body and delivers it, with retries. */
  deliverEvent(id: string, body: object): void;
  /** Sends a command or an interaction once and waits for what the app answers. */
  send(kind: EnvelopeKind, payload: object): Promise<Ack>;
}
