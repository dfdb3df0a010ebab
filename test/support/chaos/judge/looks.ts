import type { SystemState } from '../read-state.ts';

/** How often an issue may have been investigated because its alert fired anew, if each firing was looked at. */
export function looksAt(issueId: string, { alerts }: SystemState): number {
  return alerts.filter(
    ({ issue_id, reason }) =>
      reason === 'another_cause' || (issue_id === issueId && reason.includes('fired_anew')),
  ).length;
}

/** Whether an issue was filed because its alert fired anew with another cause. */
export function isOfAnotherCause(issueId: string, { alerts }: SystemState): boolean {
  return alerts.some(({ issue_id, reason }) => issue_id === issueId && reason === 'another_cause');
}
