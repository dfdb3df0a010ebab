/** A channel, or one message in it. */
export interface Viewed {
  channel: string;
  message_ts?: string | undefined;
}

/** What each person looks at, and who has the Messages tab open; a restart of the workspace forgets it. */
export interface Viewing {
  /** By person. */
  places: Map<string, Viewed>;
  /** Persons with the Messages tab open. */
  tabs: Set<string>;
}

export function createViewing(): Viewing {
  return { places: new Map(), tabs: new Set() };
}
