import { issueNumber } from '../../../lib/issue-number.ts';
import { readKept } from '../../../lib/kept.ts';
import { promptModal } from '../../../render/prompt-modal.ts';
import { stepUnknown } from '../../../render/step-notices.ts';
import { InvestigationResults, type RemediationAction } from '../../../service/schema/results.ts';
import type { ListenerDeps } from '../deps.ts';
import { openModal } from '../open-modal.ts';
import { tellPerson } from '../tell.ts';
import { onIssueButton, type Pressed } from './pressed.ts';

/** *Copy prompt*: the whole prompt of an action in a modal, for pasting it into another agent. */
export const copyPrompt = onIssueButton('copyPrompt', async (pressed, deps) => {
  const { issue, respond, triggerId } = pressed;
  const action = await actionOf(pressed, deps);
  const prompt = action?.markdownPrompt?.trim() ?? '';
  if (prompt === '') return tellPerson(respond, stepUnknown(), deps);
  const view = { number: issueNumber(issue), action: action?.title ?? '', prompt };
  await openModal(triggerId, promptModal(view), respond, deps);
});

/** A button's choice is `<version>.<index of the action>`. */
async function actionOf(
  { issue, choice }: Pressed,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<RemediationAction | null> {
  const [, version, index] = /^(\d{1,9})\.(\d{1,4})$/u.exec(choice ?? '') ?? [];
  const body = version === undefined ? null : await store.results.get(issue.id, Number(version));
  return body === null
    ? null
    : (readKept(InvestigationResults, body)?.remediation?.actions?.[Number(index)] ?? null);
}
