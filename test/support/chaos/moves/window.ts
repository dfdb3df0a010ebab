import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from 'local-slack';

type View = ReturnType<Workspace['views']>[number];

const LOOKS = 60;
const LOOK_MS = 50;

/**
 * The modal that something a person does has opened; `null` where the program died before it could.
 *
 * @param isIt tells it from one that something earlier opens only now, on a busy machine
 */
export async function windowOf(
  workspace: Workspace,
  who: string,
  isIt: (modal: View['modal']) => boolean,
  act: () => Promise<unknown>,
): Promise<View | null> {
  const before = new Set(workspace.views(who).map(({ id }) => id));
  await act();
  for (let n = 0; n < LOOKS; n += 1) {
    const view = workspace.views(who).find(({ id, modal }) => !before.has(id) && isIt(modal));
    if (view !== undefined) return view;
    await sleep(LOOK_MS);
  }
  return null;
}
