import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import pino from 'pino';
import { systemClock } from '../../lib/clock.ts';
import type { BotControl } from '../scenarios/bot-command.ts';
import { createControlPanel, type SandboxControlPanel } from '../scenarios/control-panel.ts';
import { type SimulatedService, startSimulatedService } from '../simulated-service.ts';
import { startWorkspace } from '../slack/server.ts';
import type { Gallery, Workspace } from '../slack/workspace.ts';

export interface EmbedOptions {
  slack: boolean;
  service: boolean;
  /** Where `workspace.db` and `service.db` lie, beside the bot's own database. */
  folder: string;
  /** The path of `manifest.yml`. */
  manifest: string;
  /** Where people open the page. */
  pageUrl: string;
  /** What the page shows at `/gallery`. */
  gallery?: Gallery;
  /** Steers the bot's process from the page. */
  bot?: BotControl;
  /** How the local workspace delivers; by Socket Mode, if not said. */
  deliver?: 'socket' | 'http';
}

/** What stands in for what is not configured (DESIGN sections 3 and 7). */
export interface Embedded {
  slack: EmbeddedSlack | null;
  /** Two organisations, each with its key: the second is for private channels. */
  service: { url: string; apiKey: string; privateApiKey: string } | null;
  /** The names of what can be played: none with a real service or a real Slack. */
  scenarios: readonly string[];
  /**
   * Plays a scenario to its end, where both are embedded: with a real service none plays by itself. Without a name it is
   * the next in turn. Rejects with an OperatorError where there is none of that name, or where it could not go on.
   */
  play(name?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface EmbeddedSlack {
  botToken: string;
  appToken: string;
  signingSecret: string;
  apiUrl: string;
  /** The id of `#alerts`. */
  alerts: string;
  page: RequestListener;
  /** Over HTTP: where deliveries go from now on; nowhere with an empty text. */
  deliverTo(url: string): void;
}

/** Starts the local workspace, the embedded service, or both, on loopback ports of their own. */
export async function embed(options: EmbedOptions): Promise<Embedded> {
  const stopping = new AbortController();
  const log = pino({ name: 'sandbox', level: 'error' });
  const apiKey = randomBytes(24).toString('hex');
  const privateApiKey = randomBytes(24).toString('hex');
  const service = options.service
    ? await startSimulatedService({
        file: join(options.folder, 'service.db'),
        keys: { [apiKey]: 'local', [privateApiKey]: 'local-private' },
        // Where people can break the shop, it is well until they do.
        recurring: !options.slack,
      })
    : null;
  let workspace: Workspace | null = null;
  const controlPanel = createControlPanel({
    workspace: () => {
      if (!workspace) throw new Error('the local workspace has not started');
      return workspace;
    },
    service,
    bot: options.bot,
    clock: systemClock,
    signal: stopping.signal,
    onFailure: (error) => log.error({ err: error }, 'the scenario could not go on'),
  });
  if (options.slack) workspace = await startWorkspaceFor(service, controlPanel, options);
  return {
    slack: workspace && {
      botToken: workspace.botToken,
      appToken: workspace.appToken,
      signingSecret: workspace.signingSecret,
      apiUrl: workspace.apiUrl,
      alerts: workspace.channels.alerts,
      page: (req, res) => workspace.page(req, res),
      deliverTo: workspace.setDelivery,
    },
    service: service && { url: service.url, apiKey, privateApiKey },
    scenarios: workspace ? controlPanel.view().scenarios.map(({ name }) => name) : [],
    play: async (name) => {
      if (!workspace || !service) return;
      await controlPanel.playToEnd(name).catch((error) => {
        if (!stopping.signal.aborted) throw error;
      });
    },
    stop: async () => {
      stopping.abort();
      await workspace?.close();
      await service?.close();
    },
  };
}

async function startWorkspaceFor(
  service: SimulatedService | null,
  controlPanel: SandboxControlPanel,
  options: EmbedOptions,
): Promise<Workspace> {
  try {
    return await startWorkspace({
      file: join(options.folder, 'workspace.db'),
      manifest: options.manifest,
      pageUrl: options.pageUrl,
      controlPanel,
      ...(options.gallery ? { gallery: options.gallery } : {}),
      ...(options.deliver === 'http' ? { deliver: { mode: 'http', url: '' } } : {}),
    });
  } catch (error) {
    await service?.close();
    throw error;
  }
}
