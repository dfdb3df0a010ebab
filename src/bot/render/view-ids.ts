/** Ids of our modals (`callback_id`), `<feature>:<verb>`; each has its submission’s listener in its feature. */
export const viewIds = {
  investigateThis: 'message:investigate',
  settings: 'settings:save',
  sender: 'sender:save',
  unwatch: 'settings:unwatch',
  naming: 'settings:naming',
  chooseHeld: 'hold:chosen',
  notSame: 'issue:not-same',
  attach: 'issue:attach',
  digest: 'digest:save',
  deleteIssue: 'issue:delete',
  newIssue: 'issue:new',
} as const;
