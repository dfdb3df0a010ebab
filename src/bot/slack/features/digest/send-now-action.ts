import type { BlockAction } from '@slack/bolt';
import { sendDigestNow as send } from '../../../digest/digests.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { settingsRefused } from '../../access/settings-access.ts';
import type { Register } from '../../listening/deps.ts';
import { readDigestForm, readMetadata, viewOf, zoneOf } from './digest-modal.ts';

/** *Send one now* in the digest modal: one digest per opened modal, however often it is pressed. */
export const sendDigestNow: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionIds.sendDigestNow },
    async ({ ack, body }) => {
      await ack();
      const { view } = body;
      if (view?.callback_id !== viewIds.digest) return;
      const by = body.user.id;
      const metadata = readMetadata(view.private_metadata);
      if (metadata === null) return;
      const { channel } = metadata;
      const refused = await settingsRefused(by, channel, deps);
      if (!refused) {
        const cause = issueIdOf('digest', view.id);
        await deps.store.transaction((tx) => send(tx, { cause, channel, by, now: deps.clock.now() }));
      }
      const own = await zoneOf(by, deps);
      const form = readDigestForm(view.state.values, own);
      const next = refused ? sentenceModal(refused) : await viewOf(form, metadata, { own, sent: true }, deps);
      // Only feedback: the request is stored, and the modal may be closed by now.
      await deps.client.views.update({ view_id: view.id, view: next }).catch((error) => {
        deps.log.info({ err: error }, 'could not update the digest modal');
      });
    },
  );
};
