import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { systemClock } from '../lib/clock.ts';
import { playNext } from './scenarios/play.ts';
import { type RunningService, startService } from './service/server.ts';
import { startWorkspace } from './workspace/server.ts';
import type { Gallery, Workspace } from './workspace/workspace.ts';

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
}

/** What stands in for what is not configured (DESIGN sections 3 and 7). */
export interface Embedded {
  slack: { botToken: string; appToken: string; apiUrl: string; alerts: string; page: RequestListener } | null;
  service: { url: string; apiKey: string } | null;
  /** Plays a scenario, where both are embedded: with a real service none plays by itself. */
  play(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the local workspace, the embedded service, or both, on loopback ports of their own. */
export async function embed(options: EmbedOptions): Promise<Embedded> {
  const stopping = new AbortController();
  const apiKey = randomBytes(24).toString('hex');
  const service = options.service
    ? await startService({ file: join(options.folder, 'service.db'), keys: { [apiKey]: 'local' } })
    : null;
  const workspace = options.slack ? await workspaceBeside(service, options) : null;
  return {
    slack: workspace && {
      botToken: workspace.botToken,
      appToken: workspace.appToken,
      apiUrl: workspace.apiUrl,
      alerts: workspace.channels.alerts,
      page: (req, res) => workspace.page(req, res),
    },
    service: service && { url: service.url, apiKey },
    play: async () => {
      if (!workspace || !service) return;
      await playNext({ workspace, service, clock: systemClock, signal: stopping.signal }).catch((error) => {
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

async function workspaceBeside(service: RunningService | null, options: EmbedOptions): Promise<Workspace> {
  try {
    return await startWorkspace({
      file: join(options.folder, 'workspace.db'),
      manifest: options.manifest,
      pageUrl: options.pageUrl,
      ...(options.gallery ? { gallery: options.gallery } : {}),
    });
  } catch (error) {
    await service?.close();
    throw error;
  }
}
