/** Ids of the buttons that our messages carry, `<feature>:<verb>`; each button's value is the id. */
export const actionIds = {
  resolve: 'issue:resolve',
  mute: 'issue:mute',
  reopen: 'issue:reopen',
  ask: 'issue:ask',
  retry: 'issue:retry',
} as const;
