import { InvestigationResults, type RemediationAction } from '../../../../contract/answers.ts';
import { decodeStored } from '../../../../lib/decode-stored.ts';
import { issueNumber } from '../../../../lib/issue-number.ts';
import { stepUnknown } from '../../../render/results/checklist.ts';
import { promptModal } from '../../../render/results/results-modal.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { type IssueActionContext, onIssueAction } from '../../listening/on-issue-action.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';

/** *Copy prompt*: shows an action's whole prompt in a modal, to be pasted into another agent. */
export const copyPrompt = onIssueAction('copyPrompt', async (context, deps) => {
  const { issue, respond, triggerId } = context;
  const action = await actionOf(context, deps);
  const prompt = action?.markdownPrompt?.trim() ?? '';
  if (prompt === '') return tellPerson(respond, stepUnknown(), deps);
  const view = { number: issueNumber(issue), action: action?.title ?? '', prompt };
  await openModal(triggerId, promptModal(view), respond, deps);
});

/** A button's value is `<version>.<index of the action>`. */
async function actionOf(
  { issue, choice }: IssueActionContext,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<RemediationAction | null> {
  const [, version, index] = /^(\d{1,9})\.(\d{1,4})$/u.exec(choice ?? '') ?? [];
  const body = version === undefined ? null : await store.results.get(issue.id, Number(version));
  return body === null
    ? null
    : (decodeStored(InvestigationResults, body)?.remediation?.actions?.[Number(index)] ?? null);
}
