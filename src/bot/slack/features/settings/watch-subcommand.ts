import type { Subcommand } from '../../listening/subcommand.ts';
import { openSettings } from './open-settings.ts';

/** `/gumshoe watch` opens the channel's settings; sending them watches it. */
export const watch: Subcommand = {
  example: 'watch',
  does: 'has alerts in this channel filed, and opens its settings',
  run: openSettings,
};
