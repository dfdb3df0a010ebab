import type { ViewSubmitAction } from '@slack/bolt';
import type { z } from 'zod';
import { type IssueNumber, parseIssueNumber } from '../../../../lib/issue-number.ts';
import { attach as attachIssue } from '../../../filing/split-attach.ts';
import { apartInputs } from '../../../render/alerts/split-issue.ts';
import { whyNotAttached } from '../../../render/alerts/split-issue-notices.ts';
import { notAllowed, notThere, windowIsStale } from '../../../render/notices.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { presenceOf } from '../../access/presence.ts';
import type { Register } from '../../listening/deps.ts';
import { AboutIssue, ChosenValues, readModalState } from '../../listening/modal-state.ts';

/** *Attach to another issue* was submitted. */
export const attach: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.attach },
    async ({ ack, body, view }) => {
      const wrong = (words: string) =>
        ack({ response_action: 'errors', errors: { [apartInputs.number]: words } });
      const refusal = await deps.people.refusal(body.user.id);
      if (refusal) return wrong(notAllowed(refusal).text);
      const about = readModalState(AboutIssue, view.private_metadata);
      if (about === null) return wrong(windowIsStale().text);
      const { issueId, channel } = about;
      const meant = chosenNumber(ChosenValues.parse(view.state.values));
      if (typeof meant === 'string') return wrong(meant);
      const { number } = meant;
      // The card is in the issue's own channel, and so was the button.
      const issue = await deps.store.issues.get(issueId);
      const isOfThere = issue !== null && issue.channel === channel;
      if (isOfThere && (await presenceOf(body.user.id, channel, deps)) !== 'there')
        return wrong(notThere().text);
      const refused = isOfThere
        ? await attachIssue({ issueId, number, by: body.user.id }, deps)
        : ('unknown' as const);
      if (refused !== null) return wrong(whyNotAttached(refused, number));
      await ack();
    },
  );
};

/** The issue number that was chosen or typed, or a sentence for the user if it is missing or ambiguous. */
function chosenNumber(values: z.infer<typeof ChosenValues>): { number: IssueNumber } | string {
  const chosen = values[apartInputs.issue]?.[apartInputs.issue]?.selected_option?.value;
  const typed = values[apartInputs.number]?.[apartInputs.number]?.value?.trim() ?? '';
  const number = parseIssueNumber(typed === '' ? (chosen ?? '') : typed);
  if (chosen !== undefined && typed !== '' && String(number) !== chosen) {
    return 'Choose an issue above or enter a number here, not both.';
  }
  return number === null ? 'Enter the number of the issue, for example 12.' : { number };
}
