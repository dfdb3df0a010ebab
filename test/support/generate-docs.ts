import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { botVariables } from '../../src/bot/variables.ts';
import { type Variable, variablesOf } from '../../src/lib/environment.ts';
import { modelVariables } from '../../src/service/model/settings.ts';
import { ownVariables } from '../../src/service/settings.ts';
import { telemetryVariables } from '../../src/service/telemetry/settings.ts';
import { projectFile, projectRoot } from './files.ts';

const programs = {
  bot: variablesOf(botVariables),
  service: variablesOf(ownVariables),
  telemetry: variablesOf(telemetryVariables),
  model: variablesOf(modelVariables),
};

/** Between `<!-- variables: … -->` and `<!-- end of variables -->` a document has a table: of a program, or of the variables named. */
const TABLE = /(<!-- variables: (?<of>[^>]+) -->\n)[\s\S]*?(?=<!-- end of variables -->)/gu;

function tableOf(of: string): string {
  const variables =
    Object.entries(programs).find(([name]) => name === of)?.[1] ??
    of.split(', ').flatMap(
      (name) =>
        Object.values(programs)
          .flat()
          .find((one) => one.name === name) ?? [],
    );
  const hasDefaults = variables.some((one) => one.default !== null);
  const heads = hasDefaults ? ['variable', 'default', 'what it does'] : ['variable', 'what it does'];
  const rows = variables.map((one) => {
    const what = `${one.description}${hasDefaults && one.secret ? '. *Secret*' : ''}`;
    const fallback = one.default === null ? '–' : `\`${one.default}\``;
    return [`\`${one.name}\``, ...(hasDefaults ? [fallback] : []), what];
  });
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return `${[row(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(row)].join('\n')}\n`;
}

/** Every line is a comment, so that copying the file changes nothing. */
function envExample(): string {
  const entries = (variables: readonly Variable[]) =>
    variables.flatMap(({ name, default: fallback, source, example, description }) => [
      '',
      `# ${description}.${fallback === null ? ' For example:' : ''}`,
      `#${name.replace('<SOURCE>', source ?? '')}=${fallback ?? example}`,
    ]);
  return [
    '# Every variable of Gumshoe, with its default, or an example where it has none. Copy this file to .env and remove the',
    '# # of the lines that you need: npm start and npm run doctor read it (and docker run --env-file .env).',
    ...entries(programs.bot),
    '',
    '# The following are read where the service is embedded, and by npm run service: what it investigates.',
    ...entries(programs.telemetry),
    '',
    '# An optional language model: read where the service is embedded, and by npm run service.',
    ...entries(programs.model),
    '',
  ].join('\n');
}

/** What is generated from the programs' variables, by path. */
export function generatedDocuments(): Map<string, string> {
  const documents = ['docs/configuration.md', 'docs/model.md', 'docs/service.md'].map((path) => {
    const text = projectFile(path).replaceAll(
      TABLE,
      (_all, start: string, of: string) => start + tableOf(of),
    );
    return [path, text] as const;
  });
  return new Map([...documents, ['.env.example', envExample()]]);
}

if (import.meta.main) {
  for (const [path, text] of generatedDocuments()) writeFileSync(join(projectRoot, path), text);
}
