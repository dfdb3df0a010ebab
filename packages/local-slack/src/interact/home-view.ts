import type { App, Block, Team } from '../entities.ts';
import type { PageHome } from '../page-api.ts';
import type { Home } from '../validate/check.ts';
import type { ViewValues } from './views.ts';

/** The app's Home as one person sees it. */
export interface HomeView {
  id: string;
  user: string;
  hash: string;
  home: Home;
  blocks: Block[];
  /** What every element holds now. */
  values: ViewValues;
}

/** A Home as Slack gives it to the app. */
export function presentHome(
  { app, team }: { app: App; team: Team },
  { id, hash, home, blocks, values }: HomeView,
): object {
  return {
    id,
    team_id: team.id,
    type: 'home',
    close: null,
    submit: null,
    blocks,
    private_metadata: home.private_metadata ?? '',
    callback_id: home.callback_id ?? '',
    external_id: home.external_id ?? '',
    clear_on_close: false,
    notify_on_close: false,
    state: { values },
    hash,
    previous_view_id: null,
    root_view_id: id,
    app_id: app.id,
    app_installed_team_id: team.id,
    bot_id: app.bot_id,
  };
}

export function homeOnPage({ id, user, hash, blocks }: HomeView): PageHome {
  return { id, user, hash, blocks };
}
