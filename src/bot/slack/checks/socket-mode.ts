import type { WebClient } from '@slack/web-api';
import { classifySlackError } from '../errors.ts';
import { type CheckResult, failed, passed, slackFailure } from './result.ts';

const fixes: Record<string, string> = {
  missing_scope:
    'add the scope connections:write to the app-level token: Basic Information → App-Level Tokens',
  not_allowed_token_type: 'SLACK_APP_TOKEN must be an app-level token: Basic Information → App-Level Tokens',
  forbidden_team: 'turn on Socket Mode: https://api.slack.com/apps → your app → Socket Mode',
};

/** Whether Slack would open a socket for the app-level token that `client` bears. The socket itself is not opened. */
export async function checkSocketMode(client: WebClient): Promise<CheckResult> {
  const name = 'Socket Mode';
  try {
    await client.apps.connections.open({});
    return passed(name, 'Slack offers a connection');
  } catch (error) {
    const failure = classifySlackError(error);
    const fix = failure.kind === 'refused' ? fixes[failure.error] : undefined;
    if (failure.kind === 'refused' && fix !== undefined)
      return failed(name, `Slack answered ${failure.error}`, fix);
    return slackFailure(name, error, 'SLACK_APP_TOKEN');
  }
}
