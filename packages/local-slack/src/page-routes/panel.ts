import { type PanelCall, panelCall, refused } from '../control-panel.ts';
import { webhookAddresses } from '../incoming-webhooks.ts';
import { METHODS } from '../methods/index.ts';
import { PageFaults, type PagePanel, SocketRequest } from '../page-panel.ts';
import { BLOCK_TYPES } from '../validate/blocks.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

const KNOWN_METHODS = new Set(METHODS.map(({ name }) => name));

/** `GET /stage`. */
export function pagePanel(context: WorkspaceContext): PagePanel {
  const { controlPanel, faults } = context;
  const sections = controlPanel?.sections() ?? [];
  return { sections, webhooks: webhookAddresses(context), faults: faults.now() };
}

/** A call of the panel by the end of its path, if there is one. */
export function panelCallOf(context: WorkspaceContext, name: string): PanelCall | undefined {
  const { faults, installed, controlPanel, endSockets } = context;
  if (name === 'socket') {
    return panelCall(SocketRequest, async ({ reason }) =>
      endSockets(reason) > 0 ? { ok: true } : refused('The app has no open Socket Mode connection.'),
    );
  }
  if (name === 'faults') {
    return panelCall(PageFaults, async (wanted) => {
      const method = wanted.methods.find((one) => !KNOWN_METHODS.has(one));
      if (method !== undefined) return refused(`methods: the local Slack has no method ${method}.`);
      const scope = wanted.withheldScopes.find((one) => !installed.includes(one));
      if (scope !== undefined) return refused(`The app’s manifest does not request the scope ${scope}.`);
      const type = wanted.refusedBlocks.find((one) => !BLOCK_TYPES.has(one));
      if (type !== undefined) return refused(`refusedBlocks: the local Slack has no block ${type}.`);
      faults.change(wanted);
      return { ok: true };
    });
  }
  const calls = controlPanel?.calls ?? {};
  return Object.hasOwn(calls, name) ? calls[name] : undefined;
}
