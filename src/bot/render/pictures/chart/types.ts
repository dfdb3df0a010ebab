/** One value of a series; `at` in milliseconds since the epoch, `null` if there is none. */
export interface Sample {
  at: number;
  value: number | null;
}

export interface Point {
  at: number;
  value: number;
}

/** Points with the same attributes, oldest first, one for each time. */
export interface Series {
  attributes: ReadonlyMap<string, string>;
  samples: Sample[];
}

/** A metric artifact as it can be drawn; texts are untrusted. */
export interface Metric {
  name: string;
  description: string;
  unit: string;
  series: Series[];
}

/** A series as it is drawn: its parts between gaps. */
export interface Curve {
  /** As it can be drawn. */
  label: string;
  /** With the characters that cannot be drawn. */
  name: string;
  parts: Point[][];
}
