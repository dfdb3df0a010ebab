import type { ViewSubmitAction } from '@slack/bolt';
import { splitIssue } from '../../../filing/split-attach.ts';
import { apartInputs } from '../../../render/alerts/split-issue.ts';
import { notAllowed, notThere, windowIsStale } from '../../../render/notices.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { isPermitted } from '../../access/issue-rights.ts';
import { presenceOf } from '../../access/presence.ts';
import type { Register } from '../../listening/deps.ts';
import { AboutIssue, ChosenValues, readModalState } from '../../listening/modal-state.ts';
import { refusedAtLimit } from '../../listening/tell.ts';

const GONE = 'This alert no longer belongs to the issue. Close this and check its card.';

/** *Split off* was submitted: files the chosen repeat as an issue of its own. */
export const notSame: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.notSame },
    async ({ ack, body, view }) => {
      const wrong = (words: string) =>
        ack({ response_action: 'errors', errors: { [apartInputs.repeat]: words } });
      const refusal = await deps.people.refusal(body.user.id);
      if (refusal) return wrong(notAllowed(refusal).text);
      const about = readModalState(AboutIssue, view.private_metadata);
      if (about === null) return wrong(windowIsStale().text);
      const { issueId, channel } = about;
      const chosen = ChosenValues.parse(view.state.values)[apartInputs.repeat]?.[apartInputs.repeat];
      const [place = '', ts = ''] = chosen?.selected_option?.value.split(':') ?? [];
      // The modal lists messages of one channel; a value that names another channel is forged.
      if (place !== channel) return wrong(GONE);
      const issue = await deps.store.issues.get(issueId);
      if (issue === null || !(await isPermitted('notSame', issue, channel, deps))) return wrong(GONE);
      if ((await presenceOf(body.user.id, channel, deps)) !== 'there') return wrong(notThere().text);
      const wish = { issueId, channel, ts, permalink: deps.permalink(channel, ts), by: body.user.id };
      const filed = await splitIssue({ ...wish, cause: view.id }, deps);
      if (filed === null) return wrong(GONE);
      if (typeof filed !== 'string') return wrong(refusedAtLimit(filed, deps).text);
      await ack();
    },
  );
};
