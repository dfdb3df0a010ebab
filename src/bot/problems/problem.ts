/** Who can fix a problem. `nobody`: it ends by itself, or with its cause. */
export type FixedBy = 'admins' | 'members' | 'operator' | 'nobody';

/** Something that does not work. */
export interface Problem {
  /** Stable: `service:down`, `channel:C0123456789`, `slack:connection` … */
  name: string;
  /** Milliseconds since the epoch. */
  since: number;
  fixedBy: FixedBy;
  /** One sentence without markup: what does not work and, if somebody can fix it, how. */
  sentence: string;
  /** The channel that it is about, whose name is only for those who may see it; `null` for none. */
  channel: string | null;
  /** Whether Slack's deliveries cannot be taken meanwhile. */
  stopsDeliveries: boolean;
}
