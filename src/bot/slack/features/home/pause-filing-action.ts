import { onlyAdmins } from '../../../render/issues/steering-notices.ts';
import { pauseFiling, resumeFiling } from '../../../settings/pause.ts';
import type { Aggregates } from '../../../store/open.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { type HomeActionContext, onHomeAction } from './on-home-action.ts';

/** *Pause filing* and *Resume filing* on an admin's Home; neither does anything if it is already so. */
function changing(change: typeof pauseFiling | typeof resumeFiling) {
  return async ({ userId, triggerId, moment }: HomeActionContext, deps: ListenerDeps): Promise<void> => {
    if (!(await deps.people.isAdmin(userId))) return deps.home.show(userId, { note: onlyAdmins() });
    const said = { cause: `home:${triggerId}`, by: userId, moment, now: deps.clock.now() };
    await deps.store.transaction(async (tx: Aggregates) => void (await change(tx, said)));
    await deps.home.show(userId);
  };
}

export const homePause = onHomeAction('homePause', changing(pauseFiling));
export const homeResume = onHomeAction('homeResume', changing(resumeFiling));
