import { describe, expect, it } from 'vitest';
import { canonicalEnvironment, identityOf } from '../../../src/bot/alerts/identity.ts';

describe('environments', () => {
  it.each([
    ['prod', 'production'],
    ['PRD', 'production'],
    [' Production ', 'production'],
    ['live', 'production'],
    ['stg', 'staging'],
    ['Stage', 'staging'],
    ['dev', 'development'],
    ['eu-west-canary', 'eu-west-canary'],
    ['QA 2', 'QA 2'],
    ['constructor', 'constructor'],
  ])('%j is %j', (stated, canonical) => {
    expect(canonicalEnvironment(stated)).toBe(canonical);
  });
});

describe('identity', () => {
  it('is the same for one alert in an environment of two names', () => {
    expect(identityOf('cpu', 'prod')).toBe(identityOf('cpu', 'PRODUCTION'));
    expect(identityOf('cpu', 'QA')).toBe(identityOf('cpu', 'qa'));
  });

  it('is another in another environment, and for another alert', () => {
    expect(
      new Set([identityOf('cpu', 'prod'), identityOf('cpu', 'staging'), identityOf('disk', 'prod')]).size,
    ).toBe(3);
  });
});
