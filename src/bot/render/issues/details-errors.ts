/** An error that Slack's flexpane shows instead of an issue; `status` is one of Slack's. */
export interface DetailsError {
  status: 'restricted' | 'custom';
  custom_title: string;
  custom_message: string;
}

/** The same for an unknown issue and for one the person may not see, so that it does not reveal which exist. */
export function detailsRestricted(why?: string): DetailsError {
  return {
    status: 'restricted',
    custom_title: 'You cannot see this issue',
    custom_message: why ?? 'It no longer exists, or it belongs to a private channel that you are not in.',
  };
}

/** For people who could see the issue before it was deleted. */
export function detailsDeleted(): DetailsError {
  return {
    status: 'custom',
    custom_title: 'This issue was deleted',
    custom_message: 'The investigation service no longer has it.',
  };
}

/** Slack could not be asked who is in the channel. */
export function detailsUnavailable(): DetailsError {
  return {
    status: 'custom',
    custom_title: 'Could not check whether you may see this issue',
    custom_message: 'Slack did not answer. Try again in a minute.',
  };
}
