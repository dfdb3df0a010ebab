export interface ResultsTable {
  issueId: string;
  version: number;
  body: string;
  fetchedAt: number;
}

/** How far an investigation is that somebody asked for. */
export interface ProgressTable {
  issueId: string;
  /** `FoundSoFar` as JSON. */
  found: string;
}
