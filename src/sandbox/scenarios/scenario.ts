import type { FaultKind } from '../shop/faults.ts';
import type { PageAlertKind, PageBotDeed } from '../slack/page-stage.ts';

/** One thing that happens in a scenario. Alerts are posted in #alerts. */
export type Step =
  | { do: 'break'; fault: FaultKind; service: string; minutesBefore: number }
  | { do: 'mend' }
  /** Without `service` and `symptom` it is about what is broken. */
  | { do: 'alert'; tool: string; how: PageAlertKind; service?: string; symptom?: string }
  | { do: 'service'; down: boolean }
  | { do: 'bot'; deed: PageBotDeed }
  | { do: 'wait'; seconds: number };

/** What can happen around Gumshoe, to be watched from beginning to end: a file of `stories/`, and a line of its registry. */
export interface Scenario {
  /** As in `npm start -- --scenario <name>`. */
  name: string;
  title: string;
  /** What is to be seen, in one sentence. */
  about: string;
  steps: readonly Step[];
}
