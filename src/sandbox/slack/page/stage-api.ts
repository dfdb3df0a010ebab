import type { PageAlertKind, PageBotDeed, PageFaults, PageSocketEnd, PageStage } from '../page-stage.ts';
import { get, post } from './api.ts';
import type { Outcome } from './model/schema.ts';
import { pageStage } from './model/stage-schema.ts';

/** The calls of `page-stage.ts`. `view` rejects when the server does not answer; the others say so as an outcome. */
interface StageApi {
  view(): Promise<PageStage>;
  play(scenario: string): Promise<Outcome>;
  /** `channel` is an id. */
  alert(body: { tool: string; how: PageAlertKind; channel: string }): Promise<Outcome>;
  break(body: { fault: string; service: string }): Promise<Outcome>;
  mend(): Promise<Outcome>;
  service(down: boolean): Promise<Outcome>;
  bot(deed: PageBotDeed): Promise<Outcome>;
  socket(reason: PageSocketEnd): Promise<Outcome>;
  /** All of them, as they are to be from now on; what is absent is off. */
  faults(faults: Partial<PageFaults>): Promise<Outcome>;
}

export const stageApi: StageApi = {
  view: () => get('stage', pageStage),
  play: (scenario) => post('stage/play', { scenario }),
  alert: (body) => post('stage/alert', body),
  break: (body) => post('stage/break', body),
  mend: () => post('stage/mend', {}),
  service: (down) => post('stage/service', { down }),
  bot: (deed) => post('stage/bot', { do: deed }),
  socket: (reason) => post('stage/socket', { reason }),
  faults: (faults) => post('stage/faults', faults),
};
