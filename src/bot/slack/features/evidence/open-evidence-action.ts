import { onIssueAction } from '../../listening/on-issue-action.ts';
import { openEvidence } from './open-evidence.ts';

/** *Evidence* on a card or under results: opens the evidence modal. */
export const evidence = onIssueAction('evidence', async (context, deps) => {
  const { issue, channel, triggerId, respond } = context;
  const version = Number(context.choice ?? issue.endedVersion);
  if (!Number.isSafeInteger(version)) return;
  await openEvidence({ owner: issue.id, version, index: 0, channel }, triggerId, respond, deps);
});
