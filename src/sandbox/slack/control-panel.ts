import type { PageOutcome } from './page-api.ts';
import type { PageAlertKind, PageBotCommand, PagePanel } from './page-panel.ts';

/**
 * What can be played around the local Slack: alerts, the simulated shop, the service, the bot's own process. The workspace
 * only asks; whoever starts it knows how. A refusal is a sentence for the person, never a rejection.
 */
export interface ControlPanel {
  /** The workspace adds its own faults. */
  view(): Omit<PagePanel, 'faults'>;
  play(scenario: string): Promise<PageOutcome>;
  /** `channel` is an id. */
  alert(input: { tool: string; how: PageAlertKind; channel: string }): Promise<PageOutcome>;
  breakShop(input: { fault: string; service: string }): Promise<PageOutcome>;
  repairShop(): Promise<PageOutcome>;
  service(down: boolean): Promise<PageOutcome>;
  bot(command: PageBotCommand): Promise<PageOutcome>;
  /** `listener` is called after each change of what `view` gives. */
  onChange(listener: () => void): void;
}
