import { type ControlPanel, type PageButton, type PageSection, panelCall, type Workspace } from 'local-slack';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { SimulatedService } from '../simulated-service.ts';
import { ALERT_KINDS, createAlerts, type SendWebhook } from './alerts.ts';
import { openingScenarios, scenarios } from './catalogue.ts';
import { createProblems } from './problems.ts';
import { outcomeOf, Refusal } from './refusal.ts';
import { playScenario, type Scenario, type ScenarioContext } from './scenario.ts';
import { createShopControl, type ShopView } from './shop.ts';
import { tools, webhookTools } from './tools/index.ts';

export interface ControlPanelOptions {
  /** Resolved late, because the workspace is started with this panel. */
  workspace: () => Workspace;
  /** `null` with a real service: then only alerts can be posted. */
  service: SimulatedService | null;
  /** Without it, webhooks cannot be played. */
  sendWebhook?: SendWebhook | undefined;
  clock: Clock;
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

/** What is around the local Slack, as the panel shows it. */
interface PanelView {
  /** Empty with a real service, where nothing can be broken. */
  scenarios: { name: string; title: string; about: string }[];
  /** The tools whose alerts can be posted. */
  tools: { id: string; name: string; recovers: boolean }[];
  /** `null` with a real service. */
  shop: ShopView | null;
  /** The embedded service; `null` with a real one. */
  service: { down: boolean } | null;
}

/** The sections of the panel; what runs elsewhere has none. */
function sectionsOf({ scenarios, tools, shop, service }: PanelView): PageSection[] {
  return [
    ...(scenarios.length > 0 ? [scenariosSection(scenarios)] : []),
    ...(tools.length > 0 ? [alertsSection(tools)] : []),
    ...(shop ? [shopSection(shop)] : []),
    ...(service ? [serviceSection(service.down)] : []),
  ];
}

function scenariosSection(scenarios: PanelView['scenarios']): PageSection {
  const play = { label: 'Play', call: 'play', busy: 'Playing…', done: 'Started.' };
  return {
    id: 'scenarios',
    short: 'Play',
    title: 'Run a scenario',
    about: 'Plays a sequence of events. Watch how Gumshoe reacts in the channels.',
    list: {
      label: 'Scenarios',
      whenEmpty: '',
      items: scenarios.map(({ name, title, about }) => ({
        title,
        text: about,
        button: { ...play, name: `Play ${title}`, values: { scenario: name } },
      })),
    },
  };
}

function alertsSection(tools: PanelView['tools']): PageSection {
  const post = (label: string, how: string, done: string): PageButton => ({
    label,
    call: 'alert',
    values: { how },
    busy: 'Posting…',
    done: `${done}: {tool} in {channel}.`,
  });
  return {
    id: 'alerts',
    short: 'Alerts',
    title: 'Alerts',
    about:
      'Posts what a monitoring tool would. Fire again and Recover refer to its last alert in the channel.',
    fields: [
      {
        id: 'tool',
        label: 'Tool',
        options: tools.map(({ id, name, recovers }) => ({
          id,
          name,
          ...(!recovers && { disables: { Recover: `${name} does not report recoveries.` } }),
        })),
      },
      { id: 'channel', label: 'Channel', options: 'channels' },
    ],
    buttons: [
      post('Fire', 'fires', 'Posted'),
      post('Fire again', 'again', 'Posted again'),
      post('Recover', 'recovers', 'Recovery posted'),
      post('Storm of 100', 'storm', '100 alerts posted'),
    ],
  };
}

function shopSection({ faults, broken }: ShopView): PageSection {
  const titles = new Map(faults.map(({ kind, title }) => [kind, title]));
  const services = [...new Set(faults.flatMap((fault) => fault.services))];
  return {
    id: 'shop',
    short: 'Shop',
    title: 'The shop',
    about:
      'Injects faults into the simulated shop: they show in its telemetry, and investigations find them.',
    fields: [
      { id: 'fault', label: 'Fault', options: faults.map(({ kind, title }) => ({ id: kind, name: title })) },
      {
        id: 'service',
        label: 'Service',
        options: services.map((name) => ({
          id: name,
          name,
          only: faults.filter((fault) => fault.services.includes(name)).map(({ kind }) => kind),
        })),
      },
    ],
    list: {
      label: 'Broken now',
      whenEmpty: 'Nothing is broken.',
      items: broken.map(({ kind, service, since }) => ({
        title: titles.get(kind) ?? kind,
        text: `at ${service}`,
        since,
      })),
    },
    buttons: [
      { label: 'Break', call: 'break', busy: 'Breaking…', done: '', style: 'danger' },
      {
        label: 'Repair',
        call: 'mend',
        busy: 'Repairing…',
        done: 'Repaired.',
        ...(broken.length === 0 && { disabled: 'Nothing is broken.' }),
      },
    ],
  };
}

function serviceSection(down: boolean): PageSection {
  return {
    id: 'service',
    short: 'Service',
    title: 'The service',
    about: 'While the investigation service is down, connections are refused and alerts queue up.',
    state: down ? { text: 'Down.', tone: 'bad' } : { text: 'Running.', tone: 'good' },
    buttons: [
      down
        ? { label: 'Start', call: 'service', values: { down: false }, busy: 'Starting…', done: '' }
        : {
            label: 'Stop',
            call: 'service',
            values: { down: true },
            busy: 'Stopping…',
            done: '',
            style: 'danger',
          },
    ],
    ...(down && { warning: 'The service is down' }),
  };
}
