import { parseArgs } from 'node:util';
import type { Config } from '../../bot/config/config.ts';

export interface Flags {
  help: boolean;
  /** The scenario to begin with; `null` takes the next one in turn. */
  scenario: string | null;
  /** How the embedded Slack delivers. */
  deliver: 'socket' | 'http' | null;
}

const USAGE = 'there are --scenario <name>, --deliver socket|http, and --help';

/** Reads what stands behind `npm start --`; `problem` is a sentence on the first thing that cannot be understood. */
export function readFlags(words: string[]): { flags: Flags } | { problem: string } {
  const { tokens } = parseArgs({
    args: words,
    options: { help: { type: 'boolean' }, scenario: { type: 'string' }, deliver: { type: 'string' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags: Flags = { help: false, scenario: null, deliver: null };
  for (const token of tokens) {
    if (token.kind === 'positional') return { problem: strayWord(token.value) };
    if (token.kind === 'option-terminator') continue;
    const { rawName, name, value } = token;
    // What looks like a flag is not a value that somebody meant.
    const given = token.inlineValue || !value?.startsWith('-') ? value : undefined;
    if (name === 'help' && value === undefined) flags.help = true;
    else if (name === 'scenario') flags.scenario = given ?? '';
    else if (name === 'deliver' && (given === 'socket' || given === 'http')) flags.deliver = given;
    else if (name === 'deliver') return { problem: '--deliver takes a word: socket or http.' };
    else if (name === 'help') return { problem: '--help takes no value.' };
    else return { problem: `npm start knows no ${rawName}: ${USAGE}.` };
  }
  return { flags };
}

/** npm keeps a flag for itself where the two dashes are missing, and hands on only the word behind it. */
function strayWord(word: string): string {
  return `npm start takes no "${word}": ${USAGE}, all behind two dashes, as in npm start -- --scenario <name>.`;
}

/** Why flags do not fit what is configured, in a sentence; `null` where they do. */
export function flagConflict({ scenario, deliver }: Flags, config: Config): string | null {
  if (deliver !== null && config.slack !== null) {
    return '--deliver is for the embedded Slack, but SLACK_BOT_TOKEN names a real one: leave one of the two out.';
  }
  if (scenario !== null && config.slack !== null) {
    return '--scenario needs the embedded Slack, but SLACK_BOT_TOKEN names a real one: leave one of the two out.';
  }
  if (scenario !== null && config.service !== null) {
    return '--scenario needs the simulated shop, but ISSUE_SERVICE_URL names a real service: leave one of the two out.';
  }
  return null;
}

/** What `--help` prints. */
export function usage(): string {
  return [
    'npm start -- [flags]',
    '',
    '  --scenario <name>      begins with this scenario, where Slack and the service are embedded;',
    '                         without a name, says which there are',
    '  --deliver socket|http  how the embedded Slack delivers: Socket Mode, or signed HTTP',
    '  --help                 shows this',
    '',
    'What is configured, by variables or in a file .env, is not embedded: see .env.example.',
  ].join('\n');
}
