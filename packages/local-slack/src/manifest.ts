import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { LIMITS } from './limits.ts';

const ManifestFile = z.object({
  display_information: z.object({ name: z.string() }),
  features: z
    .object({
      bot_user: z.object({ display_name: z.string() }).optional(),
      app_home: z.object({ home_tab_enabled: z.boolean().optional() }).optional(),
      agent_view: z
        .object({
          agent_description: z.string().max(300).optional(),
          suggested_prompts: z
            .array(z.object({ title: z.string(), message: z.string() }))
            .max(LIMITS.prompts)
            .optional(),
          actions: z.array(z.object({ name: z.string(), description: z.string() })).optional(),
        })
        .optional(),
      slash_commands: z
        .array(
          z.object({
            command: z.string(),
            description: z.string(),
            usage_hint: z.string().optional(),
            should_escape: z.boolean().optional(),
          }),
        )
        .optional(),
      mcp_servers: z.record(z.string(), z.object({ url: z.string() })).optional(),
      shortcuts: z
        .array(
          z.object({
            name: z.string(),
            type: z.enum(['message', 'global']),
            callback_id: z.string(),
            description: z.string(),
          }),
        )
        .optional(),
    })
    .optional(),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()).optional() }).optional() }).optional(),
  settings: z
    .object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()).optional() }).optional(),
      interactivity: z.object({ is_enabled: z.boolean().optional() }).optional(),
    })
    .optional(),
});

interface SlashCommand {
  command: string;
  description: string;
  usage_hint?: string | undefined;
  /** Whether the names of channels and people in its text arrive as mentions. */
  should_escape?: boolean | undefined;
}

/** An entry of a message's menu, or of the menu beside the composer. */
interface Shortcut {
  name: string;
  type: 'message' | 'global';
  callback_id: string;
  description: string;
}

/** How the app presents itself as an agent. */
interface AgentView {
  description: string;
  /** On top of the Messages tab, until the app sets others. */
  prompts: readonly { title: string; message: string }[];
  actions: readonly { name: string; description: string }[];
}

/** What the workspace reads of an app's `manifest.yml`. */
export interface Manifest {
  name: string;
  botName: string;
  scopes: readonly string[];
  events: readonly string[];
  commands: readonly SlashCommand[];
  shortcuts: readonly Shortcut[];
  interactive: boolean;
  /** Whether the app has a Home. */
  home: boolean;
  /** Set where the app is an agent, with a Messages tab and sessions. */
  agent: AgentView | undefined;
  /** The address of the app's MCP server, which Slackbot calls. */
  mcpServer?: string | undefined;
}

/** The manifest is missing or not one. */
class ManifestError extends Error {
  override name = 'ManifestError';
}

/**
 * Reads an app's manifest, in YAML.
 *
 * @throws ManifestError if the file cannot be read or lacks the app's name.
 */
export async function readManifest(path: string): Promise<Manifest> {
  try {
    const file = ManifestFile.parse(parse(await readFile(path, 'utf8')));
    const agentView = file.features?.agent_view;
    return {
      name: file.display_information.name,
      botName: file.features?.bot_user?.display_name ?? file.display_information.name,
      scopes: file.oauth_config?.scopes?.bot ?? [],
      events: file.settings?.event_subscriptions?.bot_events ?? [],
      commands: file.features?.slash_commands ?? [],
      shortcuts: file.features?.shortcuts ?? [],
      interactive: file.settings?.interactivity?.is_enabled ?? false,
      home: file.features?.app_home?.home_tab_enabled ?? false,
      mcpServer: Object.values(file.features?.mcp_servers ?? {})[0]?.url,
      agent: agentView && {
        description: agentView.agent_description ?? '',
        prompts: agentView.suggested_prompts ?? [],
        actions: agentView.actions ?? [],
      },
    };
  } catch (cause) {
    throw new ManifestError(
      `The app manifest ${path} cannot be used: check that it exists and names the app`,
      {
        cause,
      },
    );
  }
}
