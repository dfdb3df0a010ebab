import type { ViewSubmitAction } from '@slack/bolt';
import { digestWords, isZone, setDigest } from '../../../digest/settings.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import { windowIsStale } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { settingsRefused } from '../../access/settings-access.ts';
import type { Register } from '../../listening/deps.ts';
import { readDigestForm, readMetadata, zoneOf } from './digest-modal.ts';

const MEANWHILE = 'Somebody changed the digest while this was open. Close it and open it again.';
const NO_TIME = 'Choose a time, such as 09:00.';

/** The digest's days and time were submitted: saves them and tells the channel. */
export const digest: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.digest },
    async ({ ack, body, view }) => {
      const metadata = readMetadata(view.private_metadata);
      if (metadata === null) return ack({ response_action: 'update', view: sentenceModal(windowIsStale()) });
      const { channel, basedOn } = metadata;
      const by = body.user.id;
      const refused = await settingsRefused(by, channel, deps);
      if (refused) return ack({ response_action: 'update', view: sentenceModal(refused) });
      const form = readDigestForm(view.state.values, await zoneOf(by, deps));
      if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(form.time) || !isZone(form.zone)) {
        return ack({ response_action: 'errors', errors: { time: NO_TIME } });
      }
      const times = form.days === '' ? null : form;
      const cause = issueIdOf('digest', view.id, times === null ? 'off' : digestWords(times));
      const now = deps.clock.now();
      await deps.checkpoint('digest times: before store');
      const outcome = await deps.store.transaction((tx) =>
        setDigest(tx, { cause, channel, by, times, basedOn, now }),
      );
      if (outcome === 'changed_meanwhile') {
        return ack({ response_action: 'errors', errors: { time: MEANWHILE } });
      }
      await deps.checkpoint('digest times: stored');
      await ack();
    },
  );
};
