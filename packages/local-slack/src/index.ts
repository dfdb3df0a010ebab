// The public entry: whoever uses the package imports from here alone.

export type { Clock } from './clock.ts';
export type { ControlPanel } from './control-panel.ts';
export type { PageMessage, PageOutcome } from './page-api.ts';
export { emojiOf, withShortcodes } from './page-emoji.ts';
export {
  type PageAlertKind,
  type PageBotCommand,
  type PageBotState,
  type PageFaults,
  PagePanel,
  type PageShop,
} from './page-panel.ts';
export { ADMIN, SEED_CHANNELS, type SeedChannelName } from './seed.ts';
export { startWorkspace } from './server.ts';
export { SlackError } from './slack-error.ts';
export { checkAttachments, checkBlocks } from './validate/check.ts';
export { type Entity, readEntity } from './validate/entity.ts';
export { checkHome, checkModal } from './validate/view.ts';
export type { Gallery, PostInput, Workspace, WorkspaceOptions } from './workspace.ts';
