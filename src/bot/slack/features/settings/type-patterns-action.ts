import type { BlockAction } from '@slack/bolt';
import { actionIds } from '../../../render/action-ids.ts';
import { viewIds } from '../../../render/view-ids.ts';
import type { Register } from '../../listening/deps.ts';
import { readForm } from './form.ts';
import { readMetadata, viewOf } from './settings-modal.ts';

/**
 * Somebody is typing a pattern in the settings: shows below the field what is wrong with it, or what it would match.
 * Best effort: the modal may be closed by now, and the patterns are checked again on submission.
 */
export const typePatterns: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionIds.typePatterns },
    async ({ ack, body }) => {
      await ack();
      const { view } = body;
      if (view?.callback_id !== viewIds.settings) return;
      try {
        const metadata = readMetadata(view.private_metadata);
        if (
          metadata === null ||
          (await deps.people.maySet(body.user.id, metadata.channel, 'remembered')) !== null
        )
          return;
        const next = await viewOf(readForm(view.state.values), metadata, deps);
        await deps.client.views.update({ view_id: view.id, view: next });
      } catch (error) {
        // No retry: it could overwrite what was typed since.
        deps.log.info({ err: error }, 'could not show what patterns match');
      }
    },
  );
};
