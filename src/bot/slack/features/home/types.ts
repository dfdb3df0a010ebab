import type { Rendered } from '../../../render/rendered.ts';

/** The app's Home, of each person by themselves. */
export interface Home {
  /** Somebody opened it: from now on, for an hour, it follows what changes. */
  opened(userId: string): Promise<void>;
  /** Brings somebody's Home up to date at once, at another page or with a note about what they just did. */
  show(userId: string, change?: { page?: number; note?: Rendered }): Promise<void>;
  /** Whether what happens in a channel may be shown to somebody there. */
  maySee(userId: string, channel: string): Promise<boolean>;
}
