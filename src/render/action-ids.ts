/** Ids of the buttons that our messages carry, `<feature>:<verb>`; the value of an `issue:` button is the id. */
export const actionIds = {
  resolve: 'issue:resolve',
  mute: 'issue:mute',
  reopen: 'issue:reopen',
  ask: 'issue:ask',
  retry: 'issue:retry',
  more: 'issue:more',
  attachTo: 'issue:attach-to',
  fileIt: 'message:file',
  fileAll: 'hold:file-all',
  chooseHeld: 'hold:choose',
  dismissHeld: 'hold:dismiss',
  openSettings: 'settings:open',
  typePatterns: 'settings:patterns',
} as const;
