import type { Io } from '../../lib/io.ts';
import type { Embedded } from './embed.ts';

/** Prints what is embedded and where, once everything is running. */
export function announce(
  { slack, service, systems }: Embedded,
  url: string,
  scenario: string | null,
  io: Io,
): void {
  const lines = [
    'Gumshoe is running.',
    ...(slack ? [`  Slack: local workspace at ${url}`] : ['  Slack: your workspace']),
    ...(service
      ? [
          `  Investigation service: embedded at ${service.url}, over ${systems ? 'your telemetry' : 'a simulated shop'}`,
        ]
      : ['  Investigation service: yours']),
    ...(slack && service && !systems ? [firstEvent(scenario)] : []),
    ...(slack && systems ? ['  Post an alert in #alerts, or use /investigate.'] : []),
    '  Press Ctrl-C to stop.',
  ];
  io.out(lines.join('\n'));
}

function firstEvent(scenario: string | null): string {
  return scenario === null
    ? '  The first alert will appear in #alerts in a few seconds.'
    : `  Playing the scenario "${scenario}".`;
}

/** Prints why the embedded parts could not start. */
export function reportNotEmbedded(error: unknown, io: Io): undefined {
  const message = error instanceof Error ? error.message : String(error);
  io.err(
    `The embedded Slack or investigation service could not start (${message}). Check that this user can write to ` +
      'the folder that DATABASE_URL names, and that no other Gumshoe is using it.',
  );
}
