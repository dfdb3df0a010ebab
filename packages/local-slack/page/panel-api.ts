import type { PageOutcome } from '../src/page-api.ts';
import {
  type PageAlertKind,
  type PageBotCommand,
  type PageDisconnect,
  type PageFaults,
  PagePanel,
} from '../src/page-panel.ts';
import { get, post } from './api.ts';

/** The calls of `page-panel.ts`. `view` rejects if the server does not answer; the others return that as an outcome. */
interface PanelApi {
  view(): Promise<PagePanel>;
  play(scenario: string): Promise<PageOutcome>;
  /** `channel` is an id. */
  alert(body: { tool: string; how: PageAlertKind; channel: string }): Promise<PageOutcome>;
  break(body: { fault: string; service: string }): Promise<PageOutcome>;
  repair(): Promise<PageOutcome>;
  service(down: boolean): Promise<PageOutcome>;
  bot(command: PageBotCommand): Promise<PageOutcome>;
  socket(reason: PageDisconnect): Promise<PageOutcome>;
  /** All of them; those that are absent are off. */
  faults(faults: Partial<PageFaults>): Promise<PageOutcome>;
}

export const panelApi: PanelApi = {
  view: () => get('stage', PagePanel),
  play: (scenario) => post('stage/play', { scenario }),
  alert: (body) => post('stage/alert', body),
  break: (body) => post('stage/break', body),
  repair: () => post('stage/mend', {}),
  service: (down) => post('stage/service', { down }),
  bot: (command) => post('stage/bot', { do: command }),
  socket: (reason) => post('stage/socket', { reason }),
  faults: (faults) => post('stage/faults', faults),
};
