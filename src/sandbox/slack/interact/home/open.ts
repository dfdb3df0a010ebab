import { openIm } from '../../conversations.ts';
import { announceHome } from '../../events/announce-home.ts';
import type { PageOutcome } from '../../page-api.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { outcomeOf, personOf } from '../person.ts';
import { PersonError } from '../person-error.ts';

/** A person opens the app: its Home, or the conversation with it. */
export interface HomeInput {
  as: string;
  tab: 'home' | 'messages';
}

/** Opens one of the app's tabs; the app hears of it as `app_home_opened`, each time. */
export function openHome(world: WorkspaceContext, { as, tab }: HomeInput): Promise<PageOutcome> {
  return outcomeOf(() => {
    const user = personOf(world, as);
    if (tab === 'home' && !world.manifest.home) throw new PersonError('This app has no Home.');
    announceHome(world, user.id, openIm(world, user.id), tab);
  });
}
