import type { z } from 'zod';
import type { ControlPanel } from '../control-panel.ts';
import { webhookAddresses } from '../incoming-webhooks.ts';
import { METHODS } from '../methods/index.ts';
import type { PageOutcome } from '../page-api.ts';
import {
  AlertRequest,
  BotRequest,
  BreakRequest,
  PageFaults,
  type PagePanel,
  PlayRequest,
  RepairRequest,
  ServiceRequest,
  SocketRequest,
} from '../page-panel.ts';
import { BLOCK_TYPES } from '../validate/blocks.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

const NO_CONTROL_PANEL =
  'This local Slack runs on its own: only its own faults and sockets can be controlled.';
const KNOWN_METHODS = new Set(METHODS.map(({ name }) => name));

/** `GET /stage`. */
export function pagePanel(context: WorkspaceContext): PagePanel {
  const { controlPanel, faults } = context;
  const around = controlPanel?.view() ?? { scenarios: [], tools: [], shop: null, service: null, bot: null };
  return { ...around, webhooks: webhookAddresses(context), faults: faults.now() };
}

/** The `POST`s of the control panel, by the end of their path. */
export const PANEL_POSTS: Readonly<
  Record<string, (context: WorkspaceContext, body: unknown) => Promise<PageOutcome>>
> = {
  'stage/play': panelCall(PlayRequest, (panel, { scenario }) => panel.play(scenario)),
  'stage/alert': checkedCall(AlertRequest, async ({ controlPanel, store }, input) => {
    if (!controlPanel) return refused(NO_CONTROL_PANEL);
    if (!store.channels.get(input.channel)) return refused('This workspace has no such channel.');
    return controlPanel.alert(input);
  }),
  'stage/break': panelCall(BreakRequest, (panel, input) => panel.breakShop(input)),
  'stage/mend': panelCall(RepairRequest, (panel) => panel.repairShop()),
  'stage/service': panelCall(ServiceRequest, (panel, { down }) => panel.service(down)),
  'stage/bot': panelCall(BotRequest, (panel, input) => panel.bot(input.do)),
  'stage/socket': checkedCall(SocketRequest, async (context, { reason }) =>
    context.endSockets(reason) > 0 ? { ok: true } : refused('The app has no open Socket Mode connection.'),
  ),
  'stage/faults': checkedCall(PageFaults, async ({ faults, installed }, wanted) => {
    const method = wanted.methods.find((one) => !KNOWN_METHODS.has(one));
    if (method !== undefined) return refused(`methods: the local Slack has no method ${method}.`);
    const scope = wanted.withheldScopes.find((one) => !installed.includes(one));
    if (scope !== undefined) return refused(`The app’s manifest does not request the scope ${scope}.`);
    const type = wanted.refusedBlocks.find((one) => !BLOCK_TYPES.has(one));
    if (type !== undefined) return refused(`refusedBlocks: the local Slack has no block ${type}.`);
    faults.change(wanted);
    return { ok: true };
  }),
};

function refused(error: string): PageOutcome {
  return { ok: false, error };
}

/** A call that needs the control panel. */
function panelCall<T>(
  schema: z.ZodType<T>,
  run: (controlPanel: ControlPanel, input: T) => Promise<PageOutcome>,
) {
  return checkedCall(schema, async ({ controlPanel }, input) =>
    controlPanel ? run(controlPanel, input) : refused(NO_CONTROL_PANEL),
  );
}

/** A call that explains in a sentence what is wrong with its body: a person may have typed it. */
function checkedCall<T>(
  schema: z.ZodType<T>,
  run: (context: WorkspaceContext, input: T) => Promise<PageOutcome>,
) {
  return async (context: WorkspaceContext, body: unknown): Promise<PageOutcome> => {
    const { data, error } = schema.safeParse(body);
    if (!error) return run(context, data);
    const [issue] = error.issues;
    const where = issue?.path[0] === undefined ? 'The body' : String(issue.path[0]);
    return refused(`${where} ${issue?.message ?? 'is invalid'}.`);
  };
}
