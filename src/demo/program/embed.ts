import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { type Gallery, startWorkspace, type Workspace } from 'local-slack';
import pino, { type DestinationStream } from 'pino';
import { systemClock } from '../../lib/clock.ts';
import type { ModelSettings } from '../../service/model/settings.ts';
import type { RunningService } from '../../service/server.ts';
import { startOverTelemetry } from '../../service/telemetry/open-sources.ts';
import type { TelemetrySettings } from '../../service/telemetry/settings.ts';
import type { SendWebhook } from '../scenarios/alerts.ts';
import { createControlPanel, type DemoControlPanel } from '../scenarios/control-panel.ts';
import { Refusal } from '../scenarios/refusal.ts';
import { startSimulatedService } from '../simulated-service.ts';

export interface EmbedOptions {
  slack: boolean;
  service: boolean;
  model?: ModelSettings | null;
  /** What the embedded service investigates; `null`: a simulated shop. */
  telemetry?: TelemetrySettings | null;
  /** Gets a sentence for each source of telemetry that cannot be read at the start. */
  onUnreachable?: (sentence: string) => void;
  /** Folder of `slack.db` and `service.db`, next to the bot's own database. */
  folder: string;
  /** Where its log goes; standard output by default. */
  lines?: DestinationStream;
  /** The path of `manifest.yml`. */
  manifest: string;
  /** The page's address. */
  pageUrl: string;
  /** Shown at `/gallery`. */
  gallery?: Gallery;
  /** Where the bot is, once it is up: played webhooks and Slackbot's calls go there. */
  botUrl?: () => string | null;
  /** The token of webhooks; `null` for a new one. */
  webhookToken?: string | null;
  /** How the local workspace delivers; Socket Mode by default. */
  deliver?: 'socket' | 'http';
  /** Milliseconds that the local workspace waits for an acknowledgement; Slack's 3 seconds by default. */
  ackTimeoutMs?: number;
}

/** Local stand-ins for whatever is not configured. */
export interface Embedded {
  slack: EmbeddedSlack | null;
  /** Two organizations with a key each; the second is for private channels. */
  service: { url: string; apiKey: string; privateApiKey: string } | null;
  /** Whether that service investigates real systems. */
  systems: boolean;
  /** Names of the scenarios: none with a real service or a real Slack. */
  scenarios: readonly string[];
  /**
   * Plays a scenario to its end if both are embedded, otherwise does nothing. Without a name it is the next in turn.
   * Rejects with an OperatorError if there is no such scenario, or if it fails.
   */
  play(name?: string): Promise<void>;
  stop(): Promise<void>;
}

interface EmbeddedSlack {
  botToken: string;
  appToken: string;
  signingSecret: string;
  apiUrl: string;
  /** The id of `#alerts`. */
  alerts: string;
  /** With which webhooks are played. */
  webhookToken: string;
  page: RequestListener;
  /** Over HTTP: the new delivery address; empty for none. */
  deliverTo(url: string): void;
}

/** Starts the local workspace, the embedded service, or both, on loopback ports of their own. */
export async function embed(options: EmbedOptions): Promise<Embedded> {
  const stopping = new AbortController();
  const lines = options.lines ?? pino.destination(1);
  const log = pino({ name: 'demo', level: 'error' }, lines);
  const apiKey = randomBytes(24).toString('hex');
  const privateApiKey = randomBytes(24).toString('hex');
  const { telemetry = null } = options;
  const own = {
    file: join(options.folder, 'service.db'),
    keys: { [apiKey]: 'local', [privateApiKey]: 'local-private' },
    model: options.model ?? null,
  };
  const systems =
    options.service && telemetry
      ? await startOverTelemetry(
          { ...own, log: pino({ name: 'service', level: 'warn' }, lines) },
          telemetry,
          systemClock,
          options.onUnreachable ?? (() => undefined),
        )
      : null;
  const service =
    options.service && systems === null
      ? await startSimulatedService({
          ...own,
          // Where people can inject faults, the shop is healthy until they do.
          recurring: !options.slack,
        })
      : null;
  let workspace: Workspace | null = null;
  const webhookToken = options.webhookToken ?? randomBytes(24).toString('hex');
  const controlPanel = createControlPanel({
    workspace: () => {
      if (!workspace) throw new Error('the local workspace has not started');
      return workspace;
    },
    service,
    sendWebhook: options.botUrl && createSendWebhook(webhookToken, options.botUrl),
    clock: systemClock,
    signal: stopping.signal,
    onFailure: (error) => log.error({ err: error }, 'the scenario failed'),
  });
  const running = systems ?? service;
  if (options.slack) workspace = await startWorkspaceFor(running, controlPanel, options);
  return {
    slack: workspace && {
      botToken: workspace.botToken,
      appToken: workspace.appToken,
      signingSecret: workspace.signingSecret,
      apiUrl: workspace.apiUrl,
      alerts: workspace.channels.alerts,
      webhookToken,
      page: (req, res) => workspace.page(req, res),
      deliverTo: workspace.setDelivery,
    },
    service: running && { url: running.url, apiKey, privateApiKey },
    systems: systems !== null,
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
      await running?.close();
    },
  };
}

async function startWorkspaceFor(
  service: RunningService | null,
  controlPanel: DemoControlPanel,
  options: EmbedOptions,
): Promise<Workspace> {
  try {
    return await startWorkspace({
      file: join(options.folder, 'slack.db'),
      manifest: options.manifest,
      pageUrl: options.pageUrl,
      controlPanel,
      mcpServer: () => {
        const url = options.botUrl?.() ?? null;
        return url === null ? null : new URL('/mcp', url).href;
      },
      ...(options.gallery ? { gallery: options.gallery } : {}),
      ...(options.ackTimeoutMs === undefined ? {} : { ackTimeoutMs: options.ackTimeoutMs }),
      ...(options.deliver === 'http' ? { deliver: { mode: 'http', url: '' } } : {}),
    });
  } catch (error) {
    await service?.close();
    throw error;
  }
}

export function createSendWebhook(token: string, botUrl: () => string | null): SendWebhook {
  return async (source, body, headers) => {
    const url = botUrl();
    if (url === null) throw new Refusal('Gumshoe has not started yet. Try again in a moment.');
    const answer = await fetch(new URL(`/alerts/${source}`, url), {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch((cause: unknown) => {
      throw new Refusal('Gumshoe did not answer the webhook.', { cause });
    });
    if (answer.ok) return;
    throw new Refusal(
      `Gumshoe refused the webhook (${answer.status}): ${(await answer.text()).slice(0, 300)}`,
    );
  };
}
