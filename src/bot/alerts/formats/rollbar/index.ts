import type { Format } from '../../format.ts';
import { extractDeploy } from './deploy.ts';
import { extractItem } from './item.ts';

/** Rollbar's items in its one-line form, `[project] environment - trigger: title`, and its notices of deploys. */
export const rollbar: Format = {
  name: 'rollbar',
  tool: 'Rollbar',
  extract: (reading) => extractDeploy(reading) ?? extractItem(reading),
};
