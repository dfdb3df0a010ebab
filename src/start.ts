import { z } from 'zod';
import { readConfig } from './bot/config.ts';
import { botVariables } from './bot/variables.ts';
import { flagConflict, readFlags, runBeside, usage } from './demo/program/demo.ts';
import { onTerminal } from './demo/program/terminal-log.ts';
import { variablesOf } from './lib/environment.ts';
import { type Command, loadEnvFile, processIo } from './lib/io.ts';
import { misspeltVariables } from './lib/misspelt.ts';
import { withoutSecrets } from './lib/redact.ts';
import { modelVariables, readModelSettings } from './service/model/settings.ts';
import { hasSource, readTelemetrySettings, telemetryVariables } from './service/telemetry/settings.ts';

/** What `npm start` runs: embeds what is not configured, and runs the bot. */
export const start: Command = withoutSecrets(async (words, env, io) => {
  const refuse = (...sentences: string[]) => {
    for (const sentence of sentences) io.err(sentence);
    return 1;
  };
  const read = readFlags([...words]);
  if ('problem' in read) return refuse(read.problem);
  if (read.flags.help) {
    io.out(usage());
    return 0;
  }
  const telemetry = readTelemetrySettings(env);
  const model = readModelSettings(env);
  const wrongSources = 'problems' in telemetry ? telemetry.problems : [];
  const wrongModel = 'problems' in model ? model.problems : [];
  const systems = 'settings' in telemetry && hasSource(telemetry.settings) ? telemetry.settings : null;
  // What is wrong with a source is one problem, not two.
  const hasTelemetry = systems !== null || wrongSources.length > 0;
  const result = readConfig(env, { hasTelemetry });
  if (!result.ok) return refuse(...result.problems, ...wrongSources, ...wrongModel);
  if ('problems' in model || wrongSources.length > 0) return refuse(...wrongSources, ...wrongModel);
  const { config } = result;
  const wrong = flagConflict(read.flags, config, systems !== null);
  if (wrong !== null) return refuse(wrong);

  const known = variablesOf(
    z.object({ ...botVariables.shape, ...telemetryVariables.shape, ...modelVariables.shape }),
  );
  for (const question of misspeltVariables(env, known)) io.err(`warning: ${question}`);
  return runBeside(config, read.flags, { env, telemetry: systems, model: model.settings }, io);
});

if (import.meta.main) {
  const env = loadEnvFile();
  process.exit(await start(process.argv.slice(2), env, onTerminal(processIo, env)));
}
