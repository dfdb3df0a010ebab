import type { Block } from '../../entities.ts';
import type { PageView } from '../../page-api.ts';
import type { Modal } from '../../validate/view.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import type { ViewValues } from './state.ts';

/** A modal that a person has open. */
export interface OpenView {
  id: string;
  /** Whose screen it is on. */
  user: string;
  hash: string;
  modal: Modal;
  blocks: Block[];
  /** What every element holds now. */
  values: ViewValues;
  /** The first of its stack. */
  root: string;
  /** The one below it. */
  previous: string | null;
}

/** A modal as the page draws it. */
export function onPage({ id, user, hash, modal, blocks }: OpenView): PageView {
  const { title, submit, close } = modal;
  return { id, user, hash, title, ...(submit && { submit }), ...(close && { close }), blocks };
}

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
