import type { Subcommand } from '../../listening/subcommand.ts';
import { openSettings } from './open-settings.ts';

/** `/gumshoe watch` opens the channel's settings; sending them watches it. */
export const watch: Subcommand = {
  example: 'watch',
  does: 'files alerts posted in this channel; opens its settings',
  run: openSettings,
};
