/** A channel, or one message in it. */
export interface Viewed {
  channel: string;
  message_ts?: string | undefined;
}

/** What each person is viewing, and who has the Messages tab open; lost when the workspace restarts. */
export interface Viewing {
  /** By person. */
  places: Map<string, Viewed>;
  /** Persons with the Messages tab open. */
  tabs: Set<string>;
}

export function createViewing(): Viewing {
  return { places: new Map(), tabs: new Set() };
}
