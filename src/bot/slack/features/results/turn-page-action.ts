import { onResultsModal } from './results-modal.ts';

/** *Previous* and *Next* in *Everything*; the value is the page. */
const turning = (name: 'resultsBack' | 'resultsOn') =>
  onResultsModal(name, (place, page) => ({ ...place, page }));

export const resultsBack = turning('resultsBack');
export const resultsOn = turning('resultsOn');

/** The menu of versions in *Everything*. */
export const showVersion = onResultsModal('showVersion', (place, version) => ({
  ...place,
  version,
  page: 0,
}));
