import type { z } from 'zod';
import type { Stage } from '../control-panel.ts';
import type { PageOutcome } from '../page-api.ts';
import type { PageStage } from '../page-stage.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { Alert, Break, Deed, Faults, Mend, Play, Service, SocketEnd } from './stage-schema.ts';

const NO_STAGE =
  'This local Slack was started by itself: only its own faults and sockets can be played with.';

/** `GET /stage`. */
export function pageStage({ stage, faults }: WorkspaceContext): PageStage {
  const around = stage?.view() ?? { scenarios: [], tools: [], shop: null, service: null, bot: null };
  return { ...around, faults: faults.now() };
}

/** What the page's panel may send, by the end of its path. */
export const STAGE_POSTS: Readonly<
  Record<string, (world: WorkspaceContext, body: unknown) => Promise<PageOutcome>>
> = {
  'stage/play': played(Play, (stage, { scenario }) => stage.play(scenario)),
  'stage/alert': asked(Alert, async ({ stage, store }, input) => {
    if (!stage) return refused(NO_STAGE);
    if (!store.channels.get(input.channel)) return refused('There is no such channel in this workspace.');
    return stage.alert(input);
  }),
  'stage/break': played(Break, (stage, input) => stage.breakShop(input)),
  'stage/mend': played(Mend, (stage) => stage.mendShop()),
  'stage/service': played(Service, (stage, { down }) => stage.service(down)),
  'stage/bot': played(Deed, (stage, input) => stage.bot(input.do)),
  'stage/socket': asked(SocketEnd, async (world, { reason }) =>
    world.endSockets(reason) > 0
      ? { ok: true }
      : refused('The app has no Socket Mode connection open that could be ended.'),
  ),
  'stage/faults': asked(Faults, async ({ faults, installed }, wanted) => {
    const unknown = wanted.withheldScopes.find((scope) => !installed.includes(scope));
    if (unknown !== undefined) return refused(`The app’s manifest does not ask for the scope ${unknown}.`);
    faults.change(wanted);
    return { ok: true };
  }),
};

function refused(error: string): PageOutcome {
  return { ok: false, error };
}

/** A call that does something around the workspace. */
function played<T>(schema: z.ZodType<T>, play: (stage: Stage, input: T) => Promise<PageOutcome>) {
  return asked(schema, async ({ stage }, input) => (stage ? play(stage, input) : refused(NO_STAGE)));
}

/** A call that says in a sentence what is wrong with its body: a person may have written it. */
function asked<T>(schema: z.ZodType<T>, run: (world: WorkspaceContext, input: T) => Promise<PageOutcome>) {
  return async (world: WorkspaceContext, body: unknown): Promise<PageOutcome> => {
    const { data, error } = schema.safeParse(body);
    if (!error) return run(world, data);
    const [issue] = error.issues;
    const where = issue?.path[0] === undefined ? 'The body' : String(issue.path[0]);
    return refused(`${where} ${issue?.message ?? 'is not right'}.`);
  };
}
