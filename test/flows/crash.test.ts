import { it } from 'vitest';
import { crashScenarios, playCrash } from '../support/chaos/crash-scenarios.ts';

// The other steps of each are in the second tier.
it.each(crashScenarios)('a crash during $what loses nothing and does nothing twice', (scenario) =>
  playCrash(scenario, scenario.steps[0] ?? ''),
);
