import { it } from 'vitest';
import { runs } from '../../support/property-runs.ts';
import { tryDishonest } from './dishonest.ts';

it('whatever a model answers: nothing secret leaves, nothing without evidence is shown, nothing costs more than it may', async () => {
  await tryDishonest(runs(400));
});
