// The public entry: whoever uses the package imports from here alone.

export type { Clock } from './clock.ts';
export { type ControlPanel, type PanelCall, panelCall } from './control-panel.ts';
export { SlackError } from './errors.ts';
export { EVENT_SCOPES } from './events/kinds.ts';
export { type Manifest, readManifest } from './manifest.ts';
export { COVERAGE } from './methods/index.ts';
export type { PageMessage, PageOutcome } from './page-api.ts';
export { emojiOf, withShortcodes } from './page-emoji.ts';
export {
  type PageButton,
  type PageFaults,
  type PageField,
  PagePanel,
  type PageSection,
} from './page-panel.ts';
export { ADMIN, SEED_CHANNELS, type SeedChannelName } from './seed.ts';
export { startWorkspace } from './server.ts';
export { checkAttachments, checkBlocks, checkHome, checkModal } from './validate/check.ts';
export type { Gallery, PostInput, Workspace, WorkspaceOptions } from './workspace.ts';
