export interface ResultsTable {
  issueId: string;
  version: number;
  body: string;
  fetchedAt: number;
}

/** The progress of an investigation that somebody asked for. */
export interface ProgressTable {
  issueId: string;
  /** `FoundSoFar` as JSON. */
  found: string;
}
