import type { RespondFn } from '@slack/bolt';
import type { Moment } from '../../../lib/moment.ts';
import type { ListenerDeps } from './deps.ts';

/** What a person wrote behind a command, and where. They may use Gumshoe; what else they may, it checks itself. */
export interface Asked {
  /** How they called it, as it can be written again: `/gumshoe`, `/dev-issue`, `/gumshoe issue`. */
  command: string;
  /** The words behind it, trimmed. */
  words: string;
  channel: string;
  userId: string;
  /** Opens a modal, within three seconds. */
  triggerId: string;
  /** The id of what this causes: the same when the stored delivery is taken up again. */
  cause: string;
  /** When it came: Slack gives a command no time. */
  moment: Moment;
  respond: RespondFn;
}

/** One word behind `/gumshoe` (DESIGN section 3). */
export interface Subcommand {
  /** How it is written, as an example: `dry-run 50`. */
  example: string;
  /** What it does, in a line of `/gumshoe help`. */
  does: string;
  run(asked: Asked, deps: ListenerDeps): Promise<void>;
}
