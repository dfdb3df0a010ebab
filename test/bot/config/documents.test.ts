import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/bot/config/config.ts';
import { type Variable, variableFamilies, variables } from '../../../src/bot/config/variables.ts';
import { readTelemetrySettings } from '../../../src/service/telemetry/settings.ts';
import { TELEMETRY_VARIABLES } from '../../../src/service/variables.ts';
import { projectFile } from '../../support/files.ts';

const all: readonly Variable[] = [
  ...variables,
  ...variableFamilies.map(({ name, example, description }) => ({
    name,
    example,
    description,
    default: null,
  })),
];

/** In the table, a family of variables is one row. */
const familyNames = new Map<string, string>(
  variableFamilies.map(({ prefix, name }) => [name, `${prefix}<SOURCE>`]),
);

/** `.env.example`: every line is a comment, so that copying the file changes nothing. */
const envExample = [
  '# Every variable of Gumshoe, with its default, or an example where it has none. Copy this file to .env and remove the',
  '# # of the lines that you need: npm start and npm run doctor read it (and docker run --env-file .env).',
  ...all.flatMap(({ name, default: fallback, example, description }) => [
    '',
    `# ${description}.${fallback === null ? ' For example:' : ''}`,
    `#${name}=${fallback ?? example}`,
  ]),
  '',
  '# What follows is read where the service is embedded, and by npm run service: what it investigates.',
  ...TELEMETRY_VARIABLES.flatMap(({ name, default: fallback, example, description }) => [
    '',
    `# ${description}.${fallback === null ? ' For example:' : ''}`,
    `#${name}=${fallback ?? example}`,
  ]),
  '',
].join('\n');

/** The rows of the table in `docs/configuration.md`: | `NAME` | `default` or – | description |. */
const tableRows = all.map(
  ({ name, default: fallback, description }) =>
    `| \`${familyNames.get(name) ?? name}\` | ${fallback === null ? '–' : `\`${fallback}\``} | ${description} |`,
);

/** The five variables that the README explains, as | `NAME` | description |. */
const readmeRows = all
  .filter(({ name }) =>
    [
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'ISSUE_SERVICE_URL',
      'ISSUE_SERVICE_API_KEY',
      'ALERT_CHANNELS',
    ].includes(name),
  )
  .map(({ name, description }) => `| \`${name}\` | ${description} |`);

function variableRows(document: string): string[] {
  return projectFile(document)
    .split('\n')
    .filter((line) => /^\| `[A-Z_]+(?:<SOURCE>)?` \|/.test(line));
}

describe('the variables', () => {
  it('are each in .env.example, with the default or an example, and what they do', () => {
    expect(projectFile('.env.example')).toBe(envExample);
  });

  it('are each in the table of docs/configuration.md, and nothing else is', () => {
    expect(variableRows('docs/configuration.md')).toEqual(tableRows);
  });

  it('of telemetry are each in the table of docs/service.md', () => {
    const rows = TELEMETRY_VARIABLES.map(
      ({ name, default: fallback, description }) =>
        `| \`${name}\` | ${fallback === null ? '–' : `\`${fallback}\``} | ${description} |`,
    );
    expect(variableRows('docs/service.md')).toEqual(expect.arrayContaining(rows));
  });

  it('of telemetry have examples that are accepted, and are all read', () => {
    const examples = (names: (name: string) => boolean) =>
      Object.fromEntries(
        TELEMETRY_VARIABLES.filter(({ name }) => names(name)).map(({ name, example }) => [name, example]),
      );
    const withTokens = readTelemetrySettings(examples((name) => !/_(?:USER|PASSWORD)$/u.test(name)));
    const withPasswords = readTelemetrySettings(
      examples((name) => !/^(?:PROMETHEUS|LOKI|TEMPO|JAEGER)_TOKEN$/u.test(name)),
    );
    expect(JSON.stringify(withTokens)).not.toContain('null');
    expect(withPasswords).toMatchObject({ settings: { loki: { user: 'gumshoe', password: 'a-password' } } });
  });

  it('that matter most are in the README, in the same words', () => {
    expect(variableRows('README.md')).toEqual(readmeRows);
  });

  it('have examples and defaults that are accepted', () => {
    const examples = Object.fromEntries(all.map(({ name, example }) => [name, example]));
    const defaults = Object.fromEntries(all.map(({ name, default: fallback }) => [name, fallback ?? '']));
    expect(readConfig(examples, () => true)).toMatchObject({ ok: true });
    expect(readConfig({ ...defaults, SLACK_API_URL: '' })).toEqual(readConfig({}));
  });

  it('that are secrets are each in the list of those that a file may hold, and nothing else is', () => {
    const [, section = ''] = projectFile('docs/configuration.md').split('## Secrets in files');
    const list = section.slice(
      section.indexOf('be read from a file:'),
      section.indexOf('and for the service'),
    );
    const secrets: readonly Variable[] = variables;
    expect(list.match(/`[^`]+`/gu)).toEqual([
      ...secrets.filter(({ secret }) => secret).map(({ name }) => `\`${name}\``),
      '`ALERT_WEBHOOK_SECRET_<SOURCE>`',
    ]);
  });

  it('have names that are each there once', () => {
    expect([...new Set(all.map(({ name }) => name))]).toHaveLength(all.length);
  });
});
