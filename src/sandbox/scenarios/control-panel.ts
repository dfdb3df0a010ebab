import type { Clock } from '../../lib/clock.ts';
import type { SimulatedService } from '../simulated-service.ts';
import type { ControlPanel } from '../slack/control-panel.ts';
import type { Workspace } from '../slack/workspace.ts';
import { createAlerts } from './alerts.ts';
import type { BotControl } from './bot-command.ts';
import { openingScenarios, scenarios } from './catalogue.ts';
import { createProblems } from './problems.ts';
import { outcomeOf, Refusal } from './refusal.ts';
import { playScenario, type Scenario, type ScenarioContext } from './scenario.ts';
import { createShopControl } from './shop.ts';
import { tools } from './tools/index.ts';

export interface ControlPanelOptions {
  /** Asked for only once something is posted: the workspace is started with its panel. */
  workspace: () => Workspace;
  /** `null` where the service is a real one: then only alerts can be played. */
  service: SimulatedService | null;
  bot?: BotControl | undefined;
  clock: Clock;
  /** Ends what is being played. */
  signal: AbortSignal;
  /** A scenario that was begun from the page could not go on. */
  onFailure(error: unknown): void;
}

export interface SandboxControlPanel extends ControlPanel {
  /**
   * Plays a scenario to its end; without a name, the next of the beginnings, by how often the shop was broken before.
   *
   * @throws Refusal where there is none of that name, or a step is refused.
   */
  playToEnd(name?: string): Promise<void>;
}

const REAL_SERVICE = 'The investigation service is a real one: only alerts can be played.';

/** Everything around the bot that can be played, behind the workspace's page. */
export function createControlPanel(options: ControlPanelOptions): SandboxControlPanel {
  const { workspace, service, bot, clock, signal, onFailure } = options;
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  bot?.onChange(changed);

  const shop = service && createShopControl(service, clock);
  const problems = createProblems(clock, () => shop?.broken().at(-1));
  const post = createAlerts({ workspace, problems, clock, signal });
  const alert: ScenarioContext['alert'] = async (input) => {
    shop?.refresh();
    await post(input);
  };
  const playable = service === null ? [] : scenarios.filter((one) => bot !== undefined || !needsBot(one));
  let playing: Scenario | undefined;

  function inHouse() {
    if (!service || !shop) throw new Refusal(REAL_SERVICE);
    return { service, shop };
  }

  function named(name: string): Scenario {
    inHouse();
    const found = playable.find((one) => one.name === name);
    if (found) return found;
    throw new Refusal(
      `No scenario is called "${name}" here; there are ${playable.map((one) => one.name).join(', ')}.`,
    );
  }

  /** Throws where it cannot begin; what it answers is settled when it has ended. */
  function begin(scenario: Scenario): Promise<void> {
    if (playing) throw new Refusal(`“${playing.title}” is being played: wait until it has ended.`);
    const props = { ...inHouse(), alert, bot, clock, signal, onStep: changed };
    playing = scenario;
    return playScenario(scenario, { ...props, channel: () => workspace().channels.alerts }).finally(() => {
      playing = undefined;
    });
  }

  function watch(performance: Promise<void>): void {
    performance.catch((error: unknown) => {
      if (!signal.aborted) onFailure(error);
    });
  }

  /** What changes the view, and what becomes of it. */
  const change = (work: () => Promise<void> | void) => outcomeOf(work).finally(changed);

  return {
    view: () => ({
      scenarios: playable.map(({ name, title, about }) => ({ name, title, about })),
      tools: tools.map(({ id, name, recovers }) => ({ id, name, recovers: recovers !== null })),
      shop: shop?.view() ?? null,
      service: service && { down: service.isDown() },
      bot: bot ? { state: bot.state() } : null,
    }),
    play: (name) =>
      outcomeOf(() => {
        watch(begin(named(name)));
      }),
    alert: (input) => change(() => alert(input)),
    breakShop: (input) => change(() => inHouse().shop.break(input)),
    repairShop: () => change(() => inHouse().shop.repair()),
    service: (down) => change(() => (down ? inHouse().service.goDown() : inHouse().service.comeBack())),
    bot: (command) =>
      outcomeOf(() => {
        if (!bot) throw new Refusal('Gumshoe was not started from here, so it cannot be stopped or started.');
        return bot.run(command);
      }),
    onChange: (listener) => {
      listeners.push(listener);
    },
    playToEnd: async (name) => {
      const turn = service ? service.faults().length % openingScenarios.length : 0;
      await begin(name === undefined ? (openingScenarios[turn] ?? openingScenarios[0]) : named(name));
    },
  };
}

function needsBot({ steps }: Scenario): boolean {
  return steps.some((step) => step.do === 'bot');
}
