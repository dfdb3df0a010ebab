/** Ids of our modals (`callback_id`), `<feature>:<verb>`; each has its submission's listener in `slack/listeners/views`. */
export const viewIds = {
  settings: 'settings:save',
  unwatch: 'settings:unwatch',
} as const;
