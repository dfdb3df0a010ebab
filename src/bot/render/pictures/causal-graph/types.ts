/** What a node is to the story. */
export type Role = 'trigger' | 'cause' | 'step' | 'symptom';

/** Texts can be drawn: on one line, with glyphs; but for `name`. */
export interface GraphNode {
  id: string;
  title: string;
  /** The title with the characters that cannot be drawn. */
  name: string;
  /** Empty if nothing more is said. */
  detail: string;
  role: Role;
  /** What the role is called, e.g. `Cause`; empty if nothing is known. */
  label: string;
  /** As it is stated, e.g. `high`; empty if nothing is known. */
  confidence: string;
}

export interface GraphEdge {
  from: string;
  to: string;
  /** 0 to 1. */
  confidence: number | undefined;
  onPath: boolean;
  /** How many nodes between the two are not shown. */
  skipped: number;
}

/** The graph to draw: from causes to effects. */
export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Ids from the cause to the symptom along the likeliest way; empty if there is no edge. */
  path: string[];
  /** How many nodes were left out. */
  leftOut: number;
  /** How many edges between the nodes that are shown were left out. */
  edgesLeftOut: number;
}
