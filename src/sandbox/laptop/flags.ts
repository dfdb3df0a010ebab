import { parseArgs } from 'node:util';
import type { Config } from '../../bot/config.ts';

export interface Flags {
  help: boolean;
  /** The scenario to start with; `null` takes the next one in turn. */
  scenario: string | null;
  /** How the embedded Slack delivers. */
  deliver: 'socket' | 'http' | null;
  /** Seconds that the embedded Slack waits for the bot to acknowledge; `null` for Slack's own limit. */
  ackTimeout: number | null;
}

const USAGE = 'the flags are --scenario <name>, --deliver socket|http, --ack-timeout <seconds> and --help';

/** Parses the arguments after `npm start --`; `problem` describes the first one that is invalid. */
export function readFlags(words: string[]): { flags: Flags } | { problem: string } {
  const { tokens } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean' },
      scenario: { type: 'string' },
      deliver: { type: 'string' },
      'ack-timeout': { type: 'string' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags: Flags = { help: false, scenario: null, deliver: null, ackTimeout: null };
  for (const token of tokens) {
    if (token.kind === 'positional') return { problem: strayWord(token.value) };
    if (token.kind === 'option-terminator') continue;
    const { rawName, name, value } = token;
    // A flag is never meant as a value.
    const given = token.inlineValue || !value?.startsWith('-') ? value : undefined;
    if (name === 'help' && value === undefined) flags.help = true;
    else if (name === 'scenario') flags.scenario = given ?? '';
    else if (name === 'deliver' && (given === 'socket' || given === 'http')) flags.deliver = given;
    else if (name === 'deliver') return { problem: '--deliver must be socket or http.' };
    else if (name === 'ack-timeout' && /^[1-9]\d{0,3}$/.test(given ?? '')) flags.ackTimeout = Number(given);
    else if (name === 'ack-timeout')
      return { problem: '--ack-timeout must be a whole number of seconds, 1 to 9999.' };
    else if (name === 'help') return { problem: '--help takes no value.' };
    else return { problem: `npm start has no flag ${rawName}: ${USAGE}.` };
  }
  return { flags };
}

/** Without the two dashes npm keeps the flag for itself, and passes on only the word after it. */
function strayWord(word: string): string {
  return `npm start takes no argument "${word}": ${USAGE}, all after two dashes, as in npm start -- --scenario <name>.`;
}

/** Why the flags conflict with the configuration, in a sentence; `null` if they do not. */
export function flagConflict(
  { scenario, deliver, ackTimeout }: Flags,
  config: Config,
  hasTelemetry = false,
): string | null {
  const ofSlack = deliver !== null ? '--deliver' : ackTimeout !== null ? '--ack-timeout' : null;
  if (ofSlack !== null && config.slack !== null) {
    return `${ofSlack} only applies to the embedded Slack, but SLACK_BOT_TOKEN configures a real one. Remove one of them.`;
  }
  if (scenario !== null && config.slack !== null) {
    return '--scenario needs the embedded Slack, but SLACK_BOT_TOKEN configures a real one. Remove one of them.';
  }
  if (scenario !== null && config.service !== null) {
    return '--scenario needs the simulated shop, but ISSUE_SERVICE_URL configures a real service. Remove one of them.';
  }
  if (scenario !== null && hasTelemetry) {
    return '--scenario needs the simulated shop, but the environment configures real telemetry. Remove --scenario, or unset PROMETHEUS_URL, LOKI_URL, TEMPO_URL, JAEGER_URL and KUBERNETES.';
  }
  return null;
}

/** What `--help` prints. */
export function usage(): string {
  return [
    'npm start -- [flags]',
    '',
    '  --scenario <name>      start with this scenario (needs the embedded Slack and service);',
    '                         without a name, list the scenarios',
    '  --deliver socket|http  how the embedded Slack delivers events: Socket Mode or signed HTTP',
    '  --ack-timeout <secs>   how long the embedded Slack waits for the bot to acknowledge: 3 seconds,',
    '                         as Slack does; raise it to debug with breakpoints',
    '  --help                 show this help',
    '',
    'Slack and the service are embedded unless configured, by variables or a .env file: see .env.example.',
  ].join('\n');
}
