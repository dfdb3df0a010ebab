import { type ControlPanel, panelCall, type Workspace } from 'local-slack';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { SimulatedService } from '../simulated-service.ts';
import { ALERT_KINDS, createAlerts, type SendWebhook } from './alerts.ts';
import { openingScenarios, scenarios } from './catalogue.ts';
import { createProblems } from './problems.ts';
import { outcomeOf, Refusal } from './refusal.ts';
import { playScenario, type Scenario, type ScenarioContext } from './scenario.ts';
import { type PanelView, sectionsOf } from './sections.ts';
import { createShopControl } from './shop.ts';
import { tools, webhookTools } from './tools/index.ts';

export interface ControlPanelOptions {
  /** Resolved late, because the workspace is started with this panel. */
  workspace: () => Workspace;
  /** `null` with a real service: then only alerts can be posted. */
  service: SimulatedService | null;
  /** Without it, webhooks cannot be played. */
  sendWebhook?: SendWebhook | undefined;
  clock: Clock;
  /** Aborts a running scenario. */
  signal: AbortSignal;
  /** Called when a scenario that was started from the page fails. */
  onFailure(error: unknown): void;
}

export interface DemoControlPanel extends ControlPanel {
  view(): PanelView;
  /**
   * Plays a scenario to its end; without a name, the next opening scenario, by the number of faults injected so far.
   *
   * @throws Refusal if no scenario has that name, or a step is refused.
   */
  playToEnd(name?: string): Promise<void>;
}

const words = z.string().min(1);
const REAL_SERVICE = 'With a real investigation service, only alerts can be posted.';

/** Implements the control panel of the workspace's page. */
export function createControlPanel(options: ControlPanelOptions): DemoControlPanel {
  const { workspace, service, sendWebhook, clock, signal, onFailure } = options;
  const played = [...tools, ...(sendWebhook === undefined ? [] : webhookTools)];
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };

  const shop = service && createShopControl(service, clock);
  const problems = createProblems(clock, () => shop?.broken().at(-1));
  const post = createAlerts({ workspace, problems, clock, signal, sendWebhook });
  const alert: ScenarioContext['alert'] = async (input) => {
    shop?.refresh();
    await post(input);
  };
  const playable = service === null ? [] : scenarios;
  let playing: Scenario | undefined;

  function simulation() {
    if (!service || !shop) throw new Refusal(REAL_SERVICE);
    return { service, shop };
  }

  function named(name: string): Scenario {
    simulation();
    const found = playable.find((one) => one.name === name);
    if (found) return found;
    throw new Refusal(
      `There is no scenario "${name}". Available: ${playable.map((one) => one.name).join(', ')}.`,
    );
  }

  /** Throws if it cannot start; the promise settles when the scenario has ended. */
  function start(scenario: Scenario): Promise<void> {
    if (playing) throw new Refusal(`“${playing.title}” is still running. Wait until it has finished.`);
    const context = { ...simulation(), alert, clock, signal, onStep: changed };
    playing = scenario;
    return playScenario(scenario, { ...context, channel: () => workspace().channels.alerts }).finally(() => {
      playing = undefined;
    });
  }

  function reportFailure(scenario: Promise<void>): void {
    scenario.catch((error: unknown) => {
      if (!signal.aborted) onFailure(error);
    });
  }

  /** Runs something that changes the view. */
  const change = (work: () => Promise<void> | void) => outcomeOf(work).finally(changed);

  const view = (): PanelView => ({
    scenarios: playable.map(({ name, title, about }) => ({ name, title, about })),
    tools: played.map(({ id, name, recovers }) => ({ id, name, recovers: recovers !== null })),
    shop: shop?.view() ?? null,
    service: service && { down: service.isDown() },
  });
  const Alert = z.strictObject({ tool: words, how: z.enum(ALERT_KINDS), channel: words });
  return {
    view,
    sections: () => sectionsOf(view()),
    // What the buttons of the sections call; scripts call it, too.
    calls: {
      play: panelCall(z.strictObject({ scenario: words }), ({ scenario }) =>
        outcomeOf(() => reportFailure(start(named(scenario)))),
      ),
      alert: panelCall(Alert, (input) => change(() => alert(input))),
      break: panelCall(z.strictObject({ fault: words, service: words }), (input) =>
        change(() => simulation().shop.break(input)),
      ),
      // What is chosen beside it does not matter.
      mend: panelCall(z.object({}), () => change(() => simulation().shop.repair())),
      service: panelCall(z.strictObject({ down: z.boolean() }), ({ down }) =>
        change(() => (down ? simulation().service.goDown() : simulation().service.comeBack())),
      ),
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    playToEnd: async (name) => {
      const turn = service ? service.faults().length % openingScenarios.length : 0;
      await start(name === undefined ? (openingScenarios[turn] ?? openingScenarios[0]) : named(name));
    },
  };
}
