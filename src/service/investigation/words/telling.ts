import type { Case } from '../case.ts';
import type { EvidenceStore } from './artifacts.ts';

/** A case that is being put into words, with where the data behind them is stored. */
export interface Telling {
  of: Case;
  evidenceStore: EvidenceStore;
  /** A new identifier at each call. */
  id: () => string;
}
