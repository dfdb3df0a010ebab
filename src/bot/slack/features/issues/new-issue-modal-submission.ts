import type { ViewSubmitAction } from '@slack/bolt';
import { fileForPerson } from '../../../filing/on-request.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import { requestForDraft } from '../../../filing/request.ts';
import { notAllowed, notThere, windowIsStale } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { presenceOf } from '../../access/presence.ts';
import type { Register } from '../../listening/deps.ts';
import { refusedAtLimit } from '../../listening/tell.ts';
import { openDm } from '../../open-dm.ts';
import { draftOf, readNewIssue } from './new-issue-form.ts';
import { newIssueViewOf, readNewIssueMetadata } from './new-issue-modal.ts';

const NO_DM = 'I could not open a direct message with you. Choose a channel.';

/**
 * The new-issue form was submitted. It is stored before the modal closes, so nothing is lost if the service is down.
 */
export const newIssue: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.newIssue },
    async ({ ack, body, view }) => {
      const by = body.user.id;
      const refusal = await deps.people.refusal(by);
      if (refusal) return ack({ response_action: 'errors', errors: { title: notAllowed(refusal).text } });
      const now = deps.clock.now();
      const form = readNewIssue(view.state.values);
      const metadata = readNewIssueMetadata(view.private_metadata);
      if (metadata === null) return ack({ response_action: 'update', view: sentenceModal(windowIsStale()) });
      // *Another…* was chosen, but its text field was never shown.
      if (form.environment === null && view.state.values.otherEnvironment === undefined) {
        return ack({ response_action: 'update', view: await newIssueViewOf(form, metadata, deps) });
      }
      const read = draftOf(form, now);
      if ('errors' in read) return ack({ response_action: 'errors', errors: read.errors });
      const place = form.channel ?? metadata.channel;
      const channel = place === null || place.startsWith('D') ? await openDm(deps.client, by) : place;
      if (channel === null) return ack({ response_action: 'errors', errors: { channel: NO_DM } });
      // If the bot is not in the channel, the card is sent as a direct message.
      if ((await presenceOf(by, channel, deps)) === 'elsewhere') {
        return ack({ response_action: 'errors', errors: { channel: notThere().text } });
      }
      const id = issueIdOf('new-issue', view.id);
      const request = requestForDraft(read.draft, { issueId: id, channel, now });
      const limit = await fileForPerson({ id, channel, by, request, now }, deps);
      if (limit) {
        return ack({ response_action: 'errors', errors: { title: refusedAtLimit(limit, deps).text } });
      }
      await ack();
    },
  );
};
