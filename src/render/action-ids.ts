/** Ids of the buttons that our messages carry, `<feature>:<verb>`; the value of an `issue:` button is the id. */
export const actionIds = {
  resolve: 'issue:resolve',
  mute: 'issue:mute',
  reopen: 'issue:reopen',
  ask: 'issue:ask',
  retry: 'issue:retry',
  fileIt: 'message:file',
} as const;
