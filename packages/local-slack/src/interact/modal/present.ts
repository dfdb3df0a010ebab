import type { WorkspaceContext } from '../../workspace-context.ts';
import type { OpenView } from './open-view.ts';

/** A modal as Slack gives it to the app. */
export function presentView({ app, team }: WorkspaceContext, view: OpenView): object {
  const { id, hash, modal, blocks, values, root, previous } = view;
  return {
    id,
    team_id: team.id,
    type: 'modal',
    title: modal.title,
    blocks,
    submit: modal.submit ?? null,
    close: modal.close ?? null,
    private_metadata: modal.private_metadata ?? '',
    callback_id: modal.callback_id ?? '',
    external_id: modal.external_id ?? '',
    clear_on_close: modal.clear_on_close ?? false,
    notify_on_close: modal.notify_on_close ?? false,
    state: { values },
    hash,
    previous_view_id: previous,
    root_view_id: root,
    app_id: app.id,
    app_installed_team_id: team.id,
    bot_id: app.bot_id,
  };
}
