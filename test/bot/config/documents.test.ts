import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/bot/config/config.ts';
import { type Variable, variables } from '../../../src/bot/config/variables.ts';
import { projectFile } from '../../support/files.ts';

const all: readonly Variable[] = variables;

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
].join('\n');

/** The rows of the README's table: | `NAME` | `default` or – | description |. */
const readmeRows = all.map(
  ({ name, default: fallback, description }) =>
    `| \`${name}\` | ${fallback === null ? '–' : `\`${fallback}\``} | ${description} |`,
);

describe('the variables', () => {
  it('are each in .env.example, with the default or an example, and what they do', () => {
    expect(projectFile('.env.example')).toBe(envExample);
  });

  it("are each in the README's table, and nothing else is", () => {
    const rows = projectFile('README.md')
      .split('\n')
      .filter((line) => /^\| `[A-Z_]+` \|/.test(line));
    expect(rows).toEqual(readmeRows);
  });

  it('have examples and defaults that are accepted', () => {
    const examples = Object.fromEntries(all.map(({ name, example }) => [name, example]));
    const defaults = Object.fromEntries(all.map(({ name, default: fallback }) => [name, fallback ?? '']));
    expect(readConfig(examples, () => true)).toMatchObject({ ok: true });
    expect(readConfig({ ...defaults, SLACK_API_URL: '' })).toEqual(readConfig({}));
  });

  it('have names that are each there once', () => {
    expect([...new Set(all.map(({ name }) => name))]).toHaveLength(all.length);
  });
});
