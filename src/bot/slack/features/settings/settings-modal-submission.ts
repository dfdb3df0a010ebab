import type { ViewSubmitAction } from '@slack/bolt';
import { issueIdOf } from '../../../filing/reference.ts';
import { windowIsStale } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { changeSettings } from '../../../settings/change-settings.ts';
import { settingsRefused } from '../../access/settings-access.ts';
import type { Register } from '../../listening/deps.ts';
import { slackTs } from '../../timestamp.ts';
import { readForm, settingsOf } from './form.ts';
import { namingView } from './naming.ts';
import { readMetadata } from './settings-modal.ts';

const MEANWHILE = 'Somebody changed these settings while this was open. Close it and open it again.';

/** The settings were submitted: shows errors at their fields, or saves the settings and tells the channel. */
export const settings: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.settings },
    async ({ ack, body, view }) => {
      const metadata = readMetadata(view.private_metadata);
      if (metadata === null) return ack({ response_action: 'update', view: sentenceModal(windowIsStale()) });
      const { channel, basedOn } = metadata;
      const refused = await settingsRefused(body.user.id, channel, deps);
      if (refused) return ack({ response_action: 'update', view: sentenceModal(refused) });
      // Taken back while the modal was open, or a forged state.
      if (await deps.needsConsent(channel)) {
        return ack({ response_action: 'update', view: namingView(channel, 'settings', deps) });
      }
      const wanted = settingsOf(readForm(view.state.values));
      if ('errors' in wanted) return ack({ response_action: 'errors', errors: wanted.errors });
      const now = deps.clock.now();
      await deps.checkpoint('settings: before store');
      const outcome = await deps.store.transaction((tx) =>
        changeSettings(tx, {
          cause: issueIdOf('settings', view.id, JSON.stringify(wanted.settings)),
          channel,
          by: body.user.id,
          settings: wanted.settings,
          basedOn,
          seenTs: slackTs(now),
          now,
        }),
      );
      if (outcome === 'changed_meanwhile') {
        return ack({ response_action: 'errors', errors: { mode: MEANWHILE } });
      }
      await deps.checkpoint('settings: stored');
      await ack();
    },
  );
};
