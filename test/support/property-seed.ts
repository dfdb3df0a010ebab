import fc from 'fast-check';
import { runs } from './property-runs.ts';

/**
 * The setup of every test file: its property tests try the same examples each time, so that a change fails for what is
 * in it and for nothing else. Other seeds come from `npm run chaos -- --properties`, which sets the variable.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: runs(100) });
