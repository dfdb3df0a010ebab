import type { Rendered } from '../../../render/rendered.ts';

/** The app's Home, one view per person. */
export interface Home {
  /** Somebody opened their Home: keeps it up to date for an hour. */
  opened(userId: string): Promise<void>;
  /** Updates somebody's Home at once, to another page or with a note about what they just did. */
  show(userId: string, change?: { page?: number; note?: Rendered }): Promise<void>;
  /** Whether a person may see on their Home what happens in a channel. */
  maySee(userId: string, channel: string): Promise<boolean>;
}
