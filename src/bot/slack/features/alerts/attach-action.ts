import { displayName } from '../../../../lib/display-name.ts';
import { issueNumber } from '../../../../lib/issue-number.ts';
import { attach } from '../../../filing/split-attach.ts';
import { attachModal } from '../../../render/alerts/split-issue.ts';
import { cannotAttach } from '../../../render/alerts/split-issue-notices.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { type IssueActionContext, onIssueAction } from '../../listening/on-issue-action.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';

const MOST = 100;

/** *Attach to another issue*: a modal with the channel's open issues, and room for a number. */
export async function openAttach(context: IssueActionContext, deps: ListenerDeps): Promise<void> {
  const { issue, channel, triggerId, respond } = context;
  if (channel !== issue.channel) return;
  const others = (await deps.store.issues.openIn(channel, MOST + 1)).filter(({ id }) => id !== issue.id);
  const open = others.flatMap((one) => {
    const number = issueNumber(one);
    return number === null ? [] : [{ number, title: displayName(one) }];
  });
  const about = { issueId: issue.id, channel, number: issueNumber(issue) };
  await openModal(triggerId, attachModal(about, open.slice(0, MOST)), respond, deps);
}

/** *Attach to #n*, offered right after *Split off*: puts the alert back on its original issue. */
export const attachTo = onIssueAction('attachTo', async ({ issue, userId, respond }, deps) => {
  const from = issue.apartFrom === null ? null : await deps.store.issues.get(issue.apartFrom);
  const number = (from === null ? null : issueNumber(from)) ?? 0;
  const refusal = await attach({ issueId: issue.id, number, by: userId }, deps);
  if (refusal !== null) return tellPerson(respond, cannotAttach(refusal, number), deps);
});
