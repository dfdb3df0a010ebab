import type { ViewSubmitAction } from '@slack/bolt';
import { issueIdOf } from '../../../filing/reference.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { unwatch as stopWatching } from '../../../settings/change-settings.ts';
import { settingsRefused } from '../../access/settings-access.ts';
import type { Register } from '../../listening/deps.ts';

/** `/gumshoe unwatch` was confirmed. */
export const unwatch: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.unwatch },
    async ({ ack, body, view }) => {
      const channel = view.private_metadata;
      const refused = await settingsRefused(body.user.id, channel, deps);
      if (refused) return ack({ response_action: 'update', view: sentenceModal(refused) });
      const by = body.user.id;
      const cause = issueIdOf('unwatch', view.id);
      await deps.store.transaction((tx) => stopWatching(tx, { cause, channel, by, now: deps.clock.now() }));
      await ack();
    },
  );
};
