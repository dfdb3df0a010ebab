import type { PageOutcome } from './page-api.ts';
import type { PageAlertKind, PageBotCommand, PagePanel } from './page-panel.ts';

/**
 * Controls what is around the local Slack: alerts, the simulated shop, the service, the bot's process. Implemented by
 * whoever starts the workspace. A refusal is an outcome with a sentence for the person, never a rejection.
 */
export interface ControlPanel {
  /** Without the workspace's own faults and webhooks, which it adds itself. */
  view(): Omit<PagePanel, 'faults' | 'webhooks'>;
  play(scenario: string): Promise<PageOutcome>;
  /** `channel` is an id. */
  alert(input: { tool: string; how: PageAlertKind; channel: string }): Promise<PageOutcome>;
  breakShop(input: { fault: string; service: string }): Promise<PageOutcome>;
  repairShop(): Promise<PageOutcome>;
  service(down: boolean): Promise<PageOutcome>;
  bot(command: PageBotCommand): Promise<PageOutcome>;
  /** `listener` is called whenever the result of `view` has changed. */
  onChange(listener: () => void): void;
}
