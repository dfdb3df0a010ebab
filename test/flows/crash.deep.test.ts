import { describe, it } from 'vitest';
import { crashScenarios, playCrash } from '../support/chaos/crash-scenarios.ts';

describe.each(crashScenarios.filter(({ steps }) => steps.length > 1))('a crash during $what', (scenario) => {
  it.each(scenario.steps.slice(1))('at “%s” loses nothing and does nothing twice', (step) =>
    playCrash(scenario, step),
  );
});
