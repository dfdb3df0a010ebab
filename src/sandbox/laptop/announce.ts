import type { Embedded } from './embed.ts';

/** Says what is embedded and where, once everything runs. */
export function announce({ slack, service }: Embedded, url: string, scenario: string | null = null): void {
  const lines = [
    'Gumshoe is running.',
    ...(slack ? [`  Slack is embedded: a local workspace, open ${url}`] : ['  Slack: your workspace']),
    ...(service
      ? [`  The investigation service is embedded: ${service.url}, a simulated shop`]
      : ['  The investigation service: yours']),
    ...(slack && service ? [firstEvent(scenario)] : []),
    '  Ctrl-C stops it.',
  ];
  console.log(lines.join('\n'));
}

function firstEvent(scenario: string | null): string {
  return scenario === null
    ? '  In a few seconds an alert appears in #alerts.'
    : `  The scenario "${scenario}" begins.`;
}

/** Says why nothing could be embedded. */
export function reportNotEmbedded(error: unknown): undefined {
  const message = error instanceof Error ? error.message : String(error);
  console.error(
    `What stands in for Slack or the service could not start (${message}). Check that this user may write in ` +
      'the folder that DATABASE_URL names, and that no other Gumshoe runs on it.',
  );
}
