import type { Register } from '../../listening/deps.ts';
import { onResultsModal } from './results-modal.ts';

/** *Previous* in *Everything*. */
export const resultsBack: Register = onResultsModal('resultsBack', (place, page) => ({ ...place, page }));

/** *Next* in *Everything*. */
export const resultsOn: Register = onResultsModal('resultsOn', (place, page) => ({ ...place, page }));
