import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** A run of GitHub Actions, as the action of RavSam's tells it. */
export const githubActions: Format = { name: 'github-actions', tool: 'GitHub Actions', extract };
