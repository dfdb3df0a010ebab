/** What Slack's flexpane shows in place of an issue; `status` is Slack's own name of it. */
export interface DetailsError {
  status: 'restricted' | 'custom';
  custom_title: string;
  custom_message: string;
}

/** Whoever may not see an issue does not learn whether it is there. */
export function detailsRestricted(why?: string): DetailsError {
  return {
    status: 'restricted',
    custom_title: 'You cannot see this issue',
    custom_message: why ?? 'I no longer have it, or it belongs to a private channel that you are not in.',
  };
}

/** Whoever may see it learns that it was deleted at the service. */
export function detailsDeleted(): DetailsError {
  return {
    status: 'custom',
    custom_title: 'This issue was deleted',
    custom_message: 'The investigation service no longer has it.',
  };
}

/** Slack did not say who is in the channel. */
export function detailsUnavailable(): DetailsError {
  return {
    status: 'custom',
    custom_title: 'I could not check whether you may see this issue',
    custom_message: 'Slack did not answer. Try again in a minute.',
  };
}
